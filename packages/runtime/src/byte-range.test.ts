import { expect, test } from 'vitest'
import { rangeOf } from './byte-range.ts'

test('a range is within the file, of one part, and in bytes', () => {
  expect(rangeOf(undefined, 100)).toBeUndefined()
  expect(rangeOf('bytes=10-', 100)).toEqual({ start: 10, end: 99 })
  expect(rangeOf('bytes=10-19', 100)).toEqual({ start: 10, end: 19 })
  expect(rangeOf('bytes=-10', 100)).toEqual({ start: 90, end: 99 })
  expect(rangeOf('bytes=90-500', 100)).toEqual({ start: 90, end: 99 })
  expect([rangeOf('bytes=100-', 100), rangeOf('bytes=9-3', 100)]).toEqual(['impossible', 'impossible'])
  expect(rangeOf('lines=1-2', 100)).toBeUndefined()
})
