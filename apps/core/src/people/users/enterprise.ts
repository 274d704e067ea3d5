// Enterprise users: their IT administrator manages the account; the claims of a provider add and change them.
import { randomUUID } from 'node:crypto'
import { NotFound } from '@backhaul/contract/define/errors'
import { roleOfUserType, type UserType } from '@backhaul/contract/define/roles'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { everything } from '../../database/scope.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { Groups } from '../groups/groups.ts'
import { takenFields } from './administered-table.ts'
import { type Identity, insertIdentity, userIdOf } from './identity-table.ts'
import { addUser, changeUser, heldUser, type Memberships, sameIds, within } from './memberships.ts'
import { newUser } from './user-rules.ts'
import * as table from './user-table.ts'

/** A user as the provider describes them; undefined fields are not decided by the provider. */
export interface EnterprisePerson {
  username: string | undefined
  email: string | undefined
  firstName: string
  lastName: string
  /** Null for a user who may do nothing here. */
  userType: UserType | null | undefined
  inventories: readonly string[] | undefined
  groups: readonly string[] | undefined
}

export interface Enterprise {
  byEmail(email: string): Promise<{ id: string; isEnterprise: boolean } | undefined>
  /** The id of the user whose identity it is. */
  byIdentity(identity: Identity): Promise<string | undefined>
  /** Fails on a unique key where the identity, or the user, has another already. */
  addIdentity(userId: string, identity: Identity): Promise<void>
  /**
   * Adds the user with their identity; answers the id, undefined where the user name or the address is another user's.
   * Throws Conflict without a licence; fails on a unique key where the identity is another user's.
   */
  add(person: EnterprisePerson, identity: Identity): Promise<string | undefined>
  /** Updates the user to the provider's data; answers whether their rights have changed. Throws Conflict in the same case. */
  follow(userId: string, person: EnterprisePerson): Promise<boolean>
}

interface Needs {
  db: Database
  clock: Clock
  events: Events
  inventories: Inventories
  groups: Groups
}

export function createEnterprise({ db, clock, events, inventories, groups }: Needs): Enterprise {
  /** The customers and groups that exist; a group must be of one of the customers. */
  async function existing(wanted: Memberships): Promise<Memberships> {
    const there: string[] = []
    for (const id of wanted.inventories) {
      if (await isThere(inventories.get(everything, id))) there.push(id)
    }
    return { inventories: there, groups: await within(groups, wanted.groups, there) }
  }

  return {
    async byEmail(email) {
      const user = await table.findByEmail(db, email)
      return user && { id: user.id, isEnterprise: user.SSO }
    },
    byIdentity: (identity) => userIdOf(db, identity),
    addIdentity: (userId, identity) => insertIdentity(db, identity, userId, clock.nowMs()),
    async add(person, identity) {
      const { username, email = '' } = person
      if (username === undefined) return undefined
      const nowMs = clock.nowMs()
      const id = randomUUID()
      const user = { ...described({ ...newUser, username, email, SSO: true }, person), id }
      const taken = await takenFields(db, user)
      if (taken.username || taken.email) return undefined
      const memberships = await existing({
        inventories: person.inventories ?? [],
        groups: person.groups ?? [],
      })
      const notify = await db.transaction().execute(async (transaction) => {
        const notifyJoined = await addUser({ groups, transaction, nowMs }, user, memberships)
        await insertIdentity(transaction, identity, id, nowMs)
        return notifyJoined
      })
      notify()
      return id
    },
    async follow(userId, person) {
      const before = {
        inventories: await table.inventoryIdsOf(db, userId),
        groups: await groups.ofMember('user', userId),
      }
      const after = await existing({
        inventories: person.inventories ?? before.inventories,
        groups: person.groups ?? before.groups,
      })
      const { held, changed, notify } = await db.transaction().execute(async (transaction) => {
        const held = await heldUser(transaction, userId)
        const changed = described(held, person)
        // An address that another user has here is not changed.
        if ((await takenFields(transaction, changed)).email) changed.email = held.email
        return { held, changed, notify: await changeUser({ groups, transaction }, changed, before, after) }
      })
      notify()
      if (!sameIds(before.inventories, after.inventories)) events.emit('userScopeChanged', { userId })
      return !sameIds(held.roles, changed.roles)
    },
  }
}

/** An unknown role gives none, and without one the console shows only the page of limited access. */
function described(user: table.StoredUser, person: EnterprisePerson): table.StoredUser {
  const { userType } = person
  return {
    ...user,
    email: person.email ?? user.email,
    firstName: person.firstName || user.firstName,
    lastName: person.lastName || user.lastName,
    ...(userType === null && { roles: [] }),
    ...(userType && { userType, roles: [roleOfUserType[userType]] }),
  }
}

const isThere = (found: Promise<unknown>): Promise<boolean> =>
  found.then(
    () => true,
    (error) => {
      if (error instanceof NotFound) return false
      throw error
    },
  )
