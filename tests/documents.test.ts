// Checks the documents against the repository: links and npm scripts that they name must exist.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
