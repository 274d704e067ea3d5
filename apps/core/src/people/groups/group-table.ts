import {
  type AlertsConfiguration,
  completed,
  defaultAlertsConfiguration,
} from '@backhaul/contract/nouns/alert-configuration'
import type { Group, LightGroup } from '@backhaul/contract/nouns/groups'
import type { AdhocMode } from '@backhaul/contract/nouns/invitations'
import type { KeySchedule } from '@backhaul/contract/nouns/registration-keys'
import { sql } from 'kysely'
import { byName, sorted } from '../../database/dialect.ts'
import { countOf, fromNearerEnd, isFound, type Paging } from '../../database/paging.ts'
import { keptCount } from '../../database/row-counts.ts'
import type { DatabaseTransaction, GroupRow, Queries } from '../../database/schema.ts'
import { groupInScope, inventoryInScope, readsInventory, type Scope } from '../../database/scope.ts'
import { isFewFound, mayContain } from '../../database/search.ts'
import { type AnyMember, memberships, specialChannels } from './member-table.ts'
import { recipientsOf } from './recipient-table.ts'

/** A group without its members. */
export interface GroupFacts {
  id: string
  inventoryId: string
  name: string
  /** Its holder may add a device to the group; administrators may see it. */
  registrationKey: string
  unitAutoAssociation: boolean
  globalAutoAssociation: boolean
  keySchedule: KeySchedule
  keyMadeMs: number
  adhocMode: AdhocMode
}

export async function lightGroups(db: Queries, scope: Scope): Promise<LightGroup[]> {
  return await db
    .selectFrom('groups')
    .innerJoin('inventories', 'inventories.id', 'groups.inventory_id')
    .select([
      'groups.id as uid',
      'groups.name',
      'inventories.id as inventoryId',
      'inventories.name as inventoryName',
    ])
    .where((eb) =>
      groupInScope(scope, { id: eb.ref('groups.id'), inventoryId: eb.ref('groups.inventory_id') }),
    )
    .orderBy((eb) => byName(db, eb.ref('groups.name')))
    .orderBy('groups.id')
    .execute()
}

export async function findGroup(db: Queries, scope: Scope, id: string): Promise<GroupFacts | undefined> {
  const row = await db
    .selectFrom('groups')
    .selectAll()
    .where('id', '=', id)
    .where((eb) =>
      groupInScope(scope, { id: eb.ref('groups.id'), inventoryId: eb.ref('groups.inventory_id') }),
    )
    .executeTakeFirst()
  return row && factsOf(row)
}

export async function findByRegistrationKey(db: Queries, key: string): Promise<GroupFacts | undefined> {
  const row = await db.selectFrom('groups').selectAll().where('registration_key', '=', key).executeTakeFirst()
  return row && factsOf(row)
}

export async function groupsWithKeySchedule(db: Queries): Promise<GroupFacts[]> {
  // Written out as in its index, which SQLite does not use for a bound value.
  const never = sql.lit<KeySchedule>('never')
  const rows = await db.selectFrom('groups').selectAll().where('key_schedule', '<>', never).execute()
  return rows.map(factsOf)
}

export async function saveKeySchedule(db: Queries, id: string, schedule: KeySchedule): Promise<void> {
  await db.updateTable('groups').set({ key_schedule: schedule }).where('id', '=', id).execute()
}

/** Answers false when it was replaced in the meantime. */
export async function replaceKey(
  db: Queries,
  id: string,
  before: string,
  after: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('groups')
    .set({ registration_key: after, key_made_ms: nowMs })
    .where('id', '=', id)
    .where('registration_key', '=', before)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) > 0
}

export async function saveAdhocMode(db: Queries, id: string, mode: AdhocMode): Promise<void> {
  await db.updateTable('groups').set({ adhoc_mode: mode }).where('id', '=', id).execute()
}

/** Undefined in an installation without groups. */
export async function oldestGroup(db: Queries): Promise<GroupFacts | undefined> {
  const row = await db
    .selectFrom('groups')
    .selectAll()
    .orderBy('created_ms')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && factsOf(row)
}

