import type { Role } from '@backhaul/contract/define/roles'
import { expect, test } from 'vitest'
import type { Guard } from '../kit/screen.ts'
import { coldStartPath, judge } from './routes.ts'
import { isUnsavedPath } from './special-pages.ts'

const typed = (pathname: string) => ({ pathname, href: pathname })
const arrival = { ignoreRouteDefault: false, guard: 'adminSet' } as const

test('a cold start goes to what was typed, and without a path to the saved route', () => {
  expect(coldStartPath(typed('/unit/stories'), '/unit/files')).toBe('/unit/stories')
  expect(coldStartPath(typed('/'), '/unit/files')).toBe('/unit/files')
  expect(coldStartPath(typed('/'), null)).toBe('/unit/list')
  expect(coldStartPath(typed('/error'), '/unit/files')).toBe('/error')
})

test('a missing role leads to the unit list, with ignoreRouteDefault to the forbidden text', () => {
  expect(judge({ ...arrival, roles: ['luc_admin'] })).toBe('open')
  expect(judge({ ...arrival, roles: ['luc_regular'] })).toBe('home')
  expect(judge({ ...arrival, roles: ['luc_regular'], ignoreRouteDefault: true })).toBe('forbidden')
})

test('people without any role of this application see the unauthorized page', () => {
  expect(judge({ ...arrival, roles: [] })).toBe('unauthorized')
  expect(judge({ ...arrival, roles: ['luc_vr_viewer'] })).toBe('unauthorized')
  expect(judge({ ...arrival, roles: ['luc_multipoint', 'luc_admin'] })).toBe('open')
})

test('a studio is at home on /easy_live alone, and special roles there are none of its business', () => {
  const at = (guard: Guard, ...roles: Role[]) => judge({ ignoreRouteDefault: true, guard, roles })
  expect(at('studio', 'luc_studio')).toBe('open')
  expect(at('everyone', 'luc_studio')).toBe('studio')
  expect(at('psg', 'luc_studio', 'luc_curator')).toBe('studio')
  expect(at('studio', 'luc_curator')).toBe('unauthorized')
  expect([at('studio', 'luc_studio', 'luc_read'), at('everyone', 'luc_studio', 'luc_read')]).toEqual([
    'open',
    'open',
  ])
  expect(judge({ ignoreRouteDefault: false, guard: 'studio', roles: ['super_user'] })).toBe('home')
})

test('error, unauthorized and portal routes are never saved', () => {
  expect(['/error', '/unauthorized_user', '/customer_portal', '/unit/list'].map(isUnsavedPath)).toEqual([
    true,
    true,
    true,
    false,
  ])
})
