// Users: those who sign in, their data, and their scope.
import { Conflict, NotAllowed, NotFound } from '@backhaul/contract/define/errors'
import {
  adminGroup,
  holdsAny,
  type Role,
  roleOfUserType,
  type UserType,
} from '@backhaul/contract/define/roles'
import type { User, UserContact, UserContactChange, UserService } from '@backhaul/contract/nouns/users'
import type { Clock } from '@backhaul/runtime/clock'
import { isTaken } from '../../database/dialect.ts'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { unlessTaken } from '../../database/unique.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { Groups } from '../groups/groups.ts'
import { type Administration, createAdministration } from './administration.ts'
import { createEnterprise, type Enterprise } from './enterprise.ts'
import { createPasswords, type HashingCost, rememberHashes, rememberMatches } from './passwords.ts'
import { newUser } from './user-rules.ts'
import * as table from './user-table.ts'

export type { EnterprisePerson } from './enterprise.ts'
export type { Identity } from './identity-table.ts'

/** The data of a user that a sign-in needs. */
export interface Person {
  id: string
  username: string
  roles: readonly Role[]
  active: boolean
  ODA: boolean
  services: readonly UserService[]
  passwordExpiresMs: number | null
}

export interface NewUser {
  id: string
  username: string
  password: string
  userType: UserType
  /** Roles in addition to the one that the user type gives (GAP-ROLE-10). */
  extraRoles?: readonly Role[]
  firstName: string
  lastName: string
  email?: string
  phone?: string
  inventories: readonly string[]
  groups: readonly string[]
}

export interface Users {
  administration: Administration
  enterprise: Enterprise
  /** Throws NotFound. */
  details(userId: string): Promise<User>
  saveContact(userId: string, contact: UserContactChange): Promise<UserContact>
  person(userId: string): Promise<Person | undefined>
  /** The present scope of the user. */
  scopeOf(person: Person): Promise<Scope>
  /** The active user with this name and password, which no enterprise user has; takes the same time for all. */
  withPassword(username: string, password: string): Promise<Person | undefined>
  /** Names of those of these users whose password is published. */
  namesWithPassword(userIds: readonly string[], password: string): Promise<string[]>
  /** Addresses of the administrators of the customer, those of its parent included. */
  administratorsOf(inventoryId: string): Promise<string[]>
  /** Adds a user unless the name is taken; answers whether they are new. */
  ensure(user: NewUser): Promise<boolean>
  /** Adds several users with one password, which costs one hash. */
  ensureAll(users: readonly Omit<NewUser, 'password'>[], password: string): Promise<void>
  /** Adds the user only where there is none yet; of several calls at the same time exactly one answers true. */
  addFirst(user: NewUser): Promise<boolean>
  /** False in a new installation. */
  hasAny(): Promise<boolean>
}

interface Needs {
  db: Database
  clock: Clock
  events: Events
  inventories: Inventories
  groups: Groups
  hashing: HashingCost
}

