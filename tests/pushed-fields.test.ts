// Holds that no field is pushed which core never writes: a console, and a test, would follow what never comes.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Topic } from '@backhaul/contract/define/topic'
import { ChannelFfmpeg } from '@backhaul/contract/nouns/ffmpeg-settings'
import { ServerSettings } from '@backhaul/contract/nouns/servers'
import { kindsByField, topics } from '@backhaul/contract/push/push'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const repository = dirname(import.meta.dirname)

interface Node {
  type: string
  start: number
  end: number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value) => isNode(value))

/** Where core writes the fields of each noun itself; `faces` is by what later features reach it to provide theirs. */
const places: Readonly<Record<Topic['noun'], { files: RegExp; face?: string }>> = {
  unit: { files: /^apps\/core\/src\/fleet\/units\//, face: 'units' },
  channel: { files: /^apps\/core\/src\/fleet\/channels\//, face: 'channels' },
  server: { files: /^apps\/core\/src\/fleet\/servers\//, face: 'servers' },
  group: {
    files: /^apps\/core\/src\/fleet\/(devices\/memberships|alerts\/group-alerts|unit-details\/unit-syncs)\./,
  },
  user: { files: /^apps\/core\/src\/platform\/live\// },
  access: { files: /^apps\/core\/src\/fleet\/access-approvals\// },
}

/** Settings that the body of a call brings, and that are stored and shown as a whole. */
const stored: Readonly<Record<string, readonly string[]>> = {
  channel: Object.keys(ChannelFfmpeg.shape),
  server: Object.keys(ServerSettings.shape),
}

/** Functions that answer fields of a live object, and calls that set them. */
const answersFields =
  /\bLive(Unit|Channel|Server)\b|\b(CameraFields|ChannelDetails|ChannelSettings|GroupNews)\b/
const setsFields = /^(set|add|change|changed|saveDetails)$/

interface Written {
  /** By field: the constants that it is given. */
  constants: Map<string, Set<string>>
  /** Fields with a value that is not a constant. */
  derived: Set<string>
}

interface Named extends Node {
  name?: string
  property?: Named
  id?: Named | null
}
interface Property extends Node {
  key: Named & { value?: unknown }
  value: Node
  computed: boolean
}

/** A value that is the same each time the line runs. */
const isConstant = (node: Node): boolean =>
  node.type === 'Literal' ||
  ((node.type === 'ArrayExpression' || node.type === 'ObjectExpression') && childrenOf(node).length === 0) ||
  (node.type === 'ObjectExpression' &&
    childrenOf(node).every((one) => one.type === 'Property' && isConstant((one as Property).value)))

/** Notes the fields of an object that is answered or set, also of one behind a condition or in the answer of a callback. */
function noteFields(node: Node, source: string, { constants, derived }: Written): void {
  if (node.type === 'ObjectExpression') {
    for (const one of childrenOf(node) as Property[]) {
      if (one.type !== 'Property' || one.computed) {
        noteFields(one, source, { constants, derived })
        continue
      }
      const field = one.key.name ?? String(one.key.value)
      if (!isConstant(one.value)) derived.add(field)
      else
        constants.set(
          field,
          (constants.get(field) ?? new Set()).add(source.slice(one.value.start, one.value.end)),
        )
      if (field === 'details') noteFields(one.value, source, { constants, derived })
    }
    return
  }
  // Arguments of other calls are not fields; they have a look of their own.
  if (node.type === 'CallExpression') return
  for (const child of childrenOf(node)) noteFields(child, source, { constants, derived })
}

/** Notes the fields that a source writes; a function counts by the type of its result. */
function noteSource(node: Node, source: string, written: Written): void {
  const { returnType, body, typeAnnotation } = node as Node & {
    returnType?: Node | null
    body?: Node | null
    typeAnnotation?: Node
  }
  const text = (part: Node) => source.slice(part.start, part.end)
  if (/Function/.test(node.type) && body && returnType && answersFields.test(text(returnType)))
    noteFields(body, source, written)
  if (node.type === 'TSSatisfiesExpression' && typeAnnotation && answersFields.test(text(typeAnnotation)))
    noteFields((node as Node & { expression: Node }).expression, source, written)
  if (node.type === 'VariableDeclarator') {
    const { id, init } = node as Node & { id: Node & { typeAnnotation?: Node }; init?: Node | null }
    if (init && id.typeAnnotation && answersFields.test(text(id.typeAnnotation)))
      noteFields(init, source, written)
  }
  if (node.type === 'CallExpression') {
    const { callee, arguments: given } = node as Node & { callee: Named; arguments: Node[] }
    const name = callee.property?.name ?? callee.name ?? ''
    if (setsFields.test(name))
      for (const one of given) if (one.type === 'ObjectExpression') noteFields(one, source, written)
  }
  for (const child of childrenOf(node)) noteSource(child, source, written)
}

/** Fields that `const show = units.provide('a', 'b')` declares, where `show(` is called too. */
function providedIn(source: string, face: string): string[] {
  const declared = source.matchAll(new RegExp(`const (\\w+) = ${face}\\.provide\\(([^)]*)\\)`, 'g'))
  return [...declared].flatMap(([, show = '', fields = '']) => {
    const isCalled = new RegExp(`(?<!const )\\b${show}\\(`).test(source)
    return isCalled ? [...fields.matchAll(/'(\w+)'/g)].map(([, field = '']) => field) : []
  })
}

interface Source {
  file: string
  text: string
}

/** Fields of the topic that none of the sources writes, or that each writes as the same constant. */
function unwritten(topic: Topic, sources: readonly Source[]): string[] {
  const { files, face } = places[topic.noun] ?? { files: /^$/ }
  const written: Written = { constants: new Map(), derived: new Set(stored[topic.noun]) }
  for (const { file, text } of sources) {
    if (files.test(file)) noteSource(parseAst(text, { lang: 'ts' }) as unknown as Node, text, written)
    if (face !== undefined) for (const field of providedIn(text, face)) written.derived.add(field)
  }
  const isWritten = (field: string) =>
    written.derived.has(field) || (written.constants.get(field)?.size ?? 0) > 1
  return [...kindsByField(topic).keys()].filter((field) => !isWritten(field))
}

const sourcesOfCore = (): Source[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'apps/core/src/*.ts'], {
    cwd: repository,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => !/\.test\.ts$|\/testing(\/|\.ts$)/.test(file))
    .map((file) => ({ file, text: readFileSync(join(repository, file), 'utf8') }))

const userTopic = topics.find(({ noun }) => noun === 'user') as Topic
const ofUser = (text: string) => unwritten(userTopic, [{ file: 'apps/core/src/platform/live/live.ts', text }])

test('a field is written by a value that changes', () => {
  expect(ofUser('object.set({ rightsChangedAt: clock.nowMs() })')).toEqual([])
  expect(ofUser('object.set({ ...rest, ...(isOn && { rightsChangedAt }) })')).toEqual([])
  expect(ofUser('const fields = (): Partial<LiveUnit> => ({ rightsChangedAt: of(user) })')).toEqual([])
  expect(ofUser('object.set({ rightsChangedAt: null }); object.set({ rightsChangedAt: 1 })')).toEqual([])
})

test('a field is not written by its first value, by another object, or by nobody', () => {
  const none = ['rightsChangedAt']
  expect(ofUser('')).toEqual(none)
  expect(ofUser('object.set({ rightsChangedAt: null }); log({ rightsChangedAt: nowMs })')).toEqual(none)
  expect(ofUser('object.set({ other: { rightsChangedAt: nowMs } })')).toEqual(none)
  expect(ofUser('const { rightsChangedAt } = object.values')).toEqual(none)
  expect(providedIn("const show = units.provide('story', 'sharing')", 'units')).toEqual([])
  expect(providedIn("const show = units.provide('story')\nshow(id, { story })", 'units')).toEqual(['story'])
})

test.for([...topics])('[LIVE-002] every field of the topic of a $noun is written by core', (topic) => {
  expect(unwritten(topic, sourcesOfCore())).toEqual([])
})
