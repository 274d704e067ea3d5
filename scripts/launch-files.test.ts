import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keptAdminPassword, newPassword } from './admin-password.ts'
import { digestSources, isConsoleCurrent } from './console-build.ts'
import { openLogFile } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-launch-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a made password has the capital, small letter and digit that the rules require, and is never the same twice', () => {
  const passwords = Array.from({ length: 50 }, newPassword)
  for (const password of passwords) expect(password).toMatch(/^(?:[A-Z][a-z]\d[A-Za-z\d]-?){4}$/)
  expect(new Set(passwords).size).toBe(50)
})

test('the first administrator keeps one password, readable by its owner alone', () => {
  const path = join(folder, 'admin-password')
  const password = keptAdminPassword(path)
  expect(keptAdminPassword(path)).toBe(password)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a full log file is replaced by a new one and kept once', () => {
  const path = join(folder, 'core.log')
  const write = openLogFile(path, 20)
  for (const line of ['the first line ……', 'the second', 'the third']) write(line)
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('the first line ……\n')
  expect(readFileSync(path, 'utf8')).toBe('the second\nthe third\n')
})

test('the console is built again when a source changes or goes, not when a test or the built files do', () => {
  const source = join(folder, 'apps/console/src/main.ts')
  const dist = join(folder, 'apps/console/dist')
  for (const path of ['apps/console/src', 'apps/console/dist', 'packages/contract/src']) {
    mkdirSync(join(folder, path), { recursive: true })
  }
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(source, 'one')
  expect(isConsoleCurrent(folder)).toBe(false)
  writeFileSync(join(dist, '.sources'), digestSources(folder))
  writeFileSync(join(folder, 'apps/console/src/main.test.ts'), 'a test')
  writeFileSync(join(dist, 'index.html'), 'built')
  expect(isConsoleCurrent(folder)).toBe(true)
  writeFileSync(source, 'two')
  expect(isConsoleCurrent(folder)).toBe(false)
  rmSync(source)
  expect(existsSync(source)).toBe(false)
  expect(isConsoleCurrent(folder)).toBe(false)
})
