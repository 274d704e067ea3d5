import { setImmediate } from 'node:timers/promises'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { inTurnByKey, limitedTo } from './turns.ts'

test('of one key one task runs after the other, also after one that failed', async () => {
  const inTurn = inTurnByKey()
  const seen: string[] = []
  const task = (name: string) => async () => {
    seen.push(`${name} begins`)
    await setImmediate()
    seen.push(`${name} ends`)
    if (name === 'first') throw new Error('failed')
  }
  const first = expect(inTurn('a', task('first'))).rejects.toThrow('failed')
  const second = inTurn('a', task('second'))
  await inTurn('b', task('other'))
  await first
  await second
  expect(seen.filter((line) => !line.startsWith('other'))).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
  ])
  expect(seen.indexOf('other begins')).toBeLessThan(seen.indexOf('first ends'))
})

test('never more run at the same time than allowed, also when one comes as another ends', async () => {
  const limited = limitedTo(2)
  const began: number[] = []
  const all: Promise<void>[] = []
  let running = 0
  let most = 0
  async function work(number: number): Promise<void> {
    began.push(number)
    most = Math.max(most, ++running)
    await setImmediate()
    running--
  }
  const run = (number: number) => all.push(limited(() => work(number)))
  all.push(
    limited(() => {
      const first = work(1)
      // Called when the first has ended and the third has not begun.
      void Promise.resolve().then(() => first.then(() => run(5)))
      return first
    }),
  )
  for (const number of [2, 3, 4]) run(number)
  await until(() => began.length === 5)
  await Promise.all(all)
  expect(most).toBe(2)
  expect(began).toEqual([1, 2, 3, 4, 5])
})
