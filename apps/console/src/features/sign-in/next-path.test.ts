import { expect, test } from 'vitest'
import { safeNextPath } from './next-path.ts'

test('the asked path is kept, other sites and the login page are not', () => {
  expect(safeNextPath('/unit/u-1?tab=x')).toBe('/unit/u-1?tab=x')
  for (const bad of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/login?next=/login',
    undefined,
    7,
  ])
    expect(safeNextPath(bad)).toBeUndefined()
})
