import type { GroupMember } from '@backhaul/contract/nouns/groups'
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { fromNearerEnd, type Paging, type Window } from '../../database/paging.ts'
import type { Queries, Schema } from '../../database/schema.ts'
import { byName, contains } from '../../database/words.ts'
import type { AnyMember } from './groups.ts'

export const memberTables = {
  unit: { table: 'group_units', column: 'unit_id' },
  channel: { table: 'group_channels', column: 'channel_id' },
  user: { table: 'user_groups', column: 'user_id' },
} as const

interface CandidateRow {
  uid: string
  name: string
  note: string
  inventoryId: string
  busy: number
}

/** What of each kind there is, with its customer; a person stands once for each of his customers. */
const candidates: Readonly<Record<AnyMember, RawBuilder<CandidateRow>>> = {
  unit: sql<CandidateRow>`(select d.id as uid, d.name, d.product_type as note, d.inventory_id as "inventoryId",
    case when exists (select 1 from transmissions t where t.unit_id = d.id and t.stopped_ms is null)
      then 1 else 0 end as busy
    from devices d where d.kind = 'unit')`,
  channel: sql<CandidateRow>`(select c.id as uid, c.name, c.kind as note, c.inventory_id as "inventoryId",
    case when c.allocated_unit_id is null then 0 else 1 end as busy from channels c)`,
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

function candidatesIn(db: Queries, kind: AnyMember, { inventoryId, groupId }: Place) {
  const { table, column } = memberTables[kind]
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
  kind: AnyMember,
  place: Place,
  { limit, offset, search }: Window & Partial<Pick<Paging<'name'>, 'search'>>,
): Promise<{ items: GroupMember[]; total: number }> {
  const matching = candidatesIn(db, kind, place).$if(search !== undefined, (query) =>
    query.where((eb) => contains(db, eb.ref('candidates.name'), search?.text ?? '')),
  )
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const reading = fromNearerEnd({ limit, offset }, Number(total))
  const rows = await matching
    .select(['uid', 'name', 'note', 'busy'])
    .orderBy((eb) => byName(db, eb.ref('candidates.name')), reading.read('asc'))
    .orderBy('uid', reading.read('asc'))
    .limit(reading.limit)
    .offset(reading.offset)
    .execute()
  const items = reading.inOrder(rows).map(({ busy, ...row }) => ({ ...row, isBusy: busy === 1 }))
  return { items, total: Number(total) }
}

/** Those of `ids` that are of the customer. */
export async function candidateIds(
  db: Queries,
  kind: AnyMember,
  inventoryId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await candidatesIn(db, kind, { inventoryId }).select('uid').where('uid', 'in', ids).execute()
  return new Set(rows.map(({ uid }) => uid))
}

/** Names of members that transmit or are allocated, a few of them. */
export async function busyMembers(db: Queries, place: Required<Place>): Promise<string[]> {
  const found = await Promise.all(
    (['unit', 'channel'] as const).map((kind) =>
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
