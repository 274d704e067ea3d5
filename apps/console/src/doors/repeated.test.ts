import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeated } from './repeated.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Fails so often, then answers. */
function failing(times: number) {
  const at: number[] = []
  const startMs = Date.now()
  const run = async () => {
    at.push(Date.now() - startMs)
    if (at.length <= times) throw new Error('not ready')
    return 'ready'
  }
  return { run, at }
}

test('[LIVE-007] is tried five more times, one every 1000 ms', async () => {
  const { run, at } = failing(5)
  const end = repeated(run, () => true)
  await vi.advanceTimersByTimeAsync(5000)
  expect(await end).toBe('ready')
  expect(at).toEqual([0, 1000, 2000, 3000, 4000, 5000])
})

test('[LIVE-007] ends after the last one, and at once with a failure that is not worth it', async () => {
  const { run, at } = failing(6)
  const end = expect(repeated(run, () => true)).rejects.toThrow('not ready')
  await vi.advanceTimersByTimeAsync(60_000)
  await end
  expect(at).toHaveLength(6)
  const other = failing(1)
  await expect(repeated(other.run, () => false)).rejects.toThrow('not ready')
  expect(other.at).toEqual([0])
})
