// Searches for a part of a name in long lists: an index of every three letters in a row names the rows that may contain it.
// `contains` still decides, so that a search finds the same rows with the index and without it.
import { type Expression, type RawBuilder, sql } from 'kysely'
import { engineOf, indexForSearch } from './dialect.ts'
import { countOf } from './paging.ts'
import { keptCount } from './row-counts.ts'
import type { Queries, Schema } from './schema.ts'

/** The columns with such an index. */
const indexed = {
  users: ['username', 'first_name', 'last_name'],
  groups: ['name'],
  devices: ['name'],
  channel_files: ['file_name'],
} as const satisfies { [Table in keyof Schema]?: readonly (keyof Schema[Table] & string)[] }

export type SearchedTable = keyof typeof indexed

export const isIndexed = (table: SearchedTable, column: string): boolean =>
  (indexed[table] as readonly string[]).includes(column)

/** The key of each table, whose columns a search is narrowed by. */
const keys: Readonly<Record<SearchedTable, readonly string[]>> = {
  users: ['id'],
  groups: ['id'],
  devices: ['id'],
  channel_files: ['channel_id', 'unit_id', 'file_name'],
}

/** Every row of a table has a permanent number here: SQLite may change its own when it compacts a file. */
const numbersOf = (table: string) => sql.table(`${table}_search_rows`)
const indexOf = (table: string) => sql.table(`${table}_search`)

/**
 * An index for `contains` on SQLite, which triggers keep: full text of three letters each, without the text itself.
 * PostgreSQL has its own, see `indexForSearch`.
 */
export async function indexTrigrams(
  db: Queries,
  table: keyof Schema,
  key: readonly string[],
  columns: readonly string[],
): Promise<void> {
  if (engineOf(db) !== 'sqlite') return
  const [index, numbers] = [indexOf(table), numbersOf(table)]
  const list = (names: readonly string[], of = '') =>
    sql.join(names.map((name) => (of === '' ? sql.ref(name) : sql`${sql.raw(of)}.${sql.ref(name)}`)))
  const isRow = (row: string) =>
    sql.join(
      key.map((name) => sql`${sql.ref(name)} = ${sql.raw(row)}.${sql.ref(name)}`),
      sql` and `,
    )
  const typed = sql.join(key.map((name) => sql`${sql.ref(name)} text not null`))
  await sql`create table ${numbers} (number integer primary key, ${typed}, unique (${list(key)}))`.execute(db)
  await sql`create virtual table ${index} using fts5(${list(columns)}, tokenize = 'trigram',
    content = '', contentless_delete = 1, detail = none)`.execute(db)
  await sql`insert into ${numbers} (${list(key)}) select ${list(key)} from ${sql.table(table)}`.execute(db)
  await sql`insert into ${index} (rowid, ${list(columns)})
    select number, ${list(columns, 'listed')} from ${numbers} join ${sql.table(table)} as listed
    using (${list(key)})`.execute(db)

  const numberOf = (row: string) => sql`(select number from ${numbers} where ${isRow(row)})`
  const add = sql`insert into ${index} (rowid, ${list(columns)}) values (${numberOf('new')}, ${list(columns, 'new')});`
  const remove = sql`delete from ${index} where rowid = ${numberOf('old')};`
  const watched = [...new Set([...key, ...columns])]
  const isOther = sql.join(
    watched.map((name) => sql`old.${sql.ref(name)} is not new.${sql.ref(name)}`),
    sql` or `,
  )
  const trigger = (when: string) => sql.ref(`${table}_search_${when}`)
  await sql`create trigger ${trigger('insert')} after insert on ${sql.table(table)} begin
    insert into ${numbers} (${list(key)}) values (${list(key, 'new')});
    ${add} end`.execute(db)
  await sql`create trigger ${trigger('delete')} after delete on ${sql.table(table)} begin
    ${remove} delete from ${numbers} where ${isRow('old')}; end`.execute(db)
  await sql`create trigger ${trigger('update')} after update of ${list(watched)} on ${sql.table(table)}
    when ${isOther} begin
    ${remove} update ${numbers} set (${list(key)}) = (${list(key, 'new')}) where ${isRow('old')};
    ${add} end`.execute(db)
}

/** This many trigrams narrow a search enough; `contains` checks the rest of a longer text. */
const trigramsAtMost = 16

