import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { filesBelow, readStorages } from './storages.ts'

let data = ''
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'backhaul-storage-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

test('the disk that holds a folder is reported with its size and free space', async () => {
  const [storage] = await readStorages(data)
  expect(storage?.path).toBe(data)
  expect(storage!.totalBytes).toBeGreaterThan(storage!.freeBytes)
  expect(await readStorages('/no/such/folder')).toEqual([])
})

test('files of the media folder are listed, read and deleted, and nothing outside it is', async () => {
  const media = join(data, 'media')
  const files = filesBelow(media)
  expect(await files.list(media)).toEqual([])
  mkdirSync(join(media, 'today'))
  writeFileSync(join(media, 'One.mp4'), 'hello van')
  writeFileSync(join(data, 'token.json'), 'secret')
  symlinkSync(data, join(media, 'way-out'))
  symlinkSync(join(data, 'token.json'), join(media, 'today', 'token.mp4'))

  const shown = (await files.list(media)).toSorted((a, b) => a.name.localeCompare(b.name))
  expect(shown).toEqual([
    { name: 'One.mp4', isFolder: false, sizeBytes: 9, modifiedMs: expect.any(Number) },
    { name: 'today', isFolder: true, sizeBytes: 0, modifiedMs: expect.any(Number) },
  ])
  expect(await files.list(join(media, 'today'))).toEqual([])

  const file = await files.open(join(media, 'One.mp4'))
  expect(file.sizeBytes).toBe(9)
  expect(Buffer.from(await file.read(6, 100)).toString()).toBe('van')
  await file.close()

  const outside = [data, join(data, 'token.json'), join(media, 'way-out'), join(media, 'today', 'token.mp4')]
  for (const path of outside) {
    await expect(files.list(path)).rejects.toThrow('There is no such file.')
    await expect(files.open(path)).rejects.toThrow('There is no such file.')
    await expect(files.remove(path)).rejects.toThrow('There is no such file.')
  }
  await expect(files.open(join(media, 'today'))).rejects.toThrow('Only files can be sent.')
  await expect(files.remove(join(media, 'today'))).rejects.toThrow('Only files can be deleted.')
  await files.remove(join(media, 'One.mp4'))
  await expect(files.open(join(media, 'One.mp4'))).rejects.toThrow('There is no such file.')
})
