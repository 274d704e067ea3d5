import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLateSaver } from './late-saver.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('changes of a second are saved together, the last value of each', () => {
  const save = vi.fn(() => Promise.resolve())
  const saver = createLateSaver(save)
  saver.add({ leftPanelWidth: 1 })
  vi.advanceTimersByTime(900)
  saver.add({ leftPanelWidth: 2, unitListExpanded: false })
  vi.advanceTimersByTime(900)
  expect(save).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(save.mock.calls).toEqual([[{ leftPanelWidth: 2, unitListExpanded: false }]])
})

test('a failed save is tried again and never overwrites a newer change', async () => {
  const save = vi
    .fn<() => Promise<unknown>>()
    .mockRejectedValueOnce(new Error('down'))
    .mockResolvedValue(undefined)
  const saver = createLateSaver(save)
  saver.add({ leftPanelWidth: 1, unitListExpanded: true })
  saver.flush()
  saver.add({ leftPanelWidth: 2 })
  await vi.advanceTimersByTimeAsync(16_000)
  expect(save).toHaveBeenLastCalledWith({ leftPanelWidth: 2, unitListExpanded: true })
})

test('a save waits for the one before it, unless the page goes away', async () => {
  const first = Promise.withResolvers<void>()
  const save = vi.fn<() => Promise<unknown>>().mockReturnValueOnce(first.promise).mockResolvedValue(undefined)
  const saver = createLateSaver(save)
  saver.add({ currentRoute: '/unit/list' })
  saver.flush()
  saver.add({ currentRoute: '/unit/files' })
  saver.flush()
  await vi.advanceTimersByTimeAsync(2000)
  expect(save).toHaveBeenCalledTimes(1)
  first.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(save.mock.calls).toEqual([[{ currentRoute: '/unit/list' }], [{ currentRoute: '/unit/files' }]])

  save.mockReturnValueOnce(new Promise(() => {}))
  saver.add({ leftPanelWidth: 1 })
  saver.flush()
  saver.add({ leftPanelWidth: 2 })
  expect(saver.leave()).toEqual({ leftPanelWidth: 2 })
  expect(save).toHaveBeenLastCalledWith({ leftPanelWidth: 2 })
})

test('a page that goes away knows what core has not confirmed, and nothing once it has', async () => {
  const first = Promise.withResolvers<void>()
  const saver = createLateSaver(() => first.promise)
  saver.add({ currentRoute: '/unit/list' })
  saver.flush()
  saver.add({ leftPanelWidth: 1 })
  expect(saver.leave()).toEqual({ currentRoute: '/unit/list', leftPanelWidth: 1 })
  first.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(saver.leave()).toEqual({})
})
