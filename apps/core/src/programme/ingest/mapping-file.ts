import type { PlainCode } from '@backhaul/contract/define/refusals'

const XSLT = 'http://www.w3.org/1999/XSL/Transform'

const name = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const attribute = `\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`
/** A document type would bring entities with it, which may read files: it is not allowed in a mapping file. */
const token = new RegExp(
  [
    '<\\?[\\s\\S]*?\\?>',
    '<!--(?:(?!--)[\\s\\S])*-->',
    '<!\\[CDATA\\[[\\s\\S]*?\\]\\]>',
    `<(?<open>${name})(?<attributes>(?:${attribute})*)\\s*(?<empty>/)?>`,
    `</(?<close>${name})\\s*>`,
    '[^<]+',
  ].join('|'),
  'y',
)

interface Element {
  name: string
  attributes: ReadonlyMap<string, string>
}

const attributesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(new RegExp(`(${name})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g'))].map(
      ([, key = '', double, single]) => [key, double ?? single ?? ''],
    ),
  )

const badReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/

/** All elements of the document in their order; undefined when it is not well-formed. */
function elementsOf(text: string): Element[] | undefined {
  const found: Element[] = []
  const open: string[] = []
  token.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    if (match === null) return undefined
    const { open: opened, close: closed, attributes = '', empty } = match.groups ?? {}
    const isMarkup = match[0].startsWith('<!') || match[0].startsWith('<?')
    if (!isMarkup && badReference.test(match[0])) return undefined
    if (opened !== undefined) {
      if (open.length === 0 && found.length > 0) return undefined
      found.push({ name: opened, attributes: attributesOf(attributes) })
      if (empty === undefined) open.push(opened)
    } else if (closed !== undefined) {
      if (open.pop() !== closed) return undefined
    } else if (!isMarkup && open.length === 0 && match[0].trim() !== '') return undefined
  }
  return open.length === 0 && found.length > 0 ? found : undefined
}

/** Why the text cannot be a mapping file; undefined when it can. */
export function mappingFault(text: string): PlainCode | undefined {
  const elements = elementsOf(text)
  const [root] = elements ?? []
  if (!elements || !root) return 'ingest.notWellFormed'
  const [prefix, local] = root.name.includes(':') ? root.name.split(':') : ['', root.name]
  const bound = root.attributes.get(prefix === '' ? 'xmlns' : `xmlns:${prefix}`)
  if (bound !== XSLT || (local !== 'stylesheet' && local !== 'transform')) return 'ingest.noStyleSheet'
  const readsOthers = elements.some(
    ({ name: own, attributes }) =>
      /(^|:)(import|include)$/.test(own) ||
      attributes.values().some((value) => /\b(document|doc|unparsed-text)\s*\(/.test(value)),
  )
  return readsOthers ? 'ingest.readsOthers' : undefined
}
