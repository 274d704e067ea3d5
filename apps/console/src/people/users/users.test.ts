import { users } from '@backhaul/contract/api/users'
import { User } from '@backhaul/contract/nouns/users'
import { expect, test } from 'vitest'
import { textFilter } from '../../ui/text-filter.ts'
import { readOnlyFor, searched } from './users.ts'

const nora = User.parse(users.one.example)

test('a user is found by any of their names, their address, label and type', () => {
  for (const text of ['NORA', 'nora lind', 'north.example', 'duty', 'admin', ' '])
    expect([text, textFilter(text, searched)?.(nora) ?? true]).toEqual([text, true])
  expect(textFilter('sam', searched)?.(nora)).toBe(false)
})

test('an enterprise user is shown only, and so is one who may do more', () => {
  expect(readOnlyFor(['luc_admin'], nora)).toBeUndefined()
  expect(readOnlyFor(['super_user'], { ...nora, SSO: true })).toBe('enterprise')
  expect(readOnlyFor(['luc_admin'], { ...nora, roles: ['super_user'] })).toBe('rights')
})
