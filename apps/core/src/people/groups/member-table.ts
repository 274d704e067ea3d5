import type { GroupMember, MemberKind } from '@backhaul/contract/nouns/groups'
import { videoReturnProducts } from '@backhaul/contract/nouns/servers'
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { byName, insertMany, sorted } from '../../database/dialect.ts'
import { countOf, fromNearerEnd, isFound, type Paging, type Window } from '../../database/paging.ts'
import { keptCount } from '../../database/row-counts.ts'
import type { Queries, Schema } from '../../database/schema.ts'
import { groupInScope, type Scope } from '../../database/scope.ts'
import { isFewFound, mayContain, type SearchedTable } from '../../database/search.ts'

const memberTables = {
  unit: { table: 'group_units', column: 'unit_id' },
  channel: { table: 'group_channels', column: 'channel_id' },
  user: { table: 'user_groups', column: 'user_id' },
} as const

/** The members of a group, and the users who work in it. */
export type AnyMember = keyof typeof memberTables

/** The table with the members of a kind; there is one for all sorts of channels. */
export const tableKindOf = (kind: MemberKind): AnyMember => (kind === 'vrChannel' ? 'channel' : kind)

interface CandidateRow {
  uid: string
  name: string
  note: string
  inventoryId: string
  busy: number
}

/** Whether a unit has an open transmission; `unit` is the column of its id. */
const transmits = (unit: string) =>
  sql<SqlBool>`exists (select 1 from transmissions t where t.unit_id = ${sql.ref(unit)} and t.stopped_ms is null)`

const isReturn = sql<SqlBool>`s.product_type in (${sql.join(videoReturnProducts)})`

/** A channel has one row for each customer whose groups may use it. */
const channelsWhere = (note: string, is: RawBuilder<SqlBool>) =>
  sql<CandidateRow>`(select c.id as uid, c.name, ${sql.ref(note)} as note, i.inventory_id as "inventoryId",
    case when c.allocated_unit_id is null then 0 else 1 end as busy
    from channels c join devices s on s.id = c.server_id
    join (select id, inventory_id from channels
      union all select channel_id, inventory_id from inventory_channels) i on i.id = c.id
    where ${is})`

/** All objects of each kind with their customer; a user has one row for each of their customers. */
const candidates: Readonly<Record<MemberKind, RawBuilder<CandidateRow>>> = {
  unit: sql<CandidateRow>`(select d.id as uid, d.name, d.product_type as note, d.inventory_id as "inventoryId",
    case when ${transmits('d.id')} then 1 else 0 end as busy
    from devices d where d.kind = 'unit')`,
  channel: channelsWhere('c.kind', sql`not ${isReturn}`),
  vrChannel: channelsWhere('s.name', isReturn),
  user: sql<CandidateRow>`(select u.id as uid, u.username as name, u.first_name || ' ' || u.last_name as note,
    i.inventory_id as "inventoryId", 0 as busy
    from users u join user_inventories i on i.user_id = u.id)`,
}

type WithCandidates = Schema & { candidates: CandidateRow }
type Condition = (eb: ExpressionBuilder<WithCandidates, 'candidates'>) => RawBuilder<SqlBool>

interface Place {
  inventoryId: string
  /** Only those in this group. */
  groupId?: string
}

function candidatesIn(db: Queries, kind: MemberKind, { inventoryId, groupId }: Place) {
  const { table, column } = memberTables[tableKindOf(kind)]
  const isMember: Condition = (eb) =>
    sql<SqlBool>`${eb.ref('candidates.uid')} in
      (select ${sql.ref(column)} from ${sql.table(table)} where group_id = ${groupId})`
  return db
    .selectFrom(candidates[kind].as('candidates'))
    .where('candidates.inventoryId', '=', inventoryId)
    .$if(groupId !== undefined, (query) => query.where((eb) => isMember(eb as never)))
}

