import { expect, test } from 'vitest'
import { FileName } from './files.ts'
import { nameAtServer, StoragePath, UploadState, uploadStateOf } from './unit-files.ts'

test('[FILE-005] [FILE-006] there is one set of states, and what devices say beside it is one of them', () => {
  expect(UploadState.options.map(uploadStateOf)).toEqual(UploadState.options)
  const said = ['done', 'uploaded', 'completed', 'ongoing', 'unheard of'].map(uploadStateOf)
  expect(said).toEqual(['success', 'success', 'success', 'uploading', undefined])
})

test('a path is absolute and leads nowhere but down', () => {
  for (const path of ['/', '/media/card', '/media/a..b/One.mp4'])
    expect(StoragePath.safeParse(path).success).toBe(true)
  for (const path of ['', 'media', '/media/../etc', '/..', '/media\0/One.mp4'])
    expect(StoragePath.safeParse(path).success).toBe(false)
})

test('whatever a file is called on the unit, its name at the server is one that every disk takes', () => {
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
