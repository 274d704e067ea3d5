import { expect, test, vi } from 'vitest'
import { type ChannelOutcome, retryUntilApplied } from './channel-retry.ts'

function run(outcomes: ChannelOutcome[], supersededAt = Number.POSITIVE_INFINITY) {
  let asked = 0
  const send = vi.fn(() => Promise.resolve())
  const waits: number[] = []
  const end = retryUntilApplied({
    send,
    outcome: () => outcomes[Math.min(asked++, outcomes.length - 1)]!,
    superseded: () => asked >= supersededAt,
    wait: async (ms) => void waits.push(ms),
  })
  return { end, send, waits }
}

test('a channel that arrives ends the repeats', async () => {
  const { end, send, waits } = run(['waiting', 'waiting', 'arrived'])
  expect(await end).toBe('arrived')
  expect(send).toHaveBeenCalledTimes(3)
  expect(waits).toEqual([2000, 2000, 2000])
})

test('[STREAM-002] [LIVE-007] after the first request and seven repeats it is enough', async () => {
  const { end, send } = run(['waiting'])
  expect(await end).toBe('waiting')
  expect(send).toHaveBeenCalledTimes(8)
})

test('a refusal or a newer request ends the repeats at once', async () => {
  expect(await run(['refused']).end).toBe('refused')
  const { end, send } = run(['waiting'], 1)
  expect(await end).toBe('superseded')
  expect(send).toHaveBeenCalledTimes(2)
})
