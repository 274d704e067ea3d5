import { expect, test } from 'vitest'
import { gaveUpReason } from '../doors/reconnect.ts'
import { pageBanner } from './page-banner.ts'

const lost = { kind: 'lost', sinceMs: 1000, attempt: 3, nextMs: 0 } as const
const open = { kind: 'open', behindS: 0 } as const

test('a whole console has no banner, and neither has a break of a moment', () => {
  expect(pageBanner({ link: open, nowMs: 9000, missing: [] })).toBeUndefined()
  expect(pageBanner({ link: lost, nowMs: 2000, missing: [] })).toBeUndefined()
})

test('a lost connection is one banner, regardless of what it makes unavailable', () => {
  for (const link of [lost, { kind: 'gaveUp', sinceMs: 1000, reason: gaveUpReason } as const])
    for (const missing of [[], ['push'], ['push', 'channels']] as const)
      expect(pageBanner({ link, nowMs: 9000, missing })).toEqual({ kind: 'connection', link, missing })
  expect(pageBanner({ link: lost, nowMs: 1000, missing: ['push'] })).toMatchObject({ kind: 'connection' })
})

test('what is missing while the connection is open, or only just broke, is partial access', () => {
  for (const link of [open, lost])
    expect(pageBanner({ link, nowMs: 1000, missing: ['internet'] })).toEqual({
      kind: 'partial',
      missing: ['internet'],
    })
})

test('late live data are reported as long as they are late, before other missing data', () => {
  const late = { kind: 'open', behindS: 7 } as const
  for (const missing of [[], ['internet']] as const)
    expect(pageBanner({ link: late, nowMs: 1000, missing })).toEqual({ kind: 'behind', seconds: 7, missing })
})