/** Members of a group, or everything of the customer that can become one, by name. */
export async function memberPage(
  db: Queries,
  kind: MemberKind,
  place: Place,
  { limit, offset, search }: Window & Partial<Pick<Paging<'name'>, 'search'>>,
): Promise<{ items: GroupMember[]; total: number }> {
  const table = searchedTables[kind]
  const found = search && table && (await mayContain(db, table, search.text, [sql.ref('candidates.uid')]))
  const matching = candidatesIn(db, kind, place)
    .where((eb) => isFound(db, search, () => eb.ref('candidates.name')))
    .$if(found !== undefined, (query) => query.where(found ?? sql<boolean>`true`))
  const total =
    (search === undefined ? await countCandidates(db, kind, place) : undefined) ?? (await countOf(matching))
  const reading = fromNearerEnd({ limit, offset }, total)
  const isFew = await isFewFound(db, table, search?.text, total)
  const rows = await matching
    .select(['uid', 'name', 'note', 'busy'])
    .select((eb) => endOf(kind, place.groupId, eb.ref('candidates.uid')).as('endMs'))
    .orderBy((eb) => {
      const order = byName(db, eb.ref('candidates.name'))
      return isFew ? sorted(db, order) : order
    }, reading.read('asc'))
    .orderBy('uid', reading.read('asc'))
    .limit(reading.limit)
    .offset(reading.offset)
    .execute()
  const items = reading.inOrder(rows).map(({ busy, endMs, ...row }) => ({
    ...row,
    isBusy: busy === 1,
    expiresAt: endMs === null ? null : new Date(endMs).toISOString(),
  }))
  return { items, total }
}

/** Channels have no index for searches: they are few. */
const searchedTables: Readonly<Partial<Record<MemberKind, SearchedTable>>> = {
  unit: 'devices',
  user: 'users',
}

/** Units and users of a customer, as they are counted already; undefined for what is not. */
async function countCandidates(
  db: Queries,
  kind: MemberKind,
  { inventoryId, groupId }: Place,
): Promise<number | undefined> {
  if (groupId !== undefined) return undefined
  if (kind === 'unit') return await keptCount(db, 'devices', [['unit', inventoryId]])
  if (kind === 'user') return await keptCount(db, 'user_inventories', [[inventoryId]])
  return undefined
}

const endOf = (kind: MemberKind, groupId: string | undefined, uid: Expression<string>) =>
  kind === 'unit' && groupId !== undefined
    ? sql<
        number | null
      >`(select expires_ms from group_units where group_id = ${groupId} and unit_id = ${uid})`
    : sql<null>`null`

/** The ids of `ids` that belong to the customer. */
export async function candidateIds(
  db: Queries,
  kind: MemberKind,
  inventoryId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await candidatesIn(db, kind, { inventoryId }).select('uid').where('uid', 'in', ids).execute()
  return new Set(rows.map(({ uid }) => uid))
}

/** The channels that do more than receive one unit: they return video, or join the cameras of several. */
export async function specialChannels(db: Queries): Promise<{ id: string; isReturn: boolean }[]> {
  const { rows } = await sql<{ id: string; returns: number }>`
    select c.id, case when ${isReturn} then 1 else 0 end as returns
    from channels c join devices s on s.id = c.server_id
    where ${isReturn} or c.kind = 'GROUP_CHANNEL'`.execute(db)
  return rows.map(({ id, returns }) => ({ id, isReturn: returns === 1 }))
}

/** Names of members that transmit or are allocated, a few of them. */
export async function busyMembers(db: Queries, place: Required<Place>): Promise<string[]> {
  const found = await Promise.all(
    (['unit', 'channel', 'vrChannel'] as const).map((kind) =>
      candidatesIn(db, kind, place)
        .select('name')
        .where('busy', '=', 1)
        .orderBy('candidates.name')
        .limit(10)
        .execute(),
    ),
  )
  return found.flat().map(({ name }) => name)
}

