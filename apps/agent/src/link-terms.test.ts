import { expect, test } from 'vitest'
import { fileTerms, pictureTerms, tunnelTerms } from './link-terms.ts'

const ids = ['wwan0', 'eth0']
const own = { ranks: { wwan0: 1 }, limits: [{ links: ['wwan0'], kbps: 2000 }] }
const live = (isAtBest: boolean, wwan0 = 800) => ({
  isAtBest,
  links: [
    { id: 'wwan0', kbps: wwan0 },
    { id: 'eth0', kbps: 1500 },
  ],
})
const down = { ...own, isBackground: false }

test('a file has the settings of the links, and comes after a live picture', () => {
  expect(fileTerms(own, ids, undefined, [], [])).toEqual({ up: { ...own, isBackground: false }, down })
  expect(fileTerms(own, ids, live(true), [], [])).toEqual({
    up: { ranks: own.ranks, limits: [{ links: ['wwan0'], kbps: 1200 }], isBackground: true },
    down,
  })
})

test('it yields while the links carry less than the best picture, and continues slowly', () => {
  expect(fileTerms(own, ids, live(false, 2100), [], []).up).toEqual({
    ranks: own.ranks,
    limits: [
      { links: ['wwan0'], kbps: 10 },
      { links: ids, kbps: 100 },
    ],
    isBackground: true,
  })
  expect(fileTerms({ ranks: {}, limits: [] }, [], live(false), [], []).up.limits).toEqual([])
})

test('a file leaves the limits to a databridge and an IP pipe too', () => {
  const inTunnels = [
    { id: 'wwan0', kbps: 500 },
    { id: 'eth0', kbps: 900 },
  ]
  const limits = (before: ReturnType<typeof live> | undefined) =>
    fileTerms(own, ids, before, inTunnels, []).up.limits
  expect(limits(undefined)).toEqual([{ links: ['wwan0'], kbps: 1500 }])
  expect(limits(live(true))).toEqual([{ links: ['wwan0'], kbps: 700 }])
})

test('a tunnel gets what a picture leaves of the limits, which keeps a part free for it', () => {
  expect(tunnelTerms(own, undefined, [])).toEqual({ up: down, down })
  expect(tunnelTerms(own, live(true), []).up.limits).toEqual([{ links: ['wwan0'], kbps: 1200 }])
  expect(tunnelTerms(own, live(true, 1950), []).up.limits).toEqual([{ links: ['wwan0'], kbps: 100 }])
  expect(pictureTerms(own, false)).toEqual(own)
  expect(pictureTerms(own, true)).toEqual({ ...own, limits: [{ links: ['wwan0'], kbps: 1900 }] })
})

test('what servers send in tunnels and for files leaves the limits to the returned picture', () => {
  const returned = [{ id: 'wwan0', kbps: 1500 }]
  expect(tunnelTerms(own, live(true), returned).down.limits).toEqual([{ links: ['wwan0'], kbps: 500 }])
  expect(fileTerms(own, ids, undefined, [], returned).down.limits).toEqual([{ links: ['wwan0'], kbps: 500 }])
  expect(fileTerms(own, ids, undefined, [], [{ id: 'wwan0', kbps: 2100 }]).down.limits).toEqual([
    { links: ['wwan0'], kbps: 10 },
  ])
})
