import { bitrateLimits } from '@backhaul/contract/nouns/alerts'
import { expect, it } from 'vitest'
import { BitrateWatch, bitrateSeverity, type SendingTerms, type SentSecond } from './bitrate-watch.ts'

const thresholds = { warning: 30, critical: 60 }
const terms: SendingTerms = { transmissionId: 't-1', disabled: [], limits: [Infinity, 8000] }

/** So many seconds of so many kbit/s, or with more to be said of them. */
type Stretch = readonly [seconds: number, kbps: number, more?: Partial<SentSecond>]

/** What stands after each stretch: `-`, `warning` or `critical`. */
function play(stretches: readonly Stretch[], watch = new BitrateWatch(terms)): string {
  let nowMs = 1_000_000
  let stands: 'warning' | 'critical' | undefined
  return stretches
    .map(([seconds, kbps, more]) => {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1000
        const said = { kbps, transmits: true, isConnecting: false, hasLink: kbps > 0, nowMs, ...more }
        watch.add(said, stands !== undefined)
        const bitrate = watch.now(nowMs)
        stands = bitrate && bitrateSeverity(bitrate, stands, thresholds)
      }
      return stands ?? '-'
    })
    .join(' ')
}

const usual: Stretch = [60, 4000]
it.each<[string, readonly Stretch[], string]>([
  ['a drop of 60 % is critical at once', [usual, [1, 1600]], '- critical'],
  ['a drop of 30 % warns', [usual, [1, 2800]], '- warning'],
  ['a drop of 20 % is nothing', [usual, [60, 3200]], '- -'],
  ['an outage of ten minutes stands for ten minutes', [usual, [600, 0]], '- critical'],
  ['one at next to nothing stands as long', [usual, [600, 10]], '- critical'],
  ['half of the rate stands until it has recovered', [usual, [600, 1500], [1, 3900]], '- critical -'],
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
  ['and stays so', [[600, 0]], 'critical'],
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
    'fewer than 15 s say nothing about a mean',
    [
      [14, 4000],
      [1, 1000],
    ],
    '- -',
  ],
  [
    '15 s do',
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

it('takes a lower limit, a link switched off and another transmission for another beginning', () => {
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

it('does not take more for another beginning: a link switched on in an outage changes nothing', () => {
  const watch = new BitrateWatch({ ...terms, disabled: [2], limits: [5000, 5000] })
  expect(play([usual], watch)).toBe('-')
  watch.follow(terms)
  expect(play([[60, 1200]], watch)).toBe('critical')
})

it('knows after a restart what was usual before it', () => {
  expect(play([[60, 1000]], new BitrateWatch(terms, 4000))).toBe('critical')
})

it('says nothing while a unit is away, and does not count that time', () => {
  const watch = new BitrateWatch(terms)
  play([usual, [3, 0]], watch)
  watch.pause()
  expect(watch.now(2_000_000)).toBeUndefined()
  watch.add({ kbps: 0, transmits: true, isConnecting: false, hasLink: false, nowMs: 2_000_000 }, false)
  expect(watch.now(2_000_000)).toMatchObject({ isStarved: false, usualKbps: 4000 })
})

it('has a floor below what any encoder makes', () => {
  expect(bitrateLimits.floorKbps).toBeLessThan(250)
  expect(bitrateLimits.recoveredKbps).toBeLessThan(250)
})
