// The users of the person's customers, as the users screen shows and changes them.

import { groups } from '@backhaul/contract/api/groups'
import { secondFactors } from '@backhaul/contract/api/second-factors'
import { users } from '@backhaul/contract/api/users'
import type { CallInput } from '@backhaul/contract/define/client'
import { mayAdminister } from '@backhaul/contract/nouns/granting'
import type { Role } from '@backhaul/contract/nouns/roles'
import type { User } from '@backhaul/contract/nouns/users'
import type { TFunction } from 'i18next'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { generic } from '../../texts/generic.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { compareTexts } from '../../ui/locale.ts'
import { createValue } from '../../ui/value.ts'

export const userStore = createKeyedStore<User>()

/** So many are searched and sorted where they are shown; of more, core is asked for those that are meant. */
export const shownAtMost = 1000

/** `isWhole`: everyone is here; `total`: how many the last search found. */
export type LoadState = { isWhole: boolean; total: number } & (
  | { state: 'loading' | 'ready' }
  | { state: 'error'; fault: Fault }
)
export const usersState = createValue<LoadState>({ state: 'loading', isWhole: true, total: 0 })

/** Customers that a user may be given. */
export const inventoryChoices = createValue<readonly { id: string; name: string }[]>([])

let newest = 0

/** `search` is what core looks for in the names; empty for everyone. */
export async function loadUsers(search = ''): Promise<void> {
  newest += 1
  const own = newest
  try {
    const [page, choices] = await Promise.all([
      call(users.list, { query: { limit: shownAtMost, search } }),
      call(groups.inventories, { query: { limit: shownAtMost } }),
    ])
    if (own !== newest) return
    inventoryChoices.set(choices)
    userStore.replaceAll(page.items.map((user) => [user.id, user]))
    userStore.flush()
    // What one search leaves out is no whole list, however short it is.
    usersState.set({ state: 'ready', isWhole: search === '' && page.total <= shownAtMost, total: page.total })
  } catch (error) {
    if (own === newest) usersState.set({ ...usersState.get(), state: 'error', fault: describeFault(error) })
  }
}

/** undefined: it is done. */
type Outcome = Promise<Fault | undefined>

const outcome = (done: Promise<void>): Outcome => done.then(() => undefined, describeFault)

const keep = (user: User): void => userStore.put(user.id, user)

export const createUser = (body: CallInput<typeof users.create>['body']): Outcome =>
  outcome(call(users.create, { body }).then(keep))

export const changeUser = (id: string, body: CallInput<typeof users.change>['body']): Outcome =>
  outcome(call(users.change, { params: { id }, body }).then(keep))

export const resetFactors = (id: string): Outcome =>
  outcome(call(secondFactors.reset, { params: { id } }).then(() => {}))

export const removeUser = (id: string): Outcome =>
  outcome(call(users.remove, { params: { id } }).then(() => userStore.remove(id)))

export const givePassword = (id: string, body: CallInput<typeof users.setPassword>['body']): Outcome =>
  outcome(call(users.setPassword, { params: { id }, body }).then(() => {}))

/** Why a user is only shown; core decides in any case. */
type ReadOnly = 'enterprise' | 'rights' | undefined

export function readOnlyFor(own: readonly Role[], user: User): ReadOnly {
  if (user.SSO) return 'enterprise'
  return mayAdminister(own, user.roles) ? undefined : 'rights'
}

export const fullName = (user: Pick<User, 'firstName' | 'lastName'>): string =>
  `${user.firstName} ${user.lastName}`.trim()

/** What the search of the screen looks at. */
export const searched = (user: User): string[] => [
  user.username,
  fullName(user),
  user.email,
  user.label,
  user.userType,
]

export const byUsername = (a: User, b: User): number => compareTexts(a.username, b.username)

/** What is said of a user who is only shown. */
export const readOnlyWords = (t: TFunction<'users'>, reason: ReadOnly): string | undefined =>
  reason === 'enterprise' ? t('readOnly.enterprise') : reason && generic('notForUserType')