export function createUsers({ db, clock, events, inventories, groups, hashing }: Needs): Users {
  const passwords = createPasswords(hashing)
  const isHashOf = rememberMatches(passwords)

  async function stored(userId: string): Promise<table.StoredUser> {
    const user = await table.findUser(db, userId)
    if (!user) throw new NotFound('user')
    return user
  }

  async function add(user: NewUser, hash = passwords.hash): Promise<boolean> {
    if (await table.findByUsername(db, user.username)) return false
    const [passwordHash, nowMs] = [await hash(user.password), clock.nowMs()]
    try {
      await db.transaction().execute(async (transaction) => {
        await table.insertUser(transaction, storedUser(user, passwordHash, nowMs), user.inventories, nowMs)
      })
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
    for (const groupId of user.groups) await groups.addMember(groupId, 'user', user.id)
    for (const id of user.inventories) (await groups.joinByItself(db, id, 'user', user.id))()
    return true
  }

  return {
    administration: createAdministration({ db, clock, events, inventories, groups, passwords }),
    enterprise: createEnterprise({ db, clock, events, inventories, groups }),
    async details(userId) {
      const { passwordHash: _, passwordChangedMs: __, passwordExpiresMs: ___, ...user } = await stored(userId)
      const [inventories, groupIds] = await Promise.all([
        table.inventoryIdsOf(db, userId),
        groups.ofMember('user', userId),
      ])
      const features = await groups.activeFeatures([{ ofUser: userId, withSecondaries: false }])
      return { ...user, inventories, groups: groupIds, features }
    },
    async saveContact(userId, contact) {
      // Enterprise users are managed by their IT administrator alone (RO-PERM-32).
      if ((await stored(userId)).SSO) throw new NotAllowed('user.managedElsewhere')
      await unlessTaken(table.updateContact(db, userId, contact), () =>
        Conflict.at('email', 'user.emailTaken'),
      )
      return contact
    },
    async person(userId) {
      const user = await table.findUser(db, userId)
      return user && personOf(user)
    },
    async scopeOf({ id, roles }) {
      const isVendor = roles.includes('super_user')
      const wholeInventories = holdsAny(roles, adminGroup)
      // Administrators of a customer administer its secondary inventories too.
      const customers = [{ ofUser: id, withSecondaries: wholeInventories }]
      const reached = await inventories.idsIn(customers)
      const shared = {
        everything: isVendor,
        inventories: reached,
        customers,
        wholeInventories,
        everyGroup: wholeInventories,
      }
      if (wholeInventories) {
        const isReached = new Set(reached)
        return {
          ...shared,
          readsGroup: (groupId) => isVendor || isReached.has(groups.inventoryOf(groupId) ?? ''),
        }
      }
      const memberOf = new Set(await groups.ofMember('user', id))
      return {
        ...shared,
        member: { userId: id, ownCustomersOnly: false },
        readsGroup: (groupId) => isVendor || memberOf.has(groupId),
      }
    },
    async withPassword(username, password) {
      const user = await table.findByUsername(db, username)
      const isRight = await passwords.matches(user?.SSO ? undefined : user?.passwordHash, password)
      return isRight && user?.active ? personOf(user) : undefined
    },
    async namesWithPassword(userIds, password) {
      const found = await Promise.all(
        userIds.map(async (userId) => {
          const user = await table.findUser(db, userId)
          const isOpen = user?.active && !user.SSO && (await isHashOf(user.passwordHash, password))
          return isOpen ? [user.username] : []
        }),
      )
      return found.flat()
    },
    administratorsOf: (inventoryId) => table.administratorAddresses(db, inventoryId),
    ensure: (user) => add(user),
    async ensureAll(users, password) {
      const hash = rememberHashes(passwords)
      for (const user of users) await add({ ...user, password }, hash)
    },
    async addFirst(user) {
      const [passwordHash, nowMs] = [await passwords.hash(user.password), clock.nowMs()]
      try {
        return await db.transaction().execute(async (transaction) => {
          if (await table.hasUsers(transaction)) return false
          await table.claimFirst(transaction, user.id)
          await table.insertUser(transaction, storedUser(user, passwordHash, nowMs), user.inventories, nowMs)
          return true
        })
      } catch (error) {
        if (isTaken(error)) return false
        throw error
      }
    },
    hasAny: () => table.hasUsers(db),
  }
}

function storedUser(user: NewUser, passwordHash: string, nowMs: number): table.StoredUser {
  const { id, username, userType, firstName, lastName, email = '', phone = '' } = user
  return {
    ...newUser,
    id,
    username,
    userType,
    firstName,
    lastName,
    email,
    phone,
    contact: { email, phone, firstName, lastName },
    roles: [...new Set([roleOfUserType[userType], ...(user.extraRoles ?? [])])],
    passwordHash,
    passwordChangedMs: nowMs,
  }
}

function personOf(user: table.StoredUser): Person {
  const { id, username, roles, active, ODA, SSO, services, passwordExpiresMs } = user
  return { id, username, roles, active, ODA, services, passwordExpiresMs: SSO ? null : passwordExpiresMs }
}
