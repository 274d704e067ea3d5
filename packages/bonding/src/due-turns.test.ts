import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { createDueTurns } from './due-turns.ts'

function record() {
  const ran: number[] = []
  return { ran, turns: createDueTurns((nowMs) => ran.push(nowMs)) }
}

test('What is due at one time runs in one turn and not before, and an earlier time replaces a later one', async () => {
  const [one, other, early, ended] = [record(), record(), record(), record()]
  const startMs = performance.now()
  one.turns.at(startMs + 60)
  other.turns.at(startMs + 60)
  early.turns.at(startMs + 60_000)
  early.turns.at(startMs + 20)
  ended.turns.at(startMs + 20)
  ended.turns.end()
  await until(() => one.ran.length > 0)
  expect(one.ran[0]).toBeGreaterThanOrEqual(startMs + 60)
  expect(other.ran).toEqual(one.ran)
  expect(early.ran).toHaveLength(1)
  expect(early.ran[0]).toBeGreaterThanOrEqual(startMs + 20)
  expect(early.ran[0]).toBeLessThan(one.ran[0]!)
  expect(ended.ran).toEqual([])
  for (const { turns } of [one, other, early]) turns.end()
})

test('A turn may request the next one', async () => {
  let count = 0
  const turns = createDueTurns((nowMs) => {
    count++
    if (count < 5) turns.at(nowMs + 1)
  })
  turns.at(0)
  await until(() => count === 5)
  turns.end()
})
