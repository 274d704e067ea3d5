// Whatever the contract, core or a device says when it refuses is there in Spanish: collected from what they are made of.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { texts } from '@backhaul/contract/define/texts'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { refusals } from './es/es.ts'
import { readerOf } from './generic.ts'

const repository = join(import.meta.dirname, '../../../..')

/** What speaks to people; a device says why it cannot in what it throws. */
const speakers = [
  'packages/contract/src/nouns',
  'packages/contract/src/define',
  ...['platform', 'people', 'fleet', 'transmission', 'usage', 'programme', 'footage', 'edge'].map(
    (area) => `apps/core/src/${area}`,
  ),
  'apps/core/src/doors/api',
  'apps/core/src/doors/outward-request.ts',
  'packages/device/src',
  'apps/agent/src',
  'apps/hub/src',
  'apps/simulator/src/hardware',
]
/** Tests, the demo, and what only the person who starts a program reads. */
const notSpeaking =
  /\.test\.ts$|\/testing\/|^apps\/core\/src\/edge\/demo\/|^apps\/hub\/src\/(loops|previews)\//
const notForPeople = /^apps\/(hub|agent)\/src\/settings\.ts$|\/define\/(published|openapi)\.ts$/

/** Sentences of theirs that nobody gets as a refusal: e-mails, protocols, names of things. */
const otherwise = new Set([
  'Alerts of {0}: verify your address',
  'To receive them, open this link within {0} hours:',
  'Somebody who administers {0} wants to send the alerts of its units to this address.',
  'Without that nothing is sent here, and you can ignore this e-mail.',
  'Invitation to {0}',
  'Your unit can join the group {0}.',
  'Pairing code: {0}',
  'How to enter it: {0}',
  'It admits one unit until {0}.',
  'You are an e-mail recipient of {0}. Its administrators can take you off the list.',
  '{0} has used {1} {2} of {3}; the package holds {4} {5}.',
  'Nothing is cut off. The services of your inventories are listed in the console under Services.',
  'HTTP/1.1 {0} {1}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
  'Bearer {0}',
  'Basic {0}',
  'HTTP {0} {1}',
  '{0} by {1}',
  '{0} as id',
  '{0} as memberId',
  'BACKHAUL_HUB_MEDIA_PORT: no free port near {0}',
  'Channel-{0}',
  'Extender {0}',
  'Tally {0}',
  'IFB {0}',
  'API key',
  'ETH/Wi-Fi first',
  'Vox pop',
  'Storm front',
  'Press room',
  'Invalid input',
  'camera disconnected',
])

