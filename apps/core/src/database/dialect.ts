// The differences between the SQL of SQLite and PostgreSQL: one function each, so that no feature knows its engine.
import { CompiledQuery, type Expression, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Queries, Schema } from './schema.ts'

export type Engine = 'sqlite' | 'postgres'

export function engineOf(db: Queries): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/** The column type for raw bytes. */
export function blobType(db: Queries): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`bytea` : sql`blob`
}

/** True where `column` contains `text`, without regard to case; `%` and `_` in the text mean themselves. */
export function contains(db: Queries, column: Expression<string>, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return engineOf(db) === 'postgres'
    ? sql<boolean>`${column} ilike ${pattern} escape '\\'`
    : sql<boolean>`${column} like ${pattern} escape '\\'`
}

/** An order of names that both engines agree on: without case, then by code point. */
export function byName(db: Queries, column: Expression<string>): RawBuilder<string> {
  return engineOf(db) === 'postgres'
    ? sql<string>`lower(${column}) collate "C"`
    : sql<string>`lower(${column}) collate binary`
}

/**
 * An order of texts for which the rows are sorted: both engines would read them by an index in that order, past all rows
 * that are not found. PostgreSQL does so where it takes rows for more than they are, and for evenly spread.
 */
export const sorted = (db: Queries, order: Expression<string>): RawBuilder<string> =>
  engineOf(db) === 'postgres' ? sql<string>`(${order} || '')` : sql<string>`+${order}`

/** The smaller of two values in one row. */
export const smaller = (db: Queries, a: Expression<number>, b: Expression<number>): RawBuilder<number> =>
  engineOf(db) === 'postgres' ? sql<number>`least(${a}, ${b})` : sql<number>`min(${a}, ${b})`

/** The larger of two values in one row. */
export const larger = (db: Queries, a: Expression<number>, b: Expression<number>): RawBuilder<number> =>
  engineOf(db) === 'postgres' ? sql<number>`greatest(${a}, ${b})` : sql<number>`max(${a}, ${b})`

/** An index that a list in the order of `byName`, then by id, is read from; `within` are columns that narrow it. */
export async function indexByName(
  db: Queries,
  table: keyof Schema,
  column: string,
  within: readonly string[] = [],
): Promise<void> {
  const name = [table, 'in_order', ...within].join('_')
  const first = within.map((one) => sql`${sql.ref(one)}, `)
  const order = byName(db, sql.ref<string>(column))
  const key = engineOf(db) === 'postgres' ? sql`(${order})` : order
  await sql`create index ${sql.ref(name)} on ${sql.table(table)}
    (${sql.join(first, sql``)}${key}, id)`.execute(db)
}

/**
 * An index for `contains` on PostgreSQL: of every three characters in a row; SQLite has its own, see search.ts. Its
 * extension belongs to PostgreSQL; throws where it is not installed, or may not be created. Few changes wait to be put into
 * the index, since each search reads all that wait.
 */
export async function indexForSearch(
  db: Queries,
  table: keyof Schema,
  columns: readonly string[],
): Promise<void> {
  const keys = sql.join(columns.map((column) => sql`${sql.ref(column)} gin_trgm_ops`))
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`create index ${sql.ref(`${table}_search`)} on ${sql.table(table)} using gin (${keys})
    with (gin_pending_list_limit = 256)`.execute(db)
}

/** Makes a table refuse every change and removal of its rows. */
export async function appendOnly(db: Queries, table: keyof Schema): Promise<void> {
  const name = sql.ref(`${table}_append_only`)
  if (engineOf(db) === 'postgres') {
    await sql`create function ${name}() returns trigger language plpgsql as
      $$ begin raise exception 'rows of % are never changed', tg_table_name; end $$`.execute(db)
    await sql`create trigger ${name} before update or delete on ${sql.table(table)}
      for each row execute function ${name}()`.execute(db)
    return
  }
  for (const change of ['update', 'delete'] as const) {
    await sql`create trigger ${sql.ref(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.table(table)}
      begin select raise(abort, ${sql.lit(`rows of ${table} are never changed`)}); end`.execute(db)
  }
}

/** Keeps every other core from migrating until this transaction ends; SQLite's one writer does so by itself. */
export async function holdMigrations(db: Queries): Promise<void> {
  if (engineOf(db) === 'postgres') await sql`select pg_advisory_xact_lock(826254)`.execute(db)
}

/** Inserts rows, all or none. All rows must have the same columns. */
export async function insertMany<T extends keyof Schema & string>(
  db: Queries,
  table: T,
  rows: readonly Schema[T][],
): Promise<void> {
  await insertRows(db, table, rows, sql``)
}

/**
 * Inserts rows except those whose key exists already or is that of an earlier one; answers the ids of those inserted.
 */
export async function insertUnlessTaken<T extends keyof Schema & string>(
  db: Queries,
  table: T,
  key: readonly (keyof Schema[T] & string)[],
  rows: readonly Schema[T][],
): Promise<Set<string>> {
  const inserted = await insertRows(
    db,
    table,
    rows,
    sql`on conflict (${columnsOf(key)}) do nothing returning id`,
  )
  return new Set(inserted.map(({ id }) => id))
}

/** Inserts rows, or replaces the other columns where a row with the same key exists already; all or none. */
export async function upsertMany<T extends keyof Schema & string>(
  db: Queries,
  table: T,
  key: readonly (keyof Schema[T] & string)[],
  rows: readonly Schema[T][],
): Promise<void> {
  const replaced = Object.keys((rows[0] ?? {}) as object).filter(
    (column) => !(key as readonly string[]).includes(column),
  )
  const conflict =
    replaced.length === 0
      ? sql`do nothing`
      : sql`do update set ${sql.join(replaced.map((c) => sql`${sql.ref(c)} = excluded.${sql.ref(c)}`))}`
  await insertRows(db, table, rows, sql`on conflict (${columnsOf(key)}) ${conflict}`)
}

const columnsOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** PostgreSQL takes 65,535 values in one statement. */
const valuesAtMost = 60_000

/** On SQLite one statement, prepared once, runs for each row; on PostgreSQL a statement holds many rows. */
async function insertRows<T extends keyof Schema & string>(
  db: Queries,
  table: T,
  rows: readonly Schema[T][],
  ending: RawBuilder<unknown>,
): Promise<{ id: string }[]> {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first as object)
  const values = (rows as readonly object[] as readonly Record<string, unknown>[]).map((row) =>
    columns.map((name) => row[name]),
  )
  const insert = (some: typeof values) => sql<{ id: string }>`
    insert into ${sql.table(table)} (${columnsOf(columns)})
    values ${sql.join(some.map((row) => sql`(${sql.join(row)})`))} ${ending}`
  if (engineOf(db) === 'sqlite') {
    const { sql: statement } = insert(values.slice(0, 1)).compile(db)
    return (await db.executeQuery<{ id: string }>(CompiledQuery.raw(statement, values))).rows
  }
  const rowsAtMost = Math.floor(valuesAtMost / columns.length)
  if (rows.length > rowsAtMost && !db.isTransaction)
    return await db.transaction().execute((transaction) => insertRows(transaction, table, rows, ending))
  const inserted: { id: string }[] = []
  for (let start = 0; start < rows.length; start += rowsAtMost)
    inserted.push(...(await insert(values.slice(start, start + rowsAtMost)).execute(db)).rows)
  return inserted
}

/** True when the error means that a row with the same key or name exists already. */
export function isTaken(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'unique' || code === '23505'
}

/** True when the error means that the row that another row refers to does not exist. */
export function isOrphan(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'foreign-key' || code === '23503'
}
