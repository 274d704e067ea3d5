import { expect, test } from 'vitest'
import { gaveUpReason } from '../doors/reconnect.ts'
import { missingNow } from './partial-access.ts'
import { type CallGroup, callGroupOf } from './refused-reads.ts'

const lost = (attempt: number) => ({ kind: 'lost', sinceMs: 0, attempt, nextMs: 0 }) as const
const whole = {
  link: { kind: 'open', behindS: 0 },
  configuration: { hasInternet: true },
  refused: new Set<CallGroup>(),
} as const

test('nothing is missing while push is connected and core answers', () => {
  expect(missingNow(whole)).toEqual([])
})

test('the push connection is missing once it failed three times, and when it gave up', () => {
  expect(missingNow({ ...whole, link: lost(2) })).toEqual([])
  expect(missingNow({ ...whole, link: lost(3) })).toEqual(['push'])
  expect(missingNow({ ...whole, link: { kind: 'gaveUp', sinceMs: 0, reason: gaveUpReason } })).toEqual([
    'push',
  ])
})

test('the internet and refused groups of calls are named', () => {
  const refused = new Set(['channels', 'alerts'] as const)
  expect(missingNow({ ...whole, configuration: { hasInternet: false }, refused })).toEqual([
    'internet',
    'channels',
    'alerts',
  ])
})

test('a call belongs to the group of its noun, regardless of its address', () => {
  const paths = [
    '/devices/fetch',
    '/v2/admin/units',
    '/v2/units/{id}/events',
    '/v2/alerts/active',
    '/groups/light_fetch',
  ]
  expect(paths.map(callGroupOf)).toEqual(['units', 'units', 'units', 'alerts', 'groups'])
  expect(callGroupOf('/userPreferences/vue')).toBe('others')
})
