import { expect, test } from 'vitest'
import { Role, UserType } from './role-schemas.ts'
import {
  adminGroup,
  adminSet,
  isStudioOnly,
  isUnauthorized,
  redirectedRoles,
  regularSet,
  roleOfUserType,
} from './roles.ts'

const userTypes = {
  superuser: 'super_user',
  'media group admin': 'luc_media_group_admin',
  admin: 'luc_admin',
  regular: 'luc_regular',
  'read only': 'luc_read',
  application: 'luc_application',
  curator: 'luc_curator',
  multipoint: 'luc_multipoint',
  'unit control': 'luc_unit_control',
  contractor: 'luc_contractor',
  'video return viewer': 'luc_vr_viewer',
  partner: 'luc_partner',
  freelancer: 'luc_freelancer',
  studio: 'luc_studio',
  ingest: 'luc_ingest',
} as const

test('[ACCESS-001] fifteen user types give one role each, and staff is the sixteenth role', () => {
  expect(roleOfUserType).toEqual(userTypes)
  expect(UserType.options.toSorted()).toEqual(Object.keys(userTypes).toSorted())
  expect(Role.options.toSorted()).toEqual(['staff', ...Object.values(userTypes)].toSorted())
  expect(Role.options).toHaveLength(16)
})

test('[ACCESS-002] the sets of roles hold exactly their members', () => {
  const five = ['luc_admin', 'luc_contractor', 'luc_media_group_admin', 'luc_partner', 'super_user']
  expect(adminGroup.toSorted()).toEqual(five)
  expect(adminSet.toSorted()).toEqual([...five, 'luc_multipoint'].toSorted())
  const special = 'application curator freelancer ingest multipoint studio unit_control vr_viewer'
  expect(redirectedRoles.toSorted()).toEqual(special.split(' ').map((name) => `luc_${name}`))
  expect(regularSet.toSorted()).toEqual(
    [...five, 'luc_multipoint', 'luc_read', 'luc_regular', 'staff'].toSorted(),
  )
})

test('users with redirected roles alone are redirected, and a studio among them has its own page', () => {
  const redirected = Role.options.filter((role) => isUnauthorized([role]))
  expect(redirected.toSorted()).toEqual(redirectedRoles.toSorted())
  expect(Role.options.filter((role) => isStudioOnly([role]))).toEqual(['luc_studio'])
  expect(isStudioOnly(['luc_studio', 'luc_curator'])).toBe(true)
  expect(isStudioOnly(['luc_studio', 'luc_read'])).toBe(false)
  expect(isUnauthorized(['luc_multipoint', 'luc_admin'])).toBe(false)
})