/** The groups by name; `only` narrows them to some. */
export async function groupsWithMembers(
  db: Queries,
  scope: Scope,
  only?: readonly string[],
): Promise<Group[]> {
  if (only?.length === 0) return []
  const rows = await db
    .selectFrom('groups')
    .selectAll()
    .where((eb) =>
      groupInScope(scope, { id: eb.ref('groups.id'), inventoryId: eb.ref('groups.inventory_id') }),
    )
    .$if(only !== undefined, (query) => query.where('id', 'in', only ?? []))
    .orderBy((eb) => byName(db, eb.ref('name')))
    .execute()
  // The scope of some groups was applied above: to list all groups that it reads would take longer than to read these.
  const within = only === undefined ? scope : undefined
  const [units, channels, users, special, recipients] = await Promise.all([
    memberships(db, 'unit', within, only),
    memberships(db, 'channel', within, only),
    memberships(db, 'user', within, only),
    specialChannels(db),
    recipientsOf(db, only),
  ])
  const returns = new Set(special.filter(({ isReturn }) => isReturn).map(({ id }) => id))
  const multi = new Set(special.filter(({ isReturn }) => !isReturn).map(({ id }) => id))
  const idsByGroup = (pairs: { groupId: string; memberId: string }[]) =>
    Map.groupBy(pairs, (pair) => pair.groupId)
  const [unitsOf, channelsOf, usersOf] = [idsByGroup(units), idsByGroup(channels), idsByGroup(users)]
  const ids = (map: ReturnType<typeof idsByGroup>, groupId: string) =>
    (map.get(groupId) ?? []).map((pair) => pair.memberId)
  return rows.map((row) => ({
    uid: row.id,
    name: row.name,
    inventory: row.inventory_id,
    createdOn: new Date(row.created_ms).toISOString(),
    units: ids(unitsOf, row.id),
    channels: ids(channelsOf, row.id).filter((id) => !returns.has(id)),
    vrChannels: ids(channelsOf, row.id).filter((id) => returns.has(id)),
    multiChannels: ids(channelsOf, row.id).filter((id) => multi.has(id)),
    users: ids(usersOf, row.id),
    globalAutoAssociation: row.global_auto_association === 1,
    unitAutoAssociation: row.unit_auto_association === 1,
    ...shownDetails(row),
    emailRecipients: recipients.get(row.id) ?? [],
    adhocInvitation: { mode: row.adhoc_mode as AdhocMode },
    permanentInvitation: { regenerate: row.key_schedule as KeySchedule },
  }))
}

/** One page of the ids, and how many there are in all. */
export async function groupIdPage(
  db: Queries,
  scope: Scope,
  { search, sort, limit, offset }: Paging<'name' | 'inventory' | 'createdOn'>,
  inventoryId?: string,
): Promise<{ ids: string[]; total: number }> {
  const matching = db
    .selectFrom('groups')
    .where((eb) =>
      groupInScope(scope, { id: eb.ref('groups.id'), inventoryId: eb.ref('groups.inventory_id') }),
    )
    .$if(inventoryId !== undefined, (query) => query.where('groups.inventory_id', '=', inventoryId ?? ''))
    .where((eb) =>
      isFound(db, search, (key) => (key === 'inventory' ? inventoryName : eb.ref('groups.name'))),
    )
    .where(
      search?.key === 'name'
        ? await mayContain(db, 'groups', search.text, [sql.ref('groups.id')])
        : sql<boolean>`true`,
    )
  const total =
    search === undefined && (scope.everything || scope.everyGroup)
      ? await countGroups(db, scope, inventoryId)
      : await countOf(matching)
  const reading = fromNearerEnd({ limit, offset }, total)
  const direction = reading.read(sort.direction)
  const isFew = await isFewFound(db, search?.key === 'name' ? 'groups' : undefined, search?.text, total)
  const rows = await matching
    .select('groups.id')
    .orderBy((eb) => {
      if (sort.key === 'createdOn') return eb.ref('groups.created_ms')
      const order = byName(db, sort.key === 'inventory' ? inventoryName : eb.ref('groups.name'))
      return isFew ? sorted(db, order) : order
    }, direction)
    .orderBy('groups.id', direction)
    .limit(reading.limit)
    .offset(reading.offset)
    .execute()
  return { ids: reading.inOrder(rows).map(({ id }) => id), total }
}

/** All groups of the customers that the caller reads every group of, or of one of them. */
async function countGroups(db: Queries, scope: Scope, inventoryId: string | undefined): Promise<number> {
  if (scope.everything && inventoryId === undefined) return await keptCount(db, 'groups')
  if (inventoryId === undefined)
    return await keptCount(db, 'groups', (owner) => inventoryInScope(scope, owner))
  return readsInventory(scope, inventoryId) ? await keptCount(db, 'groups', [[inventoryId]]) : 0
}

/** No join, so that the groups are read in their own order. */
const inventoryName = sql<string>`(select name from inventories where inventories.id = groups.inventory_id)`

