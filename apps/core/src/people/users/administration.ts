// Administering users: who may add, change and remove whom, and what a change does to the sign-ins of its user.

import { randomUUID } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, fault, InvalidRequest, NotAllowed, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { mayAdminister } from '@backhaul/contract/nouns/granting'
import {
  type OwnUserChange,
  PASSWORDS_REMEMBERED,
  type User,
  type UserChange,
  type UserCreation,
  userKeys,
} from '@backhaul/contract/nouns/users'
import type { Clock } from '@backhaul/runtime/clock'
import { isTaken } from '../../database/dialect.ts'
import { pagingOf } from '../../database/paging.ts'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import { readsInventory, type Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { Groups } from '../groups/groups.ts'
import * as administered from './administered-table.ts'
import { deleteIdentities } from './identity-table.ts'
import {
  addUser,
  changeUser,
  heldUser,
  type Memberships,
  moveBetweenGroups,
  sameIds,
  within,
} from './memberships.ts'
import { type Passwords, rememberHashes, rememberMatches } from './passwords.ts'
import {
  applied,
  appliedOwn,
  expiryOf,
  newUser,
  requireGiveable,
  requireManaged,
  requireOwn,
} from './user-rules.ts'
import * as table from './user-table.ts'

export interface Administration {
  /** Users of the caller's customers; memberships outside of them are not shown. */
  list(caller: Caller, query: PageQuery & { inventory?: string | undefined }): Promise<Page<User>>
  /** Throws NotFound. */
  get(caller: Caller, userId: string): Promise<User>
  /** Throws NotFound or NotAllowed unless the caller may change the user. */
  requireAdministered(caller: Caller, userId: string): Promise<void>
  create(caller: Caller, user: UserCreation): Promise<User>
  change(caller: Caller, userId: string, change: UserChange): Promise<User>
  remove(caller: Caller, userId: string, found: FoundUser): Promise<void>
  setPassword(caller: Caller, userId: string, password: string): Promise<void>
  /** Called by the installation itself: those of these users who have a published password get the other one. */
  replaceKnownPassword(userIds: readonly string[], known: string, password: string): Promise<void>
  changePassword(caller: Caller, given: { oldPassword: string; password: string }): Promise<void>
  updateOwn(caller: Caller, change: OwnUserChange): Promise<void>
}

/** Called with the user and those of their customers in the caller's scope, once the user is known to be in it. */
type FoundUser = (user: Pick<User, 'username'>, inventories: readonly string[]) => void

interface Needs {
  db: Database
  clock: Clock
  events: Events
  inventories: Inventories
  groups: Groups
  passwords: Passwords
}

export function createAdministration(needs: Needs): Administration {
  const { db, clock, events, groups, passwords } = needs

  async function visible(caller: Caller, userId: string): Promise<table.StoredUser> {
    const user = await administered.findVisibleUser(db, caller.scope, userId)
    if (!user) throw new NotFound('user')
    return user
  }

  /** The user and their memberships, once it is sure that the caller may change them. */
  async function mine(
    caller: Caller,
    userId: string,
    { change, found }: { change?: UserChange; found?: FoundUser } = {},
  ) {
    const user = await visible(caller, userId)
    const inventories = await table.inventoryIdsOf(db, userId)
    const known = inventories.filter((id) => readsInventory(caller.scope, id))
    found?.(user, known)
    requireChangeable(caller, user, change)
    // The caller needs the account's rights themselves: those at another customer are given by that customer.
    if (known.length < inventories.length) throw new NotAllowed('user.otherCustomer')
    return { user, inventories, groups: await groups.ofMember('user', userId) }
  }

  async function replacePassword(user: table.StoredUser, password: string): Promise<void> {
    const known = [user.passwordHash, ...(await administered.pastPasswords(db, user.id))]
    for (const hash of known.slice(0, PASSWORDS_REMEMBERED)) {
      if (await passwords.matches(hash, password)) throw InvalidRequest.at('password', 'password.recent')
    }
    await keepHash(user, await passwords.hash(password))
  }

  async function keepHash(user: table.StoredUser, hash: string): Promise<void> {
    const nowMs = clock.nowMs()
    const expiresMs = expiryOf(user.passwordExpirationPolicy, nowMs)
    await db.transaction().execute((transaction) =>
      administered.replacePassword(transaction, user, {
        hash,
        nowMs,
        expiresMs,
        kept: PASSWORDS_REMEMBERED - 1,
      }),
    )
  }

  return {
    async list(caller, { inventory, ...query }) {
      if (inventory !== undefined) await needs.inventories.get(caller.scope, inventory)
      const paging = pagingOf(query, userKeys)
      const page = await administered.pageOfUsers(db, caller.scope, inventory, paging)
      return { ...page, items: await shown(needs, caller.scope, page.items) }
    },
    async get(caller, userId) {
      const [user] = await shown(needs, caller.scope, [await visible(caller, userId)])
      if (!user) throw new NotFound('user')
      return user
    },
    async requireAdministered(caller, userId) {
      await mine(caller, userId)
    },
    async create(caller, wanted) {
      requireGiveable(caller.roles, wanted)
      const memberships = {
        inventories: [...new Set(wanted.inventories)],
        groups: [...new Set(wanted.groups)],
      }
      await requireMemberships(needs, caller.scope, memberships)
      const nowMs = clock.nowMs()
      const user: table.StoredUser = {
        ...applied(newUser, wanted),
        id: randomUUID(),
        username: wanted.username,
        passwordHash: await passwords.hash(wanted.password),
        passwordChangedMs: nowMs,
        passwordExpiresMs: expiryOf(wanted.passwordExpirationPolicy, nowMs),
      }
      await requireUnique(db, user)
      const notify = await db
        .transaction()
        .execute((transaction) => addUser({ groups, transaction, nowMs }, user, memberships))
        .catch((error) => refuseTaken(db, user, error))
      notify()
      return await this.get(caller, user.id)
    },
    async change(caller, userId, change) {
      const { user, ...before } = await mine(caller, userId, { change })
      if (userId === caller.userId && change.active === false) throw new Conflict('user.deactivateSelf')
      const inventories = [...new Set(change.inventories ?? before.inventories)]
      const kept = change.groups ?? (await within(groups, before.groups, inventories))
      const after = { inventories, groups: [...new Set(kept)] }
      await requireMemberships(needs, caller.scope, after)
      const requested = applied(user, change)
      await requireUnique(db, requested)
      const { held, changed, notify } = await db
        .transaction()
        .execute(async (transaction) => {
          if (isSuperUser(user)) await requireSuperUser(transaction, requested)
          const held = await heldUser(transaction, userId)
          requireChangeable(caller, held, change)
          const changed = applied(held, change)
          changed.passwordExpiresMs = expiryOf(changed.passwordExpirationPolicy, held.passwordChangedMs)
          if (changed.active && !held.active) await deleteIdentities(transaction, userId)
          return { held, changed, notify: await changeUser({ groups, transaction }, changed, before, after) }
        })
        .catch((error) => refuseTaken(db, requested, error))
      notify()
      if (!changed.active || !sameIds(held.roles, changed.roles)) events.emit('userShutOut', { userId })
      else if (!sameIds(before.inventories, inventories)) events.emit('userScopeChanged', { userId })
      else if (held.ODA !== changed.ODA || !sameIds(held.services, changed.services))
        events.emit('userPermissionsChanged', { userId })
      return await this.get(caller, userId)
    },
    async remove(caller, userId, found) {
      if (userId === caller.userId) throw new Conflict('user.deleteSelf')
      const { user, groups: left } = await mine(caller, userId, { found })
      const notify = await db.transaction().execute(async (transaction) => {
        if (isSuperUser(user)) await requireSuperUser(transaction, { ...user, roles: [] })
        const notifyLeft = await moveBetweenGroups(groups, transaction, userId, { from: left, to: [] })
        await administered.deleteUser(transaction, userId)
        return notifyLeft
      })
      notify()
      // The sign-ins were deleted with the user; sockets that still use one are closed.
      events.emit('userScopeChanged', { userId })
    },
    async setPassword(caller, userId, password) {
      if (userId === caller.userId) throw new Conflict('password.own')
      const { user } = await mine(caller, userId)
      await replacePassword(user, password)
      events.emit('userShutOut', { userId })
    },
    async replaceKnownPassword(userIds, known, password) {
      const [isHashOf, hash] = [rememberMatches(passwords), rememberHashes(passwords)]
      for (const userId of userIds) {
        const user = await table.findUser(db, userId)
        if (!user || !(await isHashOf(user.passwordHash, known))) continue
        await keepHash(user, await hash(password))
        events.emit('userShutOut', { userId })
      }
    },
    async changePassword(caller, { oldPassword, password }) {
      const user = await visibleToSelf(db, caller)
      requireManaged(user)
      if (!(await passwords.matches(user.passwordHash, oldPassword))) {
        throw new InvalidRequest([fault('oldPassword', 'password.oldWrong')], 'password.oldWrong')
      }
      await replacePassword(user, password)
      events.emit('userShutOut', { userId: caller.userId, exceptSignInId: caller.signInId })
    },
    async updateOwn(caller, change) {
      const nowMs = clock.nowMs()
      const user = await visibleToSelf(db, caller)
      requireOwn(user, change)
      const requested = appliedOwn(user, change, nowMs)
      await requireUnique(db, requested)
      await db
        .transaction()
        .execute(async (transaction) => {
          const held = await heldUser(transaction, caller.userId)
          requireOwn(held, change)
          await administered.updateUser(transaction, appliedOwn(held, change, nowMs))
        })
        .catch((error) => refuseTaken(db, requested, error))
    },
  }
}

function requireChangeable({ roles }: Caller, user: table.StoredUser, change: UserChange = {}): void {
  requireManaged(user, change)
  if (!mayAdminister(roles, user.roles)) throw new NotAllowed()
  requireGiveable(roles, change, user)
}

const isSuperUser = ({ active, roles }: table.StoredUser): boolean => active && roles.includes('super_user')

/** At least one must remain, who can make others. */
async function requireSuperUser(
  transaction: DatabaseTransaction,
  requested: table.StoredUser,
): Promise<void> {
  if (!isSuperUser(requested) && !(await table.hasOtherSuperUser(transaction, requested.id)))
    throw new Conflict('user.lastSuperUser')
}

async function visibleToSelf(db: Database, { userId }: Caller): Promise<table.StoredUser> {
  const user = await table.findUser(db, userId)
  if (!user) throw new NotFound('user')
  return user
}

/** A customer or a group outside the caller's scope does not exist for them; a group must be of one of the customers. */
async function requireMemberships(
  { inventories, groups }: Needs,
  scope: Scope,
  wanted: Memberships,
): Promise<void> {
  for (const id of wanted.inventories) await inventories.get(scope, id)
  for (const id of wanted.groups) {
    const { name, inventoryId } = await groups.get(scope, id)
    if (wanted.inventories.includes(inventoryId)) continue
    throw InvalidRequest.at('groups', because('group.otherInventory', { group: name }))
  }
}

async function requireUnique(db: Database, user: table.StoredUser): Promise<void> {
  const taken = await administered.takenFields(db, user)
  if (taken.username) throw Conflict.at('username', 'user.nameTaken')
  if (taken.email) throw Conflict.at('email', 'user.emailTaken')
}

/** Another request has taken the name or the address in the meantime. */
async function refuseTaken(db: Database, user: table.StoredUser, error: unknown): Promise<never> {
  if (isTaken(error)) await requireUnique(db, user)
  throw error
}

/** Users as the caller may see them. */
async function shown(
  { db, groups }: Pick<Needs, 'db' | 'groups'>,
  scope: Scope,
  users: readonly table.StoredUser[],
): Promise<User[]> {
  const memberships = await administered.membershipsOf(
    db,
    scope,
    users.map(({ id }) => id),
  )
  const inventoriesOf = ({ id }: table.StoredUser) =>
    (memberships.inventories.get(id) ?? []).filter((inventoryId) => readsInventory(scope, inventoryId))
  const customers = [...new Set(users.flatMap(inventoriesOf))]
  const features = new Map(
    await Promise.all(
      customers.map(
        async (id) => [id, await groups.activeFeatures([{ id, withSecondaries: false }])] as const,
      ),
    ),
  )
  return users.map((stored) => {
    const { passwordHash: _, passwordChangedMs: __, passwordExpiresMs: ___, ...user } = stored
    const inventories = inventoriesOf(stored)
    return {
      ...user,
      inventories,
      groups: memberships.groups.get(user.id) ?? [],
      features: [...new Set(inventories.flatMap((id) => features.get(id) ?? []))].toSorted(),
    }
  })
}
