import { expect, test } from 'vitest'
import { pathAfterSignIn, safeNextPath } from './next-path.ts'

test('the requested path is kept, other sites and the login page are not', () => {
  expect(safeNextPath('/unit/u-1?tab=x#y')).toBe('/unit/u-1?tab=x#y')
  for (const bad of [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/a\nb',
    'https://evil.example',
    'javascript:alert(1)',
    '/login?next=/login',
    '/./login',
    '/login/openid',
    '//',
    '/\u0000',
    '',
    undefined,
    7,
  ])
    expect(safeNextPath(bad)).toBeUndefined()
})

test('a requested path is as explicit as a typed link', () => {
  expect(pathAfterSignIn('/unit/u-1?tab=x')).toBe('/unit/u-1?tab=x&ignoreRouteDefault=1')
  expect(pathAfterSignIn('/unit/list#top')).toBe('/unit/list?ignoreRouteDefault=1#top')
  expect(pathAfterSignIn('/#top')).toBe('/#top')
  expect(pathAfterSignIn('/')).toBe('/')
  expect(pathAfterSignIn('//evil.example')).toBe('/')
})
