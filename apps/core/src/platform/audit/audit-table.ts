import type { WireCause } from '@backhaul/contract/define/refusals'
import type { AuditFilter } from '@backhaul/contract/nouns/audit'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { causeColumn } from '../../database/causes.ts'
import { contains } from '../../database/dialect.ts'
import { countOf, type Reading } from '../../database/paging.ts'
import type { AuditRow, Database, Queries, Schema } from '../../database/schema.ts'
import { inventoryInScope, type Scope } from '../../database/scope.ts'

export interface AuditLine {
  /** Null where no user is signed in, for instance on a wrong password. */
  userId: string | null
  username: string
  /** Name of the API key that acted for the user, if one did. */
  apiKey?: string | undefined
  /** The scope of the user: an object outside of it is not recorded as the one that they meant. */
  scope: Scope
  /** Noun and verb, for instance `units.rename`. */
  action: string
  objectKind: string
  objectId: string | null
  /** The inventory of the object, where its id does not show it. */
  inventoryId: string | null
  address: string
  /** `done`, the text of the refusal, or `failed` for an internal error. */
  result: string
  /** The code of the refusal. */
  cause?: WireCause | undefined
  /** The arguments of the request; never a secret. */
  details: Readonly<Record<string, unknown>>
}

type StoredLine = Omit<AuditLine, 'scope'> & { id: string; atMs: number }

/** The customers of the user who acted and of the object that they changed. */
interface Customers {
  ofPerson: readonly string[]
  ofObject: ReadonlySet<string>
}

export async function insertLine(db: Database, line: StoredLine, customers: Customers): Promise<void> {
  const { ofPerson, ofObject } = customers
  // An action of a user for one customer is not shown to another customer of the same user.
  const isForOwn = ofPerson.some((id) => ofObject.has(id))
  const all = isForOwn ? ofObject : new Set([...ofPerson, ...ofObject])
  const rows = [...all].map((inventoryId) => ({
    line_id: line.id,
    inventory_id: inventoryId,
    at_ms: line.atMs,
    of_thing: ofObject.has(inventoryId) ? (1 as const) : (0 as const),
  }))
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('audit')
      .values({
        id: line.id,
        at_ms: line.atMs,
        user_id: line.userId,
        username: line.username,
        action: line.action,
        object_kind: line.objectKind,
        object_id: line.objectId,
        inventory_id: line.inventoryId,
        address: line.address,
        result: line.result,
        cause: causeColumn(line.cause),
        details: JSON.stringify(line.details),
        api_key: line.apiKey ?? null,
      })
      .execute()
    if (rows.length > 0) await transaction.insertInto('audit_customers').values(rows).execute()
  })
}

/** The customers of a user, who need not be signed in; vendor staff act for none. */
export async function customersOf(
  db: Queries,
  { userId, username }: Pick<AuditLine, 'userId' | 'username'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('user_inventories')
    .innerJoin('users', 'users.id', 'user_inventories.user_id')
    .select('user_inventories.inventory_id as id')
    .where((eb) =>
      userId === null ? eb('username_key', '=', username.toLowerCase()) : eb('users.id', '=', userId),
    )
    .where('users.roles', 'not like', '%"super_user"%')
    .execute()
  return rows.map(({ id }) => id)
}

export async function pageOfLines(
  db: Queries,
  scope: Scope,
  filter: AuditFilter,
  reading: Reading,
): Promise<AuditRow[]> {
  const rows = await inOrder(found(db, scope, filter), reading.read('desc'))
    .limit(reading.limit)
    .offset(reading.offset)
    .execute()
  return reading.inOrder(rows)
}

/** The lines that follow one in the list; from its beginning without one. */
export const linesAfter = (
  db: Queries,
  scope: Scope,
  filter: AuditFilter,
  after: AuditRow | undefined,
  limit: number,
): Promise<AuditRow[]> => {
  const lines = found(db, scope, filter)
  const rest = after
    ? lines.where((eb) => eb(eb.refTuple('at_ms', 'id'), '<', eb.tuple(after.at_ms, after.id)))
    : lines
  return inOrder(rest, 'desc').limit(limit).execute()
}

export const countLines = (db: Queries, scope: Scope, filter: AuditFilter): Promise<number> =>
  countOf(found(db, scope, filter))

/** The lines among these that are about an object of the caller's customers. */
export async function linesOfObjects(
  db: Queries,
  scope: Scope,
  lines: readonly AuditRow[],
): Promise<Set<string>> {
  if (lines.length === 0) return new Set()
  const rows = await db
    .selectFrom('audit_customers')
    .select('line_id')
    .where(
      'line_id',
      'in',
      lines.map(({ id }) => id),
    )
    .where('of_thing', '=', 1)
    .where((eb) => inventoryInScope(scope, eb.ref('inventory_id')))
    .execute()
  return new Set(rows.map((row) => row.line_id))
}

const inOrder = (lines: ReturnType<typeof found>, direction: 'asc' | 'desc') =>
  lines.selectAll().orderBy('at_ms', direction).orderBy('id', direction)

function found(db: Queries, scope: Scope, filter: AuditFilter) {
  const { from, until, username = '', action, search = '' } = filter
  const holds = (eb: Columns, column: 'username' | 'action' | 'object_id', text: string) =>
    contains(db, eb.ref(column).$notNull(), text)
  let lines = db.selectFrom('audit')
  if (!scope.everything) lines = lines.where((eb) => eb('audit.id', 'in', linesOfCustomers(eb, scope)))
  if (from !== undefined) lines = lines.where('at_ms', '>=', Date.parse(from))
  if (until !== undefined) lines = lines.where('at_ms', '<', Date.parse(until))
  if (action !== undefined) lines = lines.where('action', '=', action)
  if (username !== '') lines = lines.where((eb) => holds(eb, 'username', username))
  if (search === '') return lines
  return lines.where((eb) => {
    const isThing = holds(eb, 'object_id', search)
    // A search does not find what is left out of a line.
    const isShown: Expression<SqlBool> = scope.everything
      ? isThing
      : eb.and([isThing, eb('audit.id', 'in', linesOfCustomers(eb, scope).where('of_thing', '=', 1))])
    return eb.or([holds(eb, 'username', search), holds(eb, 'action', search), isShown])
  })
}

type Columns = ExpressionBuilder<Schema, 'audit'>

const linesOfCustomers = (eb: Columns, scope: Scope) =>
  eb
    .selectFrom('audit_customers')
    .select('line_id')
    .where((line) => inventoryInScope(scope, line.ref('audit_customers.inventory_id')))
