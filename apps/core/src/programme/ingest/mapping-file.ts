import type { PlainCode } from '@backhaul/contract/define/refusals'
import { SaxesParser } from 'saxes'

const XSLT = 'http://www.w3.org/1999/XSL/Transform'

interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
}

/** All elements of the document in their order; undefined when it is not well-formed. */
function elementsOf(text: string): Element[] | undefined {
  const found: Element[] = []
  let isWellFormed = true
  const refuse = () => {
    isWellFormed = false
  }
  const parser = new SaxesParser()
  parser.on('error', refuse)
  // A document type brings entities with it, which may read files.
  parser.on('doctype', refuse)
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes }))
  parser.write(text).close()
  return isWellFormed ? found : undefined
}

/** Why the text cannot be a mapping file; undefined when it can. */
export function mappingFault(text: string): PlainCode | undefined {
  const elements = elementsOf(text)
  const [root] = elements ?? []
  if (!elements || !root) return 'ingest.notWellFormed'
  const [prefix, local] = root.name.includes(':') ? root.name.split(':') : ['', root.name]
  const bound = root.attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`]
  if (bound !== XSLT || (local !== 'stylesheet' && local !== 'transform')) return 'ingest.noStyleSheet'
  const readsOthers = elements.some(
    ({ name, attributes }) =>
      /(^|:)(import|include)$/.test(name) ||
      Object.values(attributes).some((value) => /\b(document|doc|unparsed-text)\s*\(/.test(value)),
  )
  return readsOthers ? 'ingest.readsOthers' : undefined
}
