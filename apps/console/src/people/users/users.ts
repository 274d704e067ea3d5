// The users of the customers that the user administers, as the users screen shows and changes them.

import { groups } from '@backhaul/contract/api/groups'
import { secondFactors } from '@backhaul/contract/api/second-factors'
import { users } from '@backhaul/contract/api/users'
import type { CallInput } from '@backhaul/contract/define/client'
import type { Role } from '@backhaul/contract/define/roles'
import { mayAdminister } from '@backhaul/contract/nouns/granting'
import type { Consent, User } from '@backhaul/contract/nouns/users'
import type { TFunction } from 'i18next'
import { call, type Fault } from '../../doors/api.ts'
import { useRead } from '../../doors/reads.ts'
import { createList } from '../../kit/lists.ts'
import { readConfigurationAgain, signedIn } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { compareTexts, shortDate } from '../../ui/locale.ts'

/** A list of at most this many is searched and sorted where it is shown, a longer one by core. */
export const shownAtMost = 1000

export const userList = createList(
  'users',
  async (search: string) => {
    const { items, total } = await call(users.list, { query: { limit: shownAtMost, search } })
    return { items, total }
  },
  ({ id }) => id,
)

/** Customers that a user may be given. */
export const useInventoryChoices = () =>
  useRead(groups.inventories, { query: { limit: shownAtMost } }).data ?? none

const none: readonly { id: string; name: string }[] = []

/** undefined: it is done. */
type Outcome = Promise<Fault | undefined>

export const createUser = (body: CallInput<typeof users.create>['body']): Outcome =>
  userList.change(() => call(users.create, { body }))

export const changeUser = (id: string, body: CallInput<typeof users.change>['body']): Outcome =>
  change(() => call(users.change, { params: { id }, body }))

export const resetFactors = (id: string): Outcome =>
  userList.change(() => call(secondFactors.reset, { params: { id } }))

export const removeUser = (id: string): Outcome => change(() => call(users.remove, { params: { id } }))

export const givePassword = (id: string, body: CallInput<typeof users.setPassword>['body']): Outcome =>
  change(() => call(users.setPassword, { params: { id }, body }))

/** The warning of published passwords ends with the last of them. */
async function change(write: () => Promise<unknown>): Outcome {
  const isWarned = signedIn.get()?.configuration.usersWithPublishedPassword?.length
  const fault = await userList.change(write)
  if (fault === undefined && isWarned) await readConfigurationAgain().catch(() => {})
  return fault
}

/** Why a user is only shown; core decides in any case. */
type ReadOnly = 'enterprise' | 'rights' | undefined

export function readOnlyFor(own: readonly Role[], user: User): ReadOnly {
  if (user.SSO) return 'enterprise'
  return mayAdminister(own, user.roles) ? undefined : 'rights'
}

export const fullName = (user: Pick<User, 'firstName' | 'lastName'>): string =>
  `${user.firstName} ${user.lastName}`.trim()

/** Fields that the search of the screen checks. */
export const searched = (user: User): string[] => [
  user.username,
  fullName(user),
  user.email,
  user.label,
  user.userType,
]

export const byUsername = (a: User, b: User): number => compareTexts(a.username, b.username)

/** Consent of a user, and its date (GAP-USER-03); decisions that are older than the dates have none. */
export function consentWords(
  { updateConsent, updateConsentDates }: Pick<User, 'updateConsent' | 'updateConsentDates'>,
  consent: Consent,
  t: TFunction<'users'>,
): string {
  const isGiven = updateConsent[consent]
  if (isGiven === undefined) return t('consents.notGiven')
  const time = updateConsentDates[consent]
  if (time === undefined) return t(isGiven ? 'consents.givenOnce' : 'consents.withdrawnOnce')
  return t(isGiven ? 'consents.given' : 'consents.withdrawn', { date: shortDate(new Date(time)) })
}

/** Text for a user who is only shown. */
export const readOnlyWords = (reason: ReadOnly): string | undefined =>
  reason && reasonText(reason === 'enterprise' ? 'user.managedElsewhere' : 'role.notAllowed')
