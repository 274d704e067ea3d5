import { expect, test } from 'vitest'
import { FileName } from './files.ts'
import { nameAtServer, StoragePath, UploadState, uploadStateOf } from './unit-files.ts'

test('[FILE-005] [FILE-006] there is one set of states, and other words of devices mean one of them', () => {
  expect(UploadState.options.map(uploadStateOf)).toEqual(UploadState.options)
  const states = ['done', 'uploaded', 'completed', 'ongoing', 'unknown'].map(uploadStateOf)
  expect(states).toEqual(['success', 'success', 'success', 'uploading', undefined])
})

test('a path is absolute and never leads upwards', () => {
  for (const path of ['/', '/media/card', '/media/a..b/One.mp4'])
    expect(StoragePath.safeParse(path).success).toBe(true)
  for (const path of ['', 'media', '/media/../etc', '/..', '/media\0/One.mp4'])
    expect(StoragePath.safeParse(path).success).toBe(false)
})

test('a file with any name on the unit gets a name at the server that is valid on every file system', () => {
  const names = ['/m/One.mp4', '/m/Wide shot é.mov', '/m/.hidden', '/m/ .. x', `/m/${'n'.repeat(90)}.mp4`]
  expect(names.map(nameAtServer)).toEqual([
    'One.mp4',
    'Wide shot _.mov',
    'file.hidden',
    'x',
    `${'n'.repeat(60)}.mp4`,
  ])
  for (const path of [...names, '/m/a/b:c?.mp4', '/m/…', '/m/📷.jpg'])
    expect(FileName.safeParse(nameAtServer(path)).error).toBeUndefined()
})
