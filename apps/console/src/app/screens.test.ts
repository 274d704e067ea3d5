import { expect, test } from 'vitest'
import { screens } from './screens.tsx'

test('no two screens have the same key', () => {
  const keys = screens.flatMap(({ menu }) => menu?.key ?? [])
  expect(keys.filter((key, index) => !/^[a-z]$/.test(key) || keys.indexOf(key) !== index)).toEqual([])
})
