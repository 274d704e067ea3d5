// A user with their customers and groups as one change: all of it is stored, or nothing.
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { Groups } from '../groups/groups.ts'
import { hasTooManyUsers, replaceInventories, updateUser } from './administered-table.ts'
import { holdUser, insertUser, type StoredUser } from './user-table.ts'

export interface Memberships {
  inventories: readonly string[]
  groups: readonly string[]
}

interface Place {
  groups: Groups
  transaction: DatabaseTransaction
}

/** Call the answer of each of these after the commit to notify the others. */
type Notify = () => void

/** Throws Conflict without a licence for one more. */
export async function addUser(
  { groups, transaction, nowMs }: Place & { nowMs: number },
  user: StoredUser,
  { inventories, groups: wanted }: Memberships,
): Promise<Notify> {
  await insertUser(transaction, user, inventories, nowMs)
  await requireLicences(transaction, inventories)
  const notifications = [await moveBetweenGroups(groups, transaction, user.id, { from: [], to: wanted })]
  for (const id of inventories)
    notifications.push(await groups.joinByItself(transaction, id, 'user', user.id))
  return all(notifications)
}

/**
 * The user, locked against other writers until the transaction ends: every change of a user begins here, so that of two
 * changes at the same time neither undoes the other.
 */
export async function heldUser(transaction: DatabaseTransaction, userId: string): Promise<StoredUser> {
  const held = await holdUser(transaction, userId)
  if (!held) throw new NotFound('user')
  return held
}

/** Throws the same. */
export async function changeUser(
  { groups, transaction }: Place,
  user: StoredUser,
  before: Memberships,
  after: Memberships,
): Promise<Notify> {
  await updateUser(transaction, user)
  if (!sameIds(before.inventories, after.inventories)) {
    await replaceInventories(transaction, user.id, after.inventories)
    const added = after.inventories.filter((id) => !before.inventories.includes(id))
    await requireLicences(transaction, added)
  }
  return await moveBetweenGroups(groups, transaction, user.id, { from: before.groups, to: after.groups })
}

export async function moveBetweenGroups(
  groups: Groups,
  transaction: DatabaseTransaction,
  userId: string,
  { from, to }: { from: readonly string[]; to: readonly string[] },
): Promise<Notify> {
  const notifications: Notify[] = []
  for (const id of from)
    if (!to.includes(id)) notifications.push(await groups.leave(transaction, id, 'user', userId))
  for (const id of to)
    if (!from.includes(id)) notifications.push(await groups.join(transaction, id, 'user', userId))
  return all(notifications)
}

const all = (notifications: readonly Notify[]) => () => {
  for (const notify of notifications) notify()
}

async function requireLicences(
  transaction: DatabaseTransaction,
  inventories: readonly string[],
): Promise<void> {
  if (inventories.length > 0 && (await hasTooManyUsers(transaction, inventories)))
    throw new Conflict('user.noLicence')
}

/** The groups that are still of one of the user's customers. */
export async function within(
  groups: Groups,
  ids: readonly string[],
  inventoryIds: readonly string[],
): Promise<string[]> {
  const allowed = new Set(await groups.within(ids, inventoryIds))
  return ids.filter((id) => allowed.has(id))
}

export const sameIds = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((id) => others.includes(id))
