import { expect, test } from 'vitest'
import { holdOrder, orderRows } from './row-order.ts'

const all = () => true

test('rows are filtered, sorted, and equal rows keep a fixed order by id', () => {
  const items: [string, number][] = [
    ['c', 1],
    ['b', 2],
    ['a', 1],
    ['x', 9],
  ]
  expect(
    orderRows(
      items,
      (n) => n < 5,
      (p, q) => p - q,
    ),
  ).toEqual(['a', 'c', 'b'])
})

test('a held order is kept and reports how many rows would move', () => {
  const shown = ['a', 'b', 'c', 'd']
  expect(holdOrder(shown, ['d', 'a', 'b', 'c'], all)).toEqual({ ids: shown, moved: 1 })
  expect(holdOrder(shown, shown, all)).toEqual({ ids: shown, moved: 0 })
  expect(holdOrder(shown, ['d', 'c', 'b', 'a'], all).moved).toBe(3)
})

test('a held order drops what is gone, keeps what only fell out of the filter, and adds what is new at the end', () => {
  const held = holdOrder(['a', 'b', 'c'], ['n', 'a', 'c'], (id) => id !== 'c')
  expect(held).toEqual({ ids: ['a', 'b', 'n'], moved: 1 })
})

test('an unchanged order is the same array, so nothing renders', () => {
  const shown = ['a', 'b']
  expect(holdOrder(shown, ['b', 'a'], all).ids).toBe(shown)
})
