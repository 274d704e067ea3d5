/** Roles, role sets and user types (RO-ROLE, RO-SET, RO-UTYPE rows); their schemas are in role-schemas.ts. */

export const roles = [
  'super_user',
  'luc_admin',
  'luc_media_group_admin',
  'luc_regular',
  'luc_read',
  'luc_application',
  'luc_curator',
  'luc_multipoint',
  'luc_contractor',
  'luc_vr_viewer',
  'luc_partner',
  'luc_unit_control',
  'staff',
  'luc_freelancer',
  'luc_ingest',
  'luc_studio',
] as const
export type Role = (typeof roles)[number]

export const adminGroup: readonly Role[] = [
  'super_user',
  'luc_admin',
  'luc_media_group_admin',
  'luc_contractor',
  'luc_partner',
]

export const adminSet: readonly Role[] = [
  'super_user',
  'luc_admin',
  'luc_contractor',
  'luc_multipoint',
  'luc_partner',
  'luc_media_group_admin',
]

/** Roles that are sent to the unauthorized page when the user holds no other (RO-SET-12 to -19, GAP-ROLE-03). */
export const redirectedRoles: readonly Role[] = [
  'luc_curator',
  'luc_multipoint',
  'luc_vr_viewer',
  'luc_unit_control',
  'luc_freelancer',
  'luc_ingest',
  'luc_studio',
  'luc_application',
]

/** The regular role set of the /error guard (GAP-ROLE-04). */
export const regularSet: readonly Role[] = [
  ...new Set<Role>(['luc_regular', 'luc_read', 'staff', ...adminGroup, ...adminSet]),
]

export const holdsAny = (roles: readonly Role[], wanted: readonly Role[]): boolean =>
  roles.some((role) => wanted.includes(role))

/** Apply and OK need this (GAP-ROLE-07). */
export const hasRegularRole = (roles: readonly Role[]): boolean =>
  holdsAny(roles, ['luc_regular', ...adminGroup]) ||
  holdsAny(
    roles.filter((role) => role !== 'luc_multipoint'),
    adminSet,
  )

/** True when the user holds no role at all or only redirected ones (GAP-ROLE-06). */
export const isUnauthorized = (roles: readonly Role[]): boolean =>
  roles.every((role) => redirectedRoles.includes(role))

/** Holds the studio-type role and none outside the redirected list: at home on /easy_live alone (GAP-ROLE-05). */
export const isStudioOnly = (roles: readonly Role[]): boolean =>
  isUnauthorized(roles) && roles.includes('luc_studio')

export const userTypes = [
  'superuser',
  'media group admin',
  'admin',
  'regular',
  'read only',
  'application',
  'curator',
  'multipoint',
  'unit control',
  'contractor',
  'video return viewer',
  'partner',
  'freelancer',
  'studio',
  'ingest',
] as const
export type UserType = (typeof userTypes)[number]

/** The main role that a user type gives (RO-UTYPE rows). */
export const roleOfUserType: Readonly<Record<UserType, Role>> = {
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
}
