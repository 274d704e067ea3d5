// The users of the person's customers, as the users screen shows and changes them.
import { groups } from '@backhaul/contract/api/groups'
import { users } from '@backhaul/contract/api/users'
import type { CallInput } from '@backhaul/contract/define/client'
import { mayAdminister } from '@backhaul/contract/nouns/granting'
import type { Role } from '@backhaul/contract/nouns/roles'
import type { User } from '@backhaul/contract/nouns/users'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { compareTexts } from '../../ui/locale.ts'
import { createValue } from '../../ui/value.ts'

export const userStore = createKeyedStore<User>()

export type LoadState = { state: 'loading' | 'ready' } | { state: 'error'; fault: Fault }
export const usersState = createValue<LoadState>({ state: 'loading' })

/** Customers that a user may be given. */
export const inventoryChoices = createValue<readonly { id: string; name: string }[]>([])

const pageSize = 1000

/** Reads every page: the list is searched and sorted where it is shown. */
export async function loadUsers(): Promise<void> {
  usersState.set({ state: 'loading' })
  try {
    const found: User[] = []
    for (let total = 1; found.length < total; ) {
      const page = await call(users.list, { query: { limit: pageSize, offset: found.length } })
      total = page.items.length === 0 ? 0 : page.total
      found.push(...page.items)
    }
    inventoryChoices.set(await call(groups.inventories, { query: { limit: pageSize } }))
    userStore.replaceAll(found.map((user) => [user.id, user]))
    userStore.flush()
    usersState.set({ state: 'ready' })
  } catch (error) {
    usersState.set({ state: 'error', fault: describeFault(error) })
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

export const removeUser = (id: string): Outcome =>
  outcome(call(users.remove, { params: { id } }).then(() => userStore.remove(id)))

export const givePassword = (id: string, body: CallInput<typeof users.setPassword>['body']): Outcome =>
  outcome(call(users.setPassword, { params: { id }, body }).then(() => {}))

/** Why a user is only shown; core decides in any case. */
export type ReadOnly = 'enterprise' | 'rights' | undefined

export function readOnlyFor(own: readonly Role[], user: User): ReadOnly {
  if (user.SSO) return 'enterprise'
  return mayAdminister(own, user.roles) ? undefined : 'rights'
}

export const fullName = (user: Pick<User, 'firstName' | 'lastName'>): string =>
  `${user.firstName} ${user.lastName}`.trim()

/** What the search of the screen looks at. */
export function userFilter(text: string): ((user: User) => boolean) | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return undefined
  return (user) =>
    [user.username, fullName(user), user.email, user.label, user.userType].some((part) =>
      part.toLowerCase().includes(wanted),
    )
}

export const byUsername = (a: User, b: User): number => compareTexts(a.username, b.username)
