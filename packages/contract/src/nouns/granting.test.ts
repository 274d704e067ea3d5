import { expect, test } from 'vitest'
import { rolesOfAction } from '../define/actions.ts'
import { Role, UserType } from '../define/role-schemas.ts'
import { roleOfUserType } from '../define/roles.ts'
import {
  giveableKeyRoles,
  giveableUserTypes,
  mayAdminister,
  mayGiveOda,
  mayGiveRole,
  rolesOfKey,
} from './granting.ts'

const special = [
  ...(['read only', 'application', 'curator', 'multipoint', 'unit control'] as const),
  ...(['video return viewer', 'freelancer', 'studio', 'ingest'] as const),
]

test('a super user gives every user type', () => {
  expect(giveableUserTypes(['super_user'])).toEqual(UserType.options)
})

test.for([
  ['luc_admin', ['admin', 'regular', ...special]],
  ['luc_media_group_admin', ['media group admin', 'regular', ...special]],
  ['luc_contractor', ['contractor', ...special]],
  ['luc_partner', ['partner', ...special]],
] as const)('%s gives no user type that may do more', ([role, types]) => {
  expect(giveableUserTypes([role]).toSorted()).toEqual([...types].toSorted())
})

test('no role that is given includes an action that the giver lacks', () => {
  for (const own of Role.options.filter((role) => role !== 'super_user')) {
    for (const given of Role.options.filter((role) => mayGiveRole([own], role))) {
      for (const roles of Object.values(rolesOfAction) as (readonly Role[])[]) {
        if (roles.includes(given)) expect([own, given, roles.includes(own)]).toEqual([own, given, true])
      }
    }
  }
})

test('several roles add up, and every role of a user counts', () => {
  expect(mayGiveRole(['luc_admin', 'luc_media_group_admin'], 'luc_admin')).toBe(true)
  expect(mayAdminister(['luc_admin'], ['luc_regular', 'luc_studio'])).toBe(true)
  expect(mayAdminister(['luc_admin'], ['luc_regular', 'super_user'])).toBe(false)
})

test('each user type gives its own role, and staff comes from none', () => {
  expect(new Set(Object.values(roleOfUserType)).size).toBe(UserType.options.length)
  expect(Role.options).toHaveLength(16)
  expect(UserType.options).toHaveLength(15)
  expect(Object.values(roleOfUserType)).not.toContain('staff')
})

test('on-demand licence activation is given by administrators of a customer and super users', () => {
  expect(Role.options.filter((role) => mayGiveOda([role]))).toEqual(['super_user', 'luc_admin'])
})

test('an API key never acts beyond its role or its maker', () => {
  for (const maker of Role.options) {
    for (const key of Role.options) {
      const acts = rolesOfKey([maker], key)
      for (const roles of Object.values(rolesOfAction) as (readonly Role[])[]) {
        const mayKey = acts.some((role) => roles.includes(role))
        const mayBoth = roles.includes(key) && roles.includes(maker)
        expect([maker, key, mayKey && !mayBoth && maker !== 'super_user']).toEqual([maker, key, false])
        if (mayKey) expect(roles).toContain(key)
      }
    }
  }
})

test('an API key keeps its role while its maker may give it, and is never one of the vendor', () => {
  expect(rolesOfKey(['luc_admin'], 'luc_regular')).toEqual(['luc_regular'])
  expect(rolesOfKey(['luc_read'], 'luc_regular')).toEqual(['luc_read'])
  expect(rolesOfKey(['luc_regular'], 'luc_read')).toEqual(['luc_read'])
  expect(rolesOfKey(['luc_ingest'], 'luc_admin')).toEqual(['luc_ingest'])
  expect(rolesOfKey(['super_user'], 'super_user')).toEqual([])
  expect(giveableKeyRoles(['super_user'])).toEqual(Role.options.filter((role) => role !== 'super_user'))
})
