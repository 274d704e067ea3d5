import { bitrateLimits } from '@backhaul/contract/nouns/alerts'
import { expect, it } from 'vitest'
import { BitrateWatch, bitrateSeverity, type SendingTerms, type SentSecond } from './bitrate-watch.ts'

const thresholds = { warning: 30, critical: 60 }
const terms: SendingTerms = { transmissionId: 't-1', disabled: [], limits: [Infinity, 8000] }

/** A number of seconds of a number of kbit/s, or with further fields. */
type Stretch = readonly [seconds: number, kbps: number, more?: Partial<SentSecond>]

/** The active alert after each stretch: `-`, `warning` or `critical`. */
function play(stretches: readonly Stretch[], watch = new BitrateWatch(terms)): string {
  let nowMs = 1_000_000
  let active: 'warning' | 'critical' | undefined
  return stretches
    .map(([seconds, kbps, more]) => {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1000
        const second = { kbps, transmits: true, isConnecting: false, hasLink: kbps > 0, nowMs, ...more }
        watch.add(second, active !== undefined)
        const bitrate = watch.now(nowMs)
        active = bitrate && bitrateSeverity(bitrate, active, thresholds)
      }
      return active ?? '-'
    })
    .join(' ')
}

const usual: Stretch = [60, 4000]
it.each<[string, readonly Stretch[], string]>([
  ['a drop of 60 % is critical at once', [usual, [1, 1600]], '- critical'],
  ['a drop of 30 % warns', [usual, [1, 2800]], '- warning'],
  ['a drop of 20 % is nothing', [usual, [60, 3200]], '- -'],
  ['an outage of ten minutes is an alert for ten minutes', [usual, [600, 0]], '- critical'],
  ['one at next to nothing lasts as long', [usual, [600, 10]], '- critical'],
  ['half of the rate is an alert until it has recovered', [usual, [600, 1500], [1, 3900]], '- critical -'],
  [
    'a rate that comes back halfway is still half of what it was',
    [usual, [90, 0], [60, 2200]],
    '- critical warning',
  ],
  ['a rate just above the threshold does not clear it', [usual, [5, 2700], [60, 2900]], '- warning warning'],
  ['one well above does', [usual, [5, 2700], [1, 3100]], '- warning -'],
  [
    'what came after an alert is compared with what was before it',
    [usual, [90, 0], [1, 4000], [1, 1500]],
    '- critical - critical',
  ],
  [
    'a transmission that begins with nothing is critical after 5 s',
    [
      [5, 0],
      [1, 0],
    ],
    '- critical',
  ],
  ['and remains so', [[600, 0]], 'critical'],
  [
    'and clears when it carries a picture',
    [
      [30, 0],
      [1, 150],
      [1, 600],
    ],
    'critical critical -',
  ],
  [
    'a slow climb from there is no drop',
    [
      [30, 0],
      [20, 600],
      [20, 1200],
      [20, 2400],
    ],
    'critical - - -',
  ],
  [
    'fewer than 15 s are not enough for a mean',
    [
      [14, 4000],
      [1, 1000],
    ],
    '- -',
  ],
  [
    '15 s are enough',
    [
      [15, 4000],
      [1, 1000],
    ],
    '- critical',
  ],
  ['connecting over links that are up may take 15 s', [[15, 0, { isConnecting: true, hasLink: true }]], '-'],
  ['and no longer', [[16, 0, { isConnecting: true, hasLink: true }]], 'critical'],
  ['connecting without a link may take 5 s', [[6, 0, { isConnecting: true }]], 'critical'],
  [
    'a transmission that has just connected has 5 s to carry something',
    [
      [12, 0, { isConnecting: true, hasLink: true }],
      [5, 20],
      [1, 20],
    ],
    '- - critical',
  ],
  ['a unit that only stores sends nothing', [[60, 8, { transmits: false }]], '-'],
  [
    'a speed test is judged by its drop alone',
    [
      [20, 9000, { transmits: false }],
      [1, 0, { transmits: false }],
    ],
    '- critical',
  ],
])('%s', (_, stretches, expected) => {
  expect(play(stretches)).toBe(expected)
})

it('starts again at a lower limit, a link switched off and another transmission', () => {
  const lowered = [
    { ...terms, limits: [2000, 8000] },
    { ...terms, disabled: [2] },
    { ...terms, transmissionId: 't-2' },
  ]
  for (const now of lowered) {
    const watch = new BitrateWatch(terms)
    expect(play([usual], watch)).toBe('-')
    watch.follow(now)
    expect(play([[60, 1200]], watch), JSON.stringify(now)).toBe('-')
  }
})

it('does not start again for more capacity: a link switched on in an outage changes nothing', () => {
  const watch = new BitrateWatch({ ...terms, disabled: [2], limits: [5000, 5000] })
  expect(play([usual], watch)).toBe('-')
  watch.follow(terms)
  expect(play([[60, 1200]], watch)).toBe('critical')
})

it('keeps the usual bit rate over a restart', () => {
  expect(play([[60, 1000]], new BitrateWatch(terms, 4000))).toBe('critical')
})

it('has no result while a unit is offline, and does not count that time', () => {
  const watch = new BitrateWatch(terms)
  play([usual, [3, 0]], watch)
  watch.pause()
  expect(watch.now(2_000_000)).toBeUndefined()
  watch.add({ kbps: 0, transmits: true, isConnecting: false, hasLink: false, nowMs: 2_000_000 }, false)
  expect(watch.now(2_000_000)).toMatchObject({ isStarved: false, usualKbps: 4000 })
})

it('has a floor below the rate of any encoder', () => {
  expect(bitrateLimits.floorKbps).toBeLessThan(250)
  expect(bitrateLimits.recoveredKbps).toBeLessThan(250)
})
