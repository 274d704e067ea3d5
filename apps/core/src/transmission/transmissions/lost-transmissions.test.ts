import { expect, it } from 'vitest'
import { abandonment, LOST_AFTER_MS } from './lost-transmissions.ts'

const t0 = 1_000_000

it.each([
  ['the unit is there', { unitIsThere: true, serverCollects: false }, t0 - LOST_AFTER_MS, undefined, false],
  ['the server collects', { unitIsThere: false, serverCollects: true }, t0 - LOST_AFTER_MS, undefined, false],
  ['both have just gone', { unitIsThere: false, serverCollects: false }, undefined, t0, false],
  [
    'both are gone a while',
    { unitIsThere: false, serverCollects: false },
    t0 - LOST_AFTER_MS + 1,
    t0 - LOST_AFTER_MS + 1,
    false,
  ],
  [
    'both are gone for 60 s',
    { unitIsThere: false, serverCollects: false },
    t0 - LOST_AFTER_MS,
    t0 - LOST_AFTER_MS,
    true,
  ],
])('%s', (_, carriers, before, sinceMs, isLost) => {
  expect(abandonment(carriers, before, t0)).toEqual({ sinceMs, isLost })
})
