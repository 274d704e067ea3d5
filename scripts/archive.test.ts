import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packFolder } from './archive.ts'

const place = mkdtempSync(join(tmpdir(), 'backhaul-archive-'))
afterAll(() => rmSync(place, { recursive: true }))

/** The same files, written in this order, at this time, under this umask. */
async function packed(names: readonly string[], seconds: number, umask: number): Promise<Buffer> {
  const folder = join(mkdtempSync(join(place, 'copy-')), 'product')
  mkdirSync(join(folder, 'bin'), { recursive: true, mode: 0o777 & ~umask })
  for (const name of names) {
    writeFileSync(join(folder, name), name)
    chmodSync(join(folder, name), (name.startsWith('bin/') ? 0o777 : 0o666) & ~umask)
    utimesSync(join(folder, name), seconds, seconds)
  }
  symlinkSync('../one', join(folder, 'bin', 'link'))
  await packFolder(folder, `${folder}.tar.gz`, 1_700_000_000)
  return readFileSync(`${folder}.tar.gz`)
}

test('the same files give the same bytes, regardless of the time and umask of their creation', async () => {
  const names = ['one', 'two', 'bin/run', 'three']
  const first = await packed(names, 1_000_000, 0o022)
  const second = await packed(names.toReversed(), 2_000_000, 0o077)
  expect(second.equals(first)).toBe(true)
})

test('a missing folder gives no archive, but the reason', async () => {
  await expect(packFolder(join(place, 'nothing'), join(place, 'none.tar.gz'), 0)).rejects.toThrow(
    /tar ended with code 2: .*nothing/s,
  )
})

test('links and the right to run a file are kept', async () => {
  const archive = join(place, 'kept.tar.gz')
  writeFileSync(archive, await packed(['one', 'bin/run'], 1, 0o022))
  const { stdout } = spawnSync('tar', ['--list', '--verbose', '--file', archive], { encoding: 'utf8' })
  expect(stdout).toMatch(/^-rwxr-xr-x 0\/0 .* product\/bin\/run$/m)
  expect(stdout).toMatch(/^-rw-r--r-- 0\/0 .* product\/one$/m)
  expect(stdout).toMatch(/^l\S+ 0\/0 .* product\/bin\/link -> \.\.\/one$/m)
})
