// Checks the documents against the repository: links, npm scripts, settings, menus and texts that they name must exist, and the
// messages that they show must match the contract.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { userTypes } from '@backhaul/contract/define/roles'
import { FromDevice } from '@backhaul/contract/gateway/gateway'
import { expect, test } from 'vitest'
import { z } from 'zod'

const repository = dirname(import.meta.dirname)
const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

test('every link of a document to this repository leads to a file or folder', () => {
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(repository, dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const unknown = documents.flatMap((path) =>
    [...read(path).matchAll(/\bnpm run ([a-z][a-z-]*)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !scripts[name])
      .map((name) => `${path}: npm run ${name}`),
  )
  expect(unknown).toEqual([])
})

test('every setting that a document names is read by a program', () => {
  const sources = execFileSync('git', ['grep', '-ohE', 'BACKHAUL_[A-Z0-9_]+', '--', '*.ts', '*.mjs'], {
    cwd: repository,
    encoding: 'utf8',
  })
  const settings = new Set(sources.split('\n'))
  const unknown = documents.flatMap((path) =>
    [...read(path).matchAll(/\bBACKHAUL_[A-Z0-9_]*[A-Z0-9]\b/g)]
      .map(([name]) => name)
      .filter((name) => !settings.has(name) && !settings.has(name.replace(/_FILE$/, '')))
      .map((name) => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
})

test('every page below Manage that a document names is in the menu of the console', () => {
  const menu = new Set(Object.values(JSON.parse(read('apps/console/src/texts/en/app.json')).menu))
  const unknown = documents.flatMap((path) =>
    [...read(path).matchAll(/\*\*Manage\*\*, \*\*([^*]+)\*\*/g)]
      .map(([, name = '']) => name)
      .filter((name) => !menu.has(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
})

test('the document of administration lists for every user type what it may do', () => {
  const table = read('docs/operators/administration.md').match(/^\| user type(?:.*\n)+?\n/m)?.[0] ?? ''
  const types = [...table.matchAll(/^\| ([^|]+?) +\|/gm)]
    .slice(2)
    .flatMap(([, names = '']) => names.split(', '))
  expect(types.toSorted()).toEqual(userTypes.toSorted())
})

/** Emphasized words of pages for operators that the product does not show: other programs, new words, paragraphs. */
const emphasis: readonly string[] = [
  'Stream',
  'Stream Key',
  'Keyframe Interval',
  'Bearer Token',
  'inventory',
  'publisher',
  'subscriber',
  'ingest server',
  'feed',
  'on demand',
  'Ordinary',
  'Its name',
  'Its time',
  'At the target',
  'The unit calls',
  'A page of its own',
  'Ethernet addresses',
  'Sources, codec, bit rate, position',
  'Sound of 2, 4, 8 or 16 channels',
  'On a machine of its own',
  'On a machine with another hub',
]

test('what a page for operators shows in bold is a text of the console, of the page of a unit or of a refusal', () => {
  const files = execFileSync('git', ['ls-files', 'apps/console/src/texts/en/*.json'], {
    cwd: repository,
    encoding: 'utf8',
  })
  const sources = ['packages/contract/published/refusals.json', ...files.trim().split('\n')]
  const ofUnitPage = [...read('apps/agent/src/page/page-texts.ts').matchAll(/'([^']+)'/g)].map(
    ([, text = '']) => text,
  )
  const texts = [...sources.flatMap((path) => textsIn(JSON.parse(read(path)))), ...ofUnitPage]
  // Without a unit in brackets, and up to a value that the text is given.
  const known = new Set(
    texts.flatMap((text) => [text, text.replace(/ \([^)]*\)$/, ''), text.replace(/ \{.*/s, '')]),
  )
  const opening = /^(?:- |\d+\. )?\*\*[^*\n]+\.\*\*/gm
  const unknown = documents
    .filter((path) => path.startsWith('docs/operators/'))
    .flatMap((path) =>
      [
        ...read(path)
          .replace(opening, '')
          .matchAll(/\*\*([^*\n]+)\*\*/g),
      ]
        .map(([, words = '']) => words)
        .filter((words) => !known.has(words) && !emphasis.includes(words))
        .map((words) => `${path}: ${words}`),
    )
  expect(unknown).toEqual([])
})

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const deviceMessages = [...read('docs/integrators/gateway.md').matchAll(/```json\n(.+?)```/gs)].map(
  ([, text = '']): { type: string } => JSON.parse(text),
)

test('the messages of a device in the document of the gateway match the contract', () => {
  expect(deviceMessages.map((message) => FromDevice.parse(message).type)).toEqual(['register', 'hello'])
})

test('the published schema of the gateway admits these messages, and none without a field that must be there', () => {
  const text = read('packages/contract/published/gateway.json')
  expect(text, 'regular expressions that Python does not know').not.toMatch(/\\p\{/)
  const schema = z.fromJSONSchema(JSON.parse(text))
  const admitted = (message: object) => schema.safeParse(message).success
  const fields = (message: object) => Object.keys(message)
  const without = (message: object, field: string) => ({ ...message, [field]: undefined })
  expect(deviceMessages.map(admitted)).toEqual([true, true])
  expect(
    deviceMessages.flatMap((message) => fields(message).filter((field) => admitted(without(message, field)))),
  ).toEqual([])
})

test('the document of settings has every field of a page visit', () => {
  const source =
    read('apps/console/src/app/page-visits.ts').match(/interface PageVisit \{(.+?)^\}/ms)?.[1] ?? ''
  const fields = [...source.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field = '']) => field)
  const [, page = ''] = read('docs/operators/settings.md').split('## Page visits')
  expect(fields).toContain('route')
  expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([])
})

/** Calls that no API key may make, by their noun, and what the document of the API calls them. */
const closedCalls = {
  apiKeys: 'other keys',
  channelAdministration: 'the keys of input channels',
  client: 'personal data',
  deviceAdministration: 'the certificates of servers',
  invitations: 'the permanent registration key of a group',
  remoteActions: 'remote actions',
  secondFactors: 'second factors',
  signIns: 'sign-ins',
  unitPairing: 'the pairing code of a unit',
  users: 'adding and deleting users',
  videoReturnLinks: 'the share links of video return',
}

test('the document of the API names every kind of call that is closed to keys', () => {
  const { paths } = JSON.parse(read('packages/contract/published/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string; security: object[] }>>
  }
  const closed = Object.values(paths)
    .flatMap((calls) => Object.values(calls))
    .filter(({ security }) => security.length > 0 && !security.some((way) => 'apiKey' in way))
    .map(({ operationId }) => operationId.split('.')[0] ?? '')
  expect([...new Set(closed)].toSorted()).toEqual(Object.keys(closedCalls))
  const sentence = read('docs/integrators/api.md').match(/^- Closed to keys: .*$/m)?.[0] ?? ''
  expect(Object.values(closedCalls).filter((words) => !sentence.includes(words))).toEqual([])
})

test('every app and package has a README, and every document below docs is in its index', () => {
  const workspaces = execFileSync('git', ['ls-files', 'apps/*/package.json', 'packages/*/package.json'], {
    cwd: repository,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map(dirname)
  expect(workspaces.filter((folder) => !documents.includes(`${folder}/README.md`))).toEqual([])
  const index = read('docs/README.md')
  const isListed = (path: string) =>
    index.includes(`(${path.slice('docs/'.length)})`) || path.startsWith('docs/decisions/')
  const pages = documents.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md')
  expect(pages.filter((path) => !isListed(path))).toEqual([])
})
