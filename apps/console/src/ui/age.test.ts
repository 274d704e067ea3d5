import { expect, test } from 'vitest'
import { ageParts, isStale } from './age.ts'

test('a value is stale only after more than two intervals', () => {
  expect(isStale(1000, 1000, 3000)).toBe(false)
  expect(isStale(1000, 1000, 3001)).toBe(true)
})

test('an age is written in the largest unit that is still informative', () => {
  expect(ageParts(12_900)).toEqual({ unit: 'seconds', count: 12 })
  expect(ageParts(119_000)).toEqual({ unit: 'seconds', count: 119 })
  expect(ageParts(120_000)).toEqual({ unit: 'minutes', count: 2 })
  expect(ageParts(7_200_000)).toEqual({ unit: 'hours', count: 2 })
  expect(ageParts(172_800_000)).toEqual({ unit: 'days', count: 2 })
  expect(ageParts(-5)).toEqual({ unit: 'seconds', count: 0 })
})