/** Three letters in a row each, as a query of SQLite's full text; undefined for a text that has none. */
function trigramQuery(text: string): string | undefined {
  const letters = [...text]
  // A text ends at this sign for SQLite.
  if (!hasTrigram(text) || text.includes('\0')) return undefined
  const trigrams = new Set(letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`))
  return [...trigrams]
    .slice(0, trigramsAtMost)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
    .join(' ')
}

const everyRow = sql<boolean>`true`

/** From this part of a long table on it is quicker to read all of it in its order than to look up one row after the other. */
const manyIsOneOf = 50

/** Up to this many rows are looked up one by one. */
const fewOf = (numbers: RawBuilder<unknown>) =>
  sql<number>`(select max(coalesce(max(number), 0) / ${sql.lit(manyIsOneOf)}, 100) from ${numbers})`

/**
 * A condition that leaves the rows that may contain the text, where an index finds few of them; else it leaves every row.
 * `key` are the columns of the table's key. PostgreSQL uses its index by itself.
 */
export async function mayContain(
  db: Queries,
  table: SearchedTable,
  text: string,
  key: readonly Expression<string>[],
): Promise<RawBuilder<boolean>> {
  const query = engineOf(db) === 'sqlite' ? trigramQuery(text) : undefined
  if (query === undefined || !(await namesFew(db, table, query))) return everyRow
  const [index, numbers] = [indexOf(table), numbersOf(table)]
  const columns = sql.join(keys[table].map((name) => sql`numbers.${sql.ref(name)}`))
  return sql<boolean>`(${sql.join(key)}) in (select ${columns} from ${index} as found
    cross join ${numbers} as numbers on numbers.number = found.rowid where ${matches(table, query)})`
}

const matches = (table: SearchedTable, query: string) =>
  sql<boolean>`${sql.ref(`${table}_search`)} match ${query}`

/** Whether the index of SQLite names few rows for a query. */
async function namesFew(db: Queries, table: SearchedTable, query: string): Promise<boolean> {
  const most = fewOf(numbersOf(table))
  const { isFew } = await db
    .selectFrom(
      sql<{ isFew: number }>`(select count(*) <= ${most} as "isFew"
        from (select rowid from ${indexOf(table)} where ${matches(table, query)} limit ${most} + 1))`.as(
        'found',
      ),
    )
    .select('isFew')
    .executeTakeFirstOrThrow()
  return isFew === 1
}

/** As many rows are put in order in a moment, in a table of any length. */
const alwaysFew = 1000

/** The most rows that are few among those that an index for searches finds in a table. */
const mostOfFew = async (db: Queries, table: SearchedTable): Promise<number> =>
  Math.max(alwaysFew, Math.floor((await keptCount(db, table)) / manyIsOneOf))

const hasTrigram = (text: string): boolean => [...text].length >= 3

/**
 * Whether a search finds so few rows that they are put in order after they are found: in the order of a long list most of
 * it could be read for them. `table` is the one whose index answers the search; without it both ways read every row, and
 * that in order ends with the page.
 */
export async function isFewFound(
  db: Queries,
  table: SearchedTable | undefined,
  text: string | undefined,
  total: number,
): Promise<boolean> {
  if (text === undefined) return false
  if (total <= alwaysFew) return true
  return table !== undefined && hasTrigram(text) && total <= (await mostOfFew(db, table))
}

/**
 * Whether a search finds few among all rows of a table, of which the caller may read some only. SQLite answers it by its
 * index alone.
 */
export async function findsFew(
  db: Queries,
  table: SearchedTable,
  text: string,
  isFound: Expression<boolean>,
): Promise<boolean> {
  if (engineOf(db) === 'sqlite') {
    const query = trigramQuery(text)
    return query !== undefined && (await namesFew(db, table, query))
  }
  if (!hasTrigram(text)) return false
  const most = await mostOfFew(db, table)
  const found = sql`select 1 from ${sql.table(table)} where ${isFound} limit ${most + 1}`
  return (await countOf(db.selectFrom(sql`(${found})`.as('found')))) <= most
}

/**
 * Makes the indexes for searches that PostgreSQL does not have yet: its extension may have been installed only since the
 * start before. Answers why it cannot; searches then read every row.
 */
export async function completeSearchIndexes(db: Queries): Promise<string | undefined> {
  if (engineOf(db) !== 'postgres') return undefined
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where schemaname = current_schema()`.execute(db)
  const present = new Set(rows.map(({ name }) => name))
  try {
    for (const [table, columns] of Object.entries(indexed))
      if (!present.has(`${table}_search`)) await indexForSearch(db, table as SearchedTable, columns)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
