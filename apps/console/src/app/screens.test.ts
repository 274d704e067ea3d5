import { expect, test } from 'vitest'
import { screens } from './screens.ts'

test('no two screens have the same key', () => {
  const keys = screens.flatMap(({ menu }) => menu?.key ?? [])
  expect(keys.filter((key, index) => !/^[a-z]$/.test(key) || keys.indexOf(key) !== index)).toEqual([])
})

test('no two screens have the same address', () => {
  const paths = screens.map(({ path }) => path)
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([])
})
