import { expect, test } from 'vitest'
import { KeySchedule, keyEndsMs } from './registration-keys.ts'

test('a key is valid for as long as the schedule of its group sets', () => {
  const made = Date.UTC(2026, 1, 1)
  const days = (schedule: KeySchedule) => {
    const ends = keyEndsMs(schedule, made)
    return ends === undefined ? null : (ends - made) / 86_400_000
  }
  expect(KeySchedule.options.map(days)).toEqual([null, 1, 7, 30])
})
