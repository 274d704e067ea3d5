import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPassedOver } from './passed-over.ts'

const reread = vi.fn<(uid: string) => void>()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  reread.mockClear()
})

test('[STREAM-002] [STREAM-006] [CHAN-014] [LIVE-007] exactly one status after a point-to-multipoint selection is ignored for the selection', () => {
  const passedOver = createPassedOver(reread)
  const change = { selectedChannels: ['a'], ptmpChannel: 'a', channelId: null, state: 'idle' }
  passedOver.mark('u-1')
  expect(passedOver.of('u-1', 'command', change)).toEqual(change)
  expect(passedOver.of('u-2', 'unitStatus', change)).toEqual(change)
  expect(passedOver.of('u-1', 'unitStatus', change)).toEqual({ state: 'idle' })
  expect(passedOver.of('u-1', 'unitStatus', change)).toEqual(change)
})

test('[STREAM-002] [STREAM-006] [LIVE-007] a mark is worth nothing after 5 s, and the unit is read again then', () => {
  const passedOver = createPassedOver(reread)
  passedOver.mark('u-1')
  vi.advanceTimersByTime(4999)
  expect(reread).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(reread.mock.calls).toEqual([['u-1']])
  expect(passedOver.of('u-1', 'unitStatus', { state: 'idle', channelId: 'b' })).toEqual({
    state: 'idle',
    channelId: 'b',
  })
  passedOver.mark('u-2')
  passedOver.forget('u-2')
  vi.advanceTimersByTime(6000)
  expect(reread).toHaveBeenCalledTimes(1)
})
