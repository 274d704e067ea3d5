import { expect, test } from 'vitest'
import { isOver, transitionNow } from './transition-overlay.ts'

const asked = { transition: 'starting', sinceMs: 0 } as const

test('a pressed start shows until the unit streams or the watchdog gives up after 10 checks of 2 s', () => {
  expect(isOver(asked, { applications: {} }, 19_999)).toBe(false)
  expect(isOver(asked, { applications: { video: { state: 'connecting' } } }, 5000)).toBe(false)
  expect(isOver(asked, { applications: { video: { state: 'streaming' } } }, 5000)).toBe(true)
  expect(isOver(asked, { applications: {} }, 20_000)).toBe(true)
})

test('what core reports outranks what was pressed', () => {
  expect(transitionNow(asked, { transition: 'stopping' })).toBe('stopping')
  expect(transitionNow(asked, { transition: null })).toBe('starting')
  expect(transitionNow(undefined, { transition: null })).toBeNull()
})
