// The numbers of rows of long lists, kept by triggers: counting a million of them takes longer than reading a page.
import { type Expression, type SqlBool, sql } from 'kysely'
import { engineOf } from './dialect.ts'
import type { Queries, Schema } from './schema.ts'

/** The subject of a count: the values of the columns that a table is counted by. */
type Owner = readonly string[]

const ownerText = (owner: Owner): string => owner.join('/')

/** Whether the text of an owner is that of one whose rows are counted. */
type IsCounted = (owner: Expression<string>) => Expression<SqlBool>

const anyOf =
  (owners: readonly Owner[]): IsCounted =>
  (owner) =>
    owners.length === 0 ? sql`1 = 0` : sql`${owner} in (${sql.join(owners.map(ownerText))})`

const countsOf = (db: Queries, table: keyof Schema, isCounted: IsCounted) =>
  db
    .selectFrom('row_counts')
    .select((eb) => eb.fn.sum<number | string | null>('count').as('count'))
    .where('table_name', '=', table)
    .where((eb) => isCounted(eb.ref('owner')))

/** The rows of a table, or those of some owners; only of a table that is counted. */
export async function keptCount(
  db: Queries,
  table: keyof Schema,
  owners: readonly Owner[] | IsCounted = () => sql`1 = 1`,
): Promise<number> {
  const isCounted = typeof owners === 'function' ? owners : anyOf(owners)
  const { count } = await countsOf(db, table, isCounted).executeTakeFirstOrThrow()
  return Number(count ?? 0)
}

/** The owners with the most rows of a table, at most this many; those without any are left out. */
export async function largestCounts(
  db: Queries,
  table: keyof Schema,
  most: number,
  isCounted: IsCounted,
): Promise<{ owner: string; count: number }[]> {
  const rows = await countsOf(db, table, isCounted)
    .select('owner')
    .groupBy('owner')
    .having((eb) => eb(eb.fn.sum('count'), '>', 0))
    .orderBy('count', 'desc')
    .orderBy('owner')
    .limit(most)
    .execute()
  return rows.map(({ owner, count }) => ({ owner, count: Number(count) }))
}

/**
 * Creates the table of the counts of all counted tables. On PostgreSQL the count of an owner is the sum of its rows.
 */
export async function createRowCounts(db: Queries): Promise<void> {
  const isPostgres = engineOf(db) === 'postgres'
  await sql`create table row_counts (table_name text not null, owner text not null, count bigint not null
    ${isPostgres ? sql`` : sql`, primary key (table_name, owner)`})`.execute(db)
  if (!isPostgres) return
  await sql`create index row_counts_owner on row_counts (table_name, owner)`.execute(db)
  // One row for each owner would make every writer wait for the one before; rows that another one holds are left to it.
  await sql`create function add_to_row_count(of_table text, of_owner text, more bigint) returns void
    language plpgsql set search_path from current as $$
    declare total bigint;
    begin
      with free as (
        select ctid from row_counts where table_name = of_table and owner = of_owner for update skip locked
      ), gone as (
        delete from row_counts where ctid = any (array(select ctid from free)) returning count
      )
      select coalesce(sum(count), 0) + more into total from gone;
      if total <> 0 then insert into row_counts (table_name, owner, count) values (of_table, of_owner, total); end if;
    end $$`.execute(db)
}

/** Counts the rows of a table from now on, for each combination of the columns `by`. */
export async function keepRowCounts(db: Queries, table: keyof Schema, by: readonly string[]): Promise<void> {
  await sql`insert into row_counts (table_name, owner, count)
    select ${sql.lit(table)}, ${ownerOf(by)}, count(*) from ${sql.table(table)}
    group by 2 having count(*) > 0`.execute(db)
  if (engineOf(db) === 'postgres') await countByStatement(db, table, by)
  else await countByRow(db, table, by)
}

/** The owner of a row, as `ownerText` has it; `row` is `new.` or `old.` in a trigger. */
const ownerOf = (by: readonly string[], row = '') =>
  by.length === 0
    ? sql`''`
    : sql.join(
        by.map((name) => sql`${sql.raw(row)}${sql.ref(name)}`),
        sql` || '/' || `,
      )

/** Some columns of a row were changed. */
const isMoved = (by: readonly string[]) =>
  sql.join(
    by.map((name) => sql`old.${sql.ref(name)} <> new.${sql.ref(name)}`),
    sql` or `,
  )

async function countByRow(db: Queries, table: keyof Schema, by: readonly string[]): Promise<void> {
  const change = (row: 'new' | 'old') => {
    const owner = ownerOf(by, `${row}.`)
    return row === 'new'
      ? sql`insert into row_counts (table_name, owner, count) values (${sql.lit(table)}, ${owner}, 1)
          on conflict (table_name, owner) do update set count = count + 1;`
      : sql`update row_counts set count = count - 1 where table_name = ${sql.lit(table)} and owner = ${owner};
          delete from row_counts where table_name = ${sql.lit(table)} and owner = ${owner} and count = 0;`
  }
  const trigger = (when: string) => sql.ref(`${table}_count_${when}`)
  await sql`create trigger ${trigger('insert')} after insert on ${sql.table(table)}
    begin ${change('new')} end`.execute(db)
  await sql`create trigger ${trigger('delete')} after delete on ${sql.table(table)}
    begin ${change('old')} end`.execute(db)
  if (by.length > 0)
    await sql`create trigger ${trigger('update')} after update of ${sql.join(by.map((name) => sql.ref(name)))}
      on ${sql.table(table)} when ${isMoved(by)} begin ${change('old')} ${change('new')} end`.execute(db)
}

async function countByStatement(db: Queries, table: keyof Schema, by: readonly string[]): Promise<void> {
  const name = (when: string) => sql.ref(`${table}_count_${when}`)
  const add = (owner: ReturnType<typeof ownerOf>, more: string) =>
    sql`perform add_to_row_count(${sql.lit(table)}, ${owner}, ${sql.raw(more)});`
  await sql`create function ${name('changed')}() returns trigger language plpgsql set search_path from current as $$
    declare one record;
    begin
      for one in select ${ownerOf(by)} as owner, count(*) as many from changed group by 1 loop
        ${add(sql`one.owner`, "case tg_op when 'INSERT' then one.many else -one.many end")}
      end loop;
      return null;
    end $$`.execute(db)
  for (const [when, rows] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ] as const)
    await sql`create trigger ${name(when)} after ${sql.raw(when)} on ${sql.table(table)}
      referencing ${sql.raw(rows)} table as changed for each statement
      execute function ${name('changed')}()`.execute(db)
  if (by.length === 0) return
  await sql`create function ${name('moved')}() returns trigger language plpgsql set search_path from current as $$
    begin ${add(ownerOf(by, 'old.'), '-1')} ${add(ownerOf(by, 'new.'), '1')} return null; end $$`.execute(db)
  await sql`create trigger ${name('update')} after update of ${sql.join(by.map((one) => sql.ref(one)))}
    on ${sql.table(table)} for each row when (${isMoved(by)}) execute function ${name('moved')}()`.execute(db)
}
