/** The roles that a user may give: users cannot give rights that they do not have. */
import { rolesOfAction } from '../define/actions.ts'
import { Role, UserType } from '../define/role-schemas.ts'
import { roleOfUserType } from '../define/roles.ts'

/** Rights of the matrix that are pages or permissions rather than calls on units. */
const otherRights: Readonly<Record<string, readonly Role[]>> = {
  shares: ['super_user', 'luc_media_group_admin'],
  contractorPages: ['luc_contractor'],
  supportPages: ['luc_partner'],
}

const rolesOfRight: readonly (readonly Role[])[] = [
  ...Object.values(rolesOfAction),
  ...Object.values(otherRights),
]

/** True when `own` allows everything that `given` allows. A super user serves every customer and gives any role. */
export function mayGiveRole(own: readonly Role[], given: Role): boolean {
  if (own.includes('super_user')) return true
  if (given === 'super_user') return false
  return rolesOfRight.every((roles) => !roles.includes(given) || own.some((role) => roles.includes(role)))
}

/** User types that holders of `own` may give (GAP-ROLE-10: each gives one main role). */
export const giveableUserTypes = (own: readonly Role[]): UserType[] =>
  UserType.options.filter((userType) => mayGiveRole(own, roleOfUserType[userType]))

/** Callers may change, remove or give a new password to those users only who have at most the caller's rights. */
export const mayAdminister = (own: readonly Role[], theirs: readonly Role[]): boolean =>
  theirs.every((role) => mayGiveRole(own, role))

/** Roles that holders of `own` may give an API key. */
export const giveableKeyRoles = (own: readonly Role[]): Role[] =>
  Role.options.filter((role) => role !== 'super_user' && mayGiveRole(own, role))

/**
 * The present roles of an API key: its role while its maker may still give that, else those of the maker's roles that
 * are within it. Each returned role allows nothing beyond the key's and nothing beyond the maker's.
 */
export function rolesOfKey(makers: readonly Role[], role: Role): Role[] {
  if (role === 'super_user') return []
  return mayGiveRole(makers, role) ? [role] : makers.filter((own) => mayGiveRole([role], own))
}

/** The flag for on-demand licence activation is given by these alone (GAP-ROLE-09). */
export const mayGiveOda = (own: readonly Role[]): boolean =>
  own.includes('super_user') || own.includes('luc_admin')