export async function memberships(
  db: Queries,
  kind: AnyMember,
  scope?: Scope,
  only?: readonly string[],
): Promise<{ groupId: string; memberId: string }[]> {
  const { table, column } = memberTables[kind]
  return await db
    .selectFrom(table as 'group_units')
    .select(['group_id as groupId', `${column as 'unit_id'} as memberId`])
    .$if(scope !== undefined, (query) =>
      query.where('group_id', 'in', (eb) =>
        eb
          .selectFrom('groups')
          .select('groups.id')
          .where((inner) =>
            groupInScope(scope as Scope, {
              id: inner.ref('groups.id'),
              inventoryId: inner.ref('groups.inventory_id'),
            }),
          ),
      ),
    )
    .$if(only !== undefined, (query) => query.where('group_id', 'in', only ?? []))
    .orderBy('group_id')
    .orderBy(column as 'unit_id')
    .execute()
}

export async function memberIds(db: Queries, kind: AnyMember, groupId: string): Promise<string[]> {
  const { table, column } = memberTables[kind]
  const rows = await db
    .selectFrom(table as 'group_units')
    .select(`${column as 'unit_id'} as id`)
    .where('group_id', '=', groupId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The same, of one sort of channels alone. */
export async function memberIdsOf(db: Queries, kind: MemberKind, groupId: string): Promise<string[]> {
  const ids = await memberIds(db, tableKindOf(kind), groupId)
  if (kind !== 'channel' && kind !== 'vrChannel') return ids
  const special = await specialChannels(db)
  const returns = new Set(special.filter(({ isReturn }) => isReturn).map(({ id }) => id))
  return ids.filter((id) => returns.has(id) === (kind === 'vrChannel'))
}

export async function groupIdsOfMember(db: Queries, kind: AnyMember, memberId: string): Promise<string[]> {
  const { table, column } = memberTables[kind]
  const rows = await db
    .selectFrom(table as 'group_units')
    .select('group_id as id')
    .where(column as 'unit_id', '=', memberId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Answers whether the membership is new. */
export async function insertMember(
  db: Queries,
  kind: AnyMember,
  groupId: string,
  memberId: string,
): Promise<boolean> {
  const { table, column } = memberTables[kind]
  const { numInsertedOrUpdatedRows } = await db
    .insertInto(table as 'group_channels')
    .values({ group_id: groupId, [column as 'channel_id']: memberId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** New memberships of units. */
export const insertUnits = (
  db: Queries,
  members: readonly { groupId: string; unitId: string }[],
): Promise<void> =>
  insertMany(
    db,
    'group_units',
    members.map(({ groupId, unitId }) => ({ group_id: groupId, unit_id: unitId, expires_ms: null })),
  )

/** Answers whether there was one. */
export async function deleteMember(
  db: Queries,
  kind: AnyMember,
  groupId: string,
  memberId: string,
): Promise<boolean> {
  const { table, column } = memberTables[kind]
  const { numDeletedRows } = await db
    .deleteFrom(table as 'group_units')
    .where('group_id', '=', groupId)
    .where(column as 'unit_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) > 0
}

/** The end of the unit's membership; null when it does not expire, undefined when there is none. */
export async function unitEndMs(
  db: Queries,
  groupId: string,
  unitId: string,
): Promise<number | null | undefined> {
  const row = await db
    .selectFrom('group_units')
    .select('expires_ms')
    .where('group_id', '=', groupId)
    .where('unit_id', '=', unitId)
    .executeTakeFirst()
  return row?.expires_ms
}

/** Answers whether there is such a membership. */
export async function saveUnitEnd(
  db: Queries,
  groupId: string,
  unitId: string,
  endMs: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('group_units')
    .set({ expires_ms: endMs })
    .where('group_id', '=', groupId)
    .where('unit_id', '=', unitId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) > 0
}

/** Removes every unit whose membership has expired, except those that transmit. */
export async function removeExpiredMembers(
  db: Queries,
  nowMs: number,
): Promise<{ groupId: string; unitId: string }[]> {
  return await db
    .deleteFrom('group_units')
    .where('expires_ms', '<=', nowMs)
    .where((eb) => eb.not(transmits('group_units.unit_id')))
    .returning(['group_id as groupId', 'unit_id as unitId'])
    .execute()
}
