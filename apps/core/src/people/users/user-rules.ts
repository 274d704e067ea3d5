// Rules of users, pure: the result of a change, when the password expires, and which rights a caller may give.
import { type FieldFault, fault, NotAllowed } from '@backhaul/contract/define/errors'
import { type Role, roleOfUserType } from '@backhaul/contract/define/roles'
import { mayAdminister, mayGiveOda } from '@backhaul/contract/nouns/granting'
import {
  type Consent,
  consents,
  type OwnUserChange,
  type PasswordExpirationPolicy,
  type UserChange,
} from '@backhaul/contract/nouns/users'
import type { StoredUser } from './user-table.ts'

const dayMs = 86_400_000

/**
 * Enterprise users are managed by their IT administrator alone (RO-PERM-32, GAP-USER-01). Whether one of them may sign
 * in here is not such a field: the customer can shut them out immediately, without the provider.
 */
export function requireManaged(user: StoredUser, change: UserChange = {}): void {
  const names = Object.keys(change)
  const isOnlyAccess = names.length === 1 && names[0] === 'active'
  if (user.SSO && !isOnlyAccess) throw new NotAllowed('user.managedElsewhere')
}

/** Consents are decided by the user alone, enterprise users as well (GAP-USER-03); the rest of their data is managed. */
export function requireOwn(user: StoredUser, { updateConsent: _, ...managed }: OwnUserChange): void {
  if (Object.keys(managed).length > 0) requireManaged(user)
}

/** A caller cannot give a right that they do not have. */
export function requireGiveable(own: readonly Role[], wanted: UserChange, present?: StoredUser): void {
  const faults: FieldFault[] = []
  if (wanted.userType && !mayAdminister(own, [roleOfUserType[wanted.userType]]))
    faults.push(fault('userType', 'role.notAllowed'))
  if (wanted.roles && !mayAdminister(own, wanted.roles)) faults.push(fault('roles', 'role.notAllowed'))
  if (wanted.ODA !== undefined && wanted.ODA !== (present?.ODA ?? false) && !mayGiveOda(own))
    faults.push(fault('ODA', 'role.notAllowed'))
  if (faults.length > 0) throw new NotAllowed('role.notAllowed', faults)
}

/** The one that the type gives and the extra ones. Enterprise users may have none at all, which only their provider changes. */
function changedRoles(user: StoredUser, { userType, roles }: UserChange): Role[] {
  if (userType === undefined && roles === undefined) return user.roles
  const extra = roles ?? user.roles.filter((role) => role !== roleOfUserType[user.userType])
  return [...new Set([roleOfUserType[userType ?? user.userType], ...extra])]
}

/** The user with the named fields changed. */
export function applied(user: StoredUser, change: UserChange): StoredUser {
  const next = {
    firstName: change.firstName ?? user.firstName,
    lastName: change.lastName ?? user.lastName,
    email: change.email ?? user.email,
    phone: change.phone ?? user.phone,
  }
  return {
    ...user,
    ...next,
    contact: next,
    userType: change.userType ?? user.userType,
    roles: changedRoles(user, change),
    label: change.label ?? user.label,
    active: change.active ?? user.active,
    ODA: change.ODA ?? user.ODA,
    services: change.services ?? user.services,
    passwordExpirationPolicy: change.passwordExpirationPolicy ?? user.passwordExpirationPolicy,
  }
}

/** The same by the user themselves. A consent has the date when it was given or withdrawn, not when it was repeated. */
export function appliedOwn(
  user: StoredUser,
  { updateConsent = {}, ...change }: OwnUserChange,
  nowMs: number,
): StoredUser {
  const changed = consents.flatMap((name): [Consent, boolean][] => {
    const isGiven = updateConsent[name]
    return isGiven === undefined || isGiven === user.updateConsent[name] ? [] : [[name, isGiven]]
  })
  const date = new Date(nowMs).toISOString()
  return {
    ...applied(user, change),
    updateConsent: { ...user.updateConsent, ...Object.fromEntries(changed) },
    updateConsentDates: {
      ...user.updateConsentDates,
      ...Object.fromEntries(changed.map(([name]) => [name, date])),
    },
  }
}

export const newUser: StoredUser = {
  id: '',
  username: '',
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  label: '',
  contact: { email: '', phone: '', firstName: '', lastName: '' },
  userType: 'regular',
  roles: ['luc_regular'],
  active: true,
  SSO: false,
  ODA: false,
  passwordExpirationPolicy: 'never',
  passwordExpirationDate: null,
  updateConsent: {},
  updateConsentDates: {},
  services: [],
  passwordHash: '',
  passwordChangedMs: 0,
  passwordExpiresMs: null,
}

export const expiryOf = (policy: PasswordExpirationPolicy, changedMs: number): number | null =>
  policy === 'never' ? null : changedMs + Number(policy) * dayMs
