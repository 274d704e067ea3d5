// Checks the documents against the repository: links, npm scripts, settings and menus that they name must exist, and the
// messages that they show must be as the contract says.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FromDevice } from '@backhaul/contract/gateway/gateway'
import { expect, test } from 'vitest'

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

test('the messages of a device in the document of the gateway are as the contract says', () => {
  const messages = [...read('docs/integrators/gateway.md').matchAll(/```json\n(.+?)```/gs)].map(
    ([, text = '']) => FromDevice.parse(JSON.parse(text)),
  )
  expect(messages.map(({ type }) => type)).toEqual(['register', 'hello'])
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
