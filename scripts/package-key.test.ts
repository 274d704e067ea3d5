import { spawnSync } from 'node:child_process'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const place = mkdtempSync(join(tmpdir(), 'backhaul-package-key-'))
afterAll(() => rmSync(place, { recursive: true }))

const makeKey = (file: string) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'package-key.ts'), file], { encoding: 'utf8' })

test('the public half is printed; a file that exists is kept, and one sentence gives the reason', () => {
  const file = join(place, 'signing.pem')
  const first = makeKey(file)
  expect(first.status).toBe(0)
  const key = readFileSync(file, 'utf8')
  const publicHalf = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' })
  expect(first.stdout).toBe(`${publicHalf.toString('base64')}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  expect(makeKey(file)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `${file} exists and is kept, since devices may know its public half: name another file.\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe(key)
})

test('a folder that does not exist is named in one sentence', () => {
  const { status, stderr } = makeKey(join(place, 'nowhere', 'signing.pem'))
  expect(status).toBe(1)
  expect(stderr).toMatch(/^The key cannot be written: ENOENT: .*nowhere.signing.pem'\n$/)
})
