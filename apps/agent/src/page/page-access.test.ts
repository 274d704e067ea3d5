import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { createPageAccess } from './page-access.ts'

const password = 'crew-of-van-1'
const ticketIn = (entered: ReturnType<ReturnType<typeof createPageAccess>['enter']>) =>
  typeof entered === 'string' ? entered : (entered.cookie.split(';')[0] ?? '')

test('without a password the page is for names of this machine alone', () => {
  const access = createPageAccess(undefined, createTestClock())
  for (const host of ['127.0.0.1:8090', 'localhost', '127.0.0.5:80'])
    expect(access.isAllowed({ host })).toBe(true)
  for (const host of ['van.example:8090', '127.0.0.1.example', 'localhost.example:8090', '10.0.0.5', ''])
    expect(access.isAllowed({ host }), host).toBe(false)
  expect(access.isAllowed({})).toBe(false)
})

test('the right password gives a cookie, which is still valid after a restart and not for another password', () => {
  const access = createPageAccess(password, createTestClock())
  const host = '127.0.0.1:8090'
  expect(access.isAllowed({ host })).toBe(false)
  expect(access.enter('crew-of-van-2', '10.0.0.9')).toBe('wrong')
  expect(access.enter('', '10.0.0.9')).toBe('wrong')
  const entered = access.enter(password, '10.0.0.9')
  expect(entered).toMatchObject({
    cookie: expect.stringMatching(/; HttpOnly; SameSite=Strict; Max-Age=\d+$/),
  })
  const cookie = ticketIn(entered)
  expect(cookie).not.toContain(password)
  expect(access.isAllowed({ host, cookie: `other=1; ${cookie}; more=2` })).toBe(true)
  expect(createPageAccess(password, createTestClock()).isAllowed({ host, cookie })).toBe(true)
  expect(createPageAccess('crew-of-van-2', createTestClock()).isAllowed({ host, cookie })).toBe(false)
  for (const wrong of [`${cookie}x`, cookie.slice(0, -1), cookie.replace('=', 'x='), ''])
    expect(access.isAllowed({ host, cookie: wrong })).toBe(false)
})

test('after five wrong passwords an address has to wait, even with the right one, and others have not', () => {
  const clock = createTestClock()
  const access = createPageAccess(password, clock)
  for (let at = 0; at < 5; at++) expect(access.enter('guess', '10.0.0.9')).toBe('wrong')
  expect(access.enter(password, '10.0.0.9')).toBe('later')
  expect(ticketIn(access.enter(password, '10.0.0.8'))).toContain('=')
  clock.advance(60_000)
  expect(ticketIn(access.enter(password, '10.0.0.9'))).toContain('=')
})