export async function updateGroup(
  db: Queries,
  id: string,
  changes: { name?: string; unitAutoAssociation?: boolean; globalAutoAssociation?: boolean },
): Promise<void> {
  const { name, unitAutoAssociation: byUnit, globalAutoAssociation: byAll } = changes
  const set = {
    ...(name !== undefined && { name }),
    ...(byUnit !== undefined && { unit_auto_association: byUnit ? (1 as const) : (0 as const) }),
    ...(byAll !== undefined && { global_auto_association: byAll ? (1 as const) : (0 as const) }),
  }
  if (Object.keys(set).length > 0) await db.updateTable('groups').set(set).where('id', '=', id).execute()
}

/** Locks the group against other writers until the transaction ends. */
export async function saveDetails(
  db: DatabaseTransaction,
  id: string,
  changes: Partial<Details>,
): Promise<void> {
  const row = await db
    .updateTable('groups')
    .set((eb) => ({ details: eb.ref('details') }))
    .where('id', '=', id)
    .returning('details')
    .executeTakeFirstOrThrow()
  const details = JSON.stringify({ ...detailsOf(row), ...changes })
  await db.updateTable('groups').set({ details }).where('id', '=', id).execute()
}

/** The alert configurations of the groups that have their own. */
export async function alertConfigurations(db: Queries): Promise<(readonly [string, AlertsConfiguration])[]> {
  const rows = await db.selectFrom('groups').select(['id', 'details']).execute()
  return rows.flatMap((row) => {
    const { alertConfiguration } = detailsOf(row)
    return alertConfiguration ? [[row.id, completed(alertConfiguration)] as const] : []
  })
}

/** Its memberships and codes are deleted with it. */
export async function deleteGroup(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('groups').where('id', '=', id).execute()
}

/** The groups among `ids` that belong to one of the customers. */
export async function groupIdsWithin(
  db: Queries,
  ids: readonly string[],
  inventoryIds: readonly string[],
): Promise<string[]> {
  if (ids.length === 0 || inventoryIds.length === 0) return []
  const rows = await db
    .selectFrom('groups')
    .select('id')
    .where('id', 'in', ids)
    .where('inventory_id', 'in', inventoryIds)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The customer of every group. */
export async function groupInventories(db: Queries): Promise<{ id: string; inventoryId: string }[]> {
  return await db.selectFrom('groups').select(['id', 'inventory_id as inventoryId']).execute()
}

/** The customer's groups that new objects of this kind join automatically. */
export async function selfJoinedGroupIds(
  db: Queries,
  inventoryId: string,
  kind: AnyMember,
): Promise<string[]> {
  const flag = kind === 'unit' ? 'unit_auto_association' : 'global_auto_association'
  const rows = await db
    .selectFrom('groups')
    .select('id')
    .where('inventory_id', '=', inventoryId)
    .where(flag, '=', 1)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A new group keeps its key, and invites by link. */
export async function insertGroup(
  db: Queries,
  group: Omit<GroupFacts, 'keySchedule' | 'keyMadeMs' | 'adhocMode'>,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('groups')
    .values({
      id: group.id,
      inventory_id: group.inventoryId,
      name: group.name,
      registration_key: group.registrationKey,
      unit_auto_association: group.unitAutoAssociation ? 1 : 0,
      global_auto_association: group.globalAutoAssociation ? 1 : 0,
      details: JSON.stringify(newDetails),
      key_schedule: 'never',
      key_made_ms: nowMs,
      adhoc_mode: 'link',
      created_ms: nowMs,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

interface Details extends Pick<Group, 'defaultConfiguration'> {
  /** Null: the default. */
  alertConfiguration: AlertsConfiguration | null
}

const newDetails: Details = {
  defaultConfiguration: null,
  alertConfiguration: null,
}

const detailsOf = (row: Pick<GroupRow, 'details'>): Details => ({
  ...newDetails,
  ...(JSON.parse(row.details) as Partial<Details>),
})

function shownDetails(row: GroupRow) {
  const { defaultConfiguration, ...kept } = detailsOf(row)
  const alertConfiguration = completed(kept.alertConfiguration ?? defaultAlertsConfiguration)
  const { thresholds: alertThresholds, mode: alertsMode } = alertConfiguration
  return {
    defaultConfiguration,
    alertConfiguration,
    alertThresholds,
    alertsMode,
  }
}

function factsOf(row: GroupRow): GroupFacts {
  return {
    id: row.id,
    inventoryId: row.inventory_id,
    name: row.name,
    registrationKey: row.registration_key,
    unitAutoAssociation: row.unit_auto_association === 1,
    globalAutoAssociation: row.global_auto_association === 1,
    keySchedule: row.key_schedule as KeySchedule,
    keyMadeMs: row.key_made_ms,
    adhocMode: row.adhoc_mode as AdhocMode,
  }
}
