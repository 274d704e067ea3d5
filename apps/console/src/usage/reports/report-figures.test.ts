import { expect, test } from 'vitest'
import { gigabytesText, hoursText } from './report-figures.ts'

test('hours continue beyond a day and parts of a second are left out', () => {
  expect([0, 999, 61_000, 90_061_999].map(hoursText)).toEqual([
    '00:00:00',
    '00:00:00',
    '00:01:01',
    '25:01:01',
  ])
})

test('small amounts keep their megabytes, and what was not measured is not shown as nothing', () => {
  expect([0, 22_500_000, 12_345_000_000, null].map(gigabytesText)).toEqual(['0.000', '0.023', '12.3', '—'])
})