interface Node {
  type: string
  [field: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** Of an identifier, of what is read from an object, and of the object itself. */
const nameOf = (node: unknown): string => (isNode(node) ? `${node.name ?? node.value ?? ''}` : '')
const calledName = (node: unknown): string =>
  isNode(node) && node.type === 'MemberExpression' ? nameOf(node.property) : nameOf(node)

/** A literal as its text, a template with {0}, {1} … where it is filled. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  const parts = (node.quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked)
  return parts.reduce((whole, part, at) => `${whole}{${at - 1}}${part}`)
}

/** A sentence begins with a capital, a figure or a name, and goes on in small letters. */
const isSentence = (text: string) =>
  /^(\p{Lu}|\{0\} \p{Ll}|\d+ )/u.test(text) && /\p{L}+[ ,.;:'’-]+(\{\d\}|\p{Ll}+)/u.test(text)
/** A tooltip of the specification may begin with a small letter. */
const isTip = (text: string) => /^\p{Ll}+( [\p{L}\d-]+)+$/u.test(text)

/** Words of the documentation, the log, e-mails and the database. */
const isSilent = (node: Node): boolean =>
  node.type === 'ImportDeclaration' ||
  node.type === 'TaggedTemplateExpression' ||
  (node.type === 'Property' && /^(summary|description|help|subject|example)$/.test(nameOf(node.key))) ||
  (node.type === 'CallExpression' &&
    /^(describe|debug|info|warn|error|fatal|note|enum|literal|gauge|counter)$/.test(calledName(node.callee)))

/** `told`: whatever stands here is said as it is; `answer`: what a function gives back. */
interface Place {
  told?: boolean
  answer?: boolean
}

interface Found {
  texts: string[]
  /** What is said to be not found, or the name of where that stands. */
  things: string[]
  /** Words by the name of the constant or the property that holds them. */
  named: Map<string, string[]>
}

function collect(node: unknown, found: Found, place: Place = {}): void {
  if (Array.isArray(node)) for (const one of node) collect(one, found, place)
  if (!isNode(node) || isSilent(node)) return
  const text = textOf(node)
  if (text && (place.told || isSentence(text) || (place.answer && isTip(text)))) found.texts.push(text)
  if (node.type === 'NewExpression' && nameOf(node.callee) === 'NotFound')
    return void found.things.push(...thingsIn((node.arguments as unknown[])[0]))
  const holds = node.type === 'VariableDeclarator' ? nameOf(node.id) : ''
  if (/^words?$/.test(holds)) return void found.named.set(holds, literalsIn(node.init))
  if (node.type === 'Property' && nameOf(node.key) === 'one' && isNode(node.value) && textOf(node.value))
    return void keep(found.named, 'one', literalsIn(node.value))
  if (node.type === 'CallExpression' && nameOf(node.callee) === 'counted')
    return void found.things.push(
      ...literalsIn((node.arguments as unknown[])[1]).flatMap((one) => [one, many(one)]),
    )
  const isAnswer = ['ReturnStatement', 'ArrowFunctionExpression'].includes(node.type)
  const inner: Place = {
    told: place.told || /Texts$|^texts$/.test(holds),
    answer:
      isAnswer ||
      (place.answer && /^(Conditional|Logical|TSAs)Expression$/.test(node.type)) ||
      /^[A-Z_]+$/.test(holds),
  }
  for (const [field, value] of Object.entries(node)) if (field !== 'key') collect(value, found, inner)
}

/** As core counts them. */
const many = (thing: string) => thing.replace(/y?$/, (end) => (end ? 'ies' : 's'))

const keep = (named: Map<string, string[]>, name: string, words: string[]) =>
  named.set(name, [...(named.get(name) ?? []), ...words])

/** `'Tally'`, `is ? 'Tally' : 'IFB'`, `word`, `words[kind]`; a path that nobody serves is for programmers. */
function thingsIn(node: unknown): string[] {
  if (!isNode(node) || node.type === 'TemplateLiteral') return []
  const text = textOf(node)
  if (text !== undefined) return [text]
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(thingsIn)
  return [`=${nameOf(node.type === 'MemberExpression' ? node.object : node)}`]
}

function literalsIn(node: unknown): string[] {
  if (!isNode(node)) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type !== 'ObjectExpression') return []
  return (node.properties as Node[]).flatMap(({ value }) => literalsIn(value))
}

function collected(source: string): Found {
  const found: Found = { texts: [], things: [], named: new Map() }
  collect(parseAst(source, { lang: 'ts' }), found)
  return found
}

const sources = speakers
  .flatMap((place) =>
    place.endsWith('.ts')
      ? [place]
      : (readdirSync(join(repository, place), { recursive: true }) as string[]).map((path) =>
          join(place, path),
        ),
  )
  .filter((path) => path.endsWith('.ts') && !notSpeaking.test(path) && !notForPeople.test(path))

const found = sources.map((path) => collected(readFileSync(join(repository, path), 'utf8')))
const ofStores = found.flatMap(({ named }) => named.get('one') ?? [])
/** The console does not call products of other makers by their names. */
const unbranded = (text: string) => text.replace(/\bLU-\d+\b/, '{0}')
const said = new Set(
  found
    .flatMap((one) => one.texts)
    .filter((text) => !otherwise.has(text))
    .map(unbranded),
)
const things = new Set(
  found.flatMap(({ things, named }) =>
    things.flatMap((thing) => {
      if (!thing.startsWith('=')) return [thing]
      return thing === '=one' ? ofStores : (named.get(thing.slice(1)) ?? [thing])
    }),
  ),
)
const generics: ReadonlySet<string> = new Set(Object.values(texts))

test('the collector finds what is said, whoever says it', () => {
  const { texts, things, named } = collected(`
    const cameraTexts = { none: 'no camera', full: \`At most \${MOST} cameras\` }
    const word = 'Lens'
    const Name = z.string().describe('Of the camera').refine(isFree, { message: 'Must be another one' })
    export function refusal(unit) {
      if (unit.off) throw new Conflict('Unit is off')
      if (!unit.lens) throw new NotFound(word)
      if (!unit.mount) throw new NotFound(isOld ? 'Mount' : 'Plate')
      log.info('It is looked at')
      return unit.busy ? 'camera busy' : undefined
    }`)
  expect(texts).toEqual([
    'no camera',
    'At most {0} cameras',
    'Must be another one',
    'Unit is off',
    'camera busy',
  ])
  expect(things).toEqual(['=word', 'Mount', 'Plate'])
  expect(named.get('word')).toEqual(['Lens'])
})

test('every refusal of the contract, of core and of devices has its Spanish words, and none is left from before', () => {
  const known = Object.keys(refusals.texts)
  const isKnown = (text: string) => generics.has(text) || things.has(text) || known.includes(text)
  expect([...said].filter((text) => !isKnown(text)).sort()).toEqual([])
  expect(known.filter((text) => !said.has(text)).sort()).toEqual([])
  const named = Object.keys(refusals.things)
  expect([...things].filter((thing) => !named.includes(thing)).sort()).toEqual([])
  expect(named.filter((thing) => !things.has(thing)).sort()).toEqual([])
})

test('a Spanish refusal names what the English one names', () => {
  const places = (text: string) => [...text.matchAll(/\{(?:thing )?(\d)\}/g)].map(([, at]) => at).sort()
  const other = Object.entries(refusals.texts).filter(([en, es]) => `${places(en)}` !== `${places(es)}`)
  expect(other.map(([en]) => en)).toEqual(['Upgrade not supported for a {0} H264 unit'])
  expect(Object.entries(refusals.texts).filter(([en, es]) => en === es)).toEqual([])
})

test('names and figures stay as they are, things are named in the language too', () => {
  const read = readerOf(refusals)
  const words = {
    'The group has busy members: LU600-MTL-03, Channel':
      'El grupo tiene miembros ocupados: LU600-MTL-03, Channel',
    'Channel not found': 'No se encuentra el canal',
    'Inventory still has 1 unit, 20 channels': 'El inventario todavía tiene 1 unidad, 20 canales',
    'Stream provider is in use and cannot be deleted':
      'No se puede eliminar el proveedor de streaming: está en uso',
    'Ingest server North takes no more than 8 channels':
      'El servidor de ingesta North no admite más de 8 canales',
    'Parent inventory not found': 'No se encuentra el inventario principal',
  }
  for (const [english, spanish] of Object.entries(words)) expect(read(english)).toBe(spanish)
  expect(read('Whatever a device of another maker says')).toBeUndefined()
})
