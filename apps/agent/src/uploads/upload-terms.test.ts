import { expect, test } from 'vitest'
import { uploadTerms } from './upload-terms.ts'

const ids = ['wwan0', 'eth0']
const own = { ranks: { wwan0: 1 }, limits: [{ links: ['wwan0'], kbps: 2000 }] }
const live = (isAtBest: boolean, wwan0 = 800) => ({
  isAtBest,
  links: [
    { id: 'wwan0', kbps: wwan0 },
    { id: 'eth0', kbps: 1500 },
  ],
})

test('a file has the settings of the links, and comes after a live picture', () => {
  expect(uploadTerms(own, ids, undefined)).toEqual({ ...own, isBackground: false })
  expect(uploadTerms(own, ids, live(true))).toEqual({
    ranks: own.ranks,
    limits: [{ links: ['wwan0'], kbps: 1200 }],
    isBackground: true,
  })
})

test('it stands back while the links carry less than the best picture, and keeps going', () => {
  expect(uploadTerms(own, ids, live(false, 2100))).toEqual({
    ranks: own.ranks,
    limits: [
      { links: ['wwan0'], kbps: 10 },
      { links: ids, kbps: 100 },
    ],
    isBackground: true,
  })
  expect(uploadTerms({ ranks: {}, limits: [] }, [], live(false)).limits).toEqual([])
})
