import type { ClientNotification } from '@backhaul/contract/nouns/notifications'
import { expect, test } from 'vitest'
import { unreadAmong } from './notifications.ts'

const hourMs = 3_600_000
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const message = (id: string, hours: number): ClientNotification => ({
  id,
  body: id,
  expiration: new Date(nowMs + hours * hourMs).toISOString(),
  global: true,
  intervals: [24, 2],
  expiresWithin2Hours: hours <= 2,
  expiresWithin24Hours: hours <= 24,
})

test('a message is unread until it was read since it was brought up last', () => {
  const messages = [message('later', 48), message('today', 12), message('soon', 1), message('past', 0)]
  const unread = (read: Record<string, number>) => unreadAmong(messages, read, nowMs).map(({ id }) => id)
  expect(unread({})).toEqual(['later', 'today', 'soon'])
  expect(unread({ later: 1, today: 1, soon: 1 })).toEqual(['today', 'soon'])
  expect(unread({ later: 1, today: 2, soon: 2 })).toEqual(['soon'])
  expect(unread({ later: 1, today: 2, soon: 3 })).toEqual([])
})
