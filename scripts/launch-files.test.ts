import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keptAdminPassword, newPassword } from './admin-password.ts'
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
