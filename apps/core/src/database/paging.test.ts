import { expect, it } from 'vitest'
import { fromNearerEnd } from './paging.ts'

const list = Array.from({ length: 23 }, (_, at) => at)

/** The page as a database would read it. */
function pageOf(
  offset: number,
  limit: number,
  of: readonly number[] = list,
): { page: number[]; passed: number } {
  const reading = fromNearerEnd({ offset, limit }, of.length)
  const read = reading.read('asc') === 'asc' ? of : of.toReversed()
  return {
    page: reading.inOrder(read.slice(reading.offset, reading.offset + reading.limit)),
    passed: reading.offset,
  }
}

it('reads every page as a list that is read from its start', () => {
  for (const limit of [1, 5, 23, 50])
    for (let offset = 0; offset < 30; offset++)
      expect([offset, limit, pageOf(offset, limit).page]).toEqual([
        offset,
        limit,
        list.slice(offset, offset + limit),
      ])
  expect(pageOf(0, 5, []).page).toEqual([])
})

it('skips at most half of the list, and nothing before the last page', () => {
  expect(pageOf(20, 5).passed).toBe(0)
  expect(pageOf(18, 5).passed).toBe(0)
  expect(Math.max(...list.map((offset) => pageOf(offset, 1).passed))).toBeLessThanOrEqual(list.length / 2)
})
