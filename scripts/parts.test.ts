// The parts that are built again, on a small repository with a core of one line.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPart } from './build-part.ts'
import { builtFolder, builtFrom, builtMain, changedParts, digestsOf, type Part } from './parts.ts'

const root = mkdtempSync(join(tmpdir(), 'backhaul-parts-'))
afterAll(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const changed = () => changedParts(root, ['console', 'core', 'hub'])
const outputOfCore = () => spawnSync(process.execPath, [builtMain(root, 'core')], { encoding: 'utf8' }).stdout

beforeAll(() => {
  write('package-lock.json', '{}')
  write('package.json', '{ "type": "module" }')
  write('scripts/program-build.ts', '')
  write('packages/runtime/src/word.ts', "export const word: string = 'one'")
  write('packages/contract/src/noun.ts', 'export const noun = 1')
  write('packages/contract/published/openapi.json', '{}')
  write('apps/console/src/main.tsx', '')
  write(
    'apps/core/src/main.ts',
    "import { word } from '../../../packages/runtime/src/word.ts'\nconsole.log(word)",
  )
  write('apps/hub/src/main.ts', '')
  for (const part of ['console', 'hub'] as const) pretendBuilt(part)
})

function pretendBuilt(part: Part): void {
  mkdirSync(builtFolder(root, part), { recursive: true })
  writeFileSync(join(builtFolder(root, part), builtFrom), digestsOf(root, [part]).get(part) ?? '')
}

test('a program is built into a file that runs', async () => {
  expect(changed()).toEqual(['core'])
  await buildPart(root, 'core')
  expect(changed()).toEqual([])
  expect(outputOfCore()).toBe('one\n')
})

test('a part is built again when a source of its own changes, comes or goes', () => {
  write('apps/hub/src/more.ts', 'one')
  expect(changed()).toEqual(['hub'])
  pretendBuilt('hub')
  write('apps/hub/src/more.ts', 'two')
  expect(changed()).toEqual(['hub'])
  pretendBuilt('hub')
  rmSync(join(root, 'apps/hub/src/more.ts'))
  expect(changed()).toEqual(['hub'])
  pretendBuilt('hub')
  write('apps/console/index.html', 'one')
  expect(changed()).toEqual(['console'])
  pretendBuilt('console')
})

test('a shared source changes all parts made of it, and only the contract changes the console', () => {
  write('packages/contract/src/noun.ts', 'export const noun = 2')
  expect(changed()).toEqual(['console', 'core', 'hub'])
  write('packages/contract/src/noun.ts', 'export const noun = 1')
  write('packages/runtime/src/word.ts', "export const word: string = 'two'")
  expect(changed()).toEqual(['core', 'hub'])
  write('packages/runtime/src/word.ts', "export const word: string = 'one'")
  expect(changed()).toEqual([])
})

test('tests, published files and what was built do not count', () => {
  write('apps/console/src/main.test.tsx', 'a test')
  write('packages/runtime/src/word.test.ts', 'a test')
  write('packages/contract/published/openapi.json', '{ "openapi": "3.1.0" }')
  write('apps/console/dist/index.html', 'built')
  expect(changed()).toEqual([])
})

test('a part that cannot be built keeps what was built last, and its fault is named', async () => {
  write('apps/core/src/main.ts', "import { word } from './missing.ts'\nconsole.log(word)")
  await expect(buildPart(root, 'core')).rejects.toThrow(/^core could not be built:\n.*missing\.ts/s)
  expect(outputOfCore()).toBe('one\n')
  expect(changed()).toEqual(['core'])
  expect(readdirSync(join(root, '.tools'))).toEqual([])
})
