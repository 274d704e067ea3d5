// Searches through an index find the same rows as a scan, for all texts, and for each way of storing the rows.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byName, contains, sorted, upsertMany } from './dialect.ts'
import type { Queries, UserRow } from './schema.ts'
import {
  completeSearchIndexes,
  findsFew,
  indexTrigrams,
  isFewFound,
  mayContain,
  type SearchedTable,
} from './search.ts'
import { engines, freshDatabase, isNightly, type TestDatabase } from './testing.ts'

const numRuns = isNightly ? 400 : 40

const letter = fc.constantFrom(...'aAbBcéÉeñÑßİıσςΣ語😀%_"\\\'* \n')
const textOf = (minLength: number, maxLength: number) => fc.string({ unit: letter, minLength, maxLength })
const named = fc.tuple(textOf(0, 10), textOf(0, 6), textOf(0, 6))
const which = fc.nat(1000)
const change = fc.oneof(
  fc.record({ add: fc.array(named, { maxLength: 8 }) }),
  fc.record({ rename: which, to: named }),
  fc.record({ replace: which, by: named }),
  fc.record({ remove: which }),
)

function user(id: string, [username, first, last]: readonly string[]): UserRow {
  return {
    id,
    username: username ?? '',
    username_key: id,
    first_name: first ?? '',
    last_name: last ?? '',
    email: null,
    email_key: null,
    user_type: 'regular',
    roles: '[]',
    label: '',
    active: 1,
    sso: 0,
    oda: 0,
    password_hash: '',
    password_policy: 'never',
    password_changed_ms: 0,
    password_expires_ms: null,
    contact: '{}',
    consents: '{}',
    consent_dates: '{}',
    services: '[]',
    created_ms: 0,
  }
}

describe.each(engines)('searches in long lists on %s', (engine) => {
  let test: TestDatabase
  beforeEach(async () => {
    test = await freshDatabase(engine)
  })
  afterEach(() => test.remove())

  const columns = ['username', 'first_name', 'last_name'] as const

  /** The ids of users with the text in one of their names. */
  async function find(db: Queries, text: string, isIndexed: boolean): Promise<string[]> {
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where((eb) => eb.or(columns.map((column) => contains(db, eb.ref(column), text))))
      .where(isIndexed ? await mayContain(db, 'users', text, [sql.ref('id')]) : sql<boolean>`true`)
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => id)
  }

  /** PostgreSQL reads a table this small as a whole unless that is forbidden. */
  const byIndex = (texts: readonly string[]) =>
    test.db.transaction().execute(async (transaction) => {
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(transaction)
      const found: string[][] = []
      for (const text of texts) found.push(await find(transaction, text, true))
      return found
    })

  it('find the same rows by an index as without, after any changes of the rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 12 }),
        fc.array(textOf(1, 5), { minLength: 1, maxLength: 8 }),
        async (changes, terms) => {
          await test.db.deleteFrom('users').execute()
          const ids: string[] = []
          for (const one of changes) await apply(test.db, ids, one)
          const names = await test.db.selectFrom('users').select(columns).execute()
          // Parts of what is there are found more often than random texts.
          const parts = names.flatMap((row) => columns.map((column) => [...row[column]].slice(1, 5).join('')))
          const texts = [...terms, ...parts.filter((part) => part !== '')]
          const scanned = await Promise.all(texts.map((text) => find(test.db, text, false)))
          expect(await byIndex(texts)).toEqual(scanned)
        },
      ),
      { numRuns },
    )
  })

  async function apply(
    db: Queries,
    ids: string[],
    one: typeof change extends fc.Arbitrary<infer C> ? C : never,
  ) {
    const idAt = (at: number) => ids[at % ids.length] ?? ''
    const setOf = ([username, first_name, last_name]: readonly [string, string, string]) => ({
      username,
      first_name,
      last_name,
    })
    if ('add' in one) {
      const rows = one.add.map((names) => user(randomUUID(), names))
      await upsertMany(db, 'users', ['id'], rows)
      ids.push(...rows.map(({ id }) => id))
    } else if (ids.length === 0) return
    else if ('rename' in one)
      await db.updateTable('users').set(setOf(one.to)).where('id', '=', idAt(one.rename)).execute()
    else if ('replace' in one) await upsertMany(db, 'users', ['id'], [user(idAt(one.replace), one.by)])
    else await db.deleteFrom('users').where('id', '=', idAt(one.remove)).execute()
  }

  it('find nothing of a change that was undone', async () => {
    const undone = test.db.transaction().execute(async (transaction) => {
      await upsertMany(transaction, 'users', ['id'], [user('one', ['Paris-West', '', ''])])
      expect(await find(transaction, 'is-we', true)).toEqual(['one'])
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await byIndex(['is-we'])).toEqual([[]])
  })

  it.runIf(engine === 'sqlite')('find rows that were there before their index', async () => {
    const found = async (trigram: string) =>
      (
        await sql`select id from inventories_search_rows join inventories_search on inventories_search.rowid = number
        where inventories_search match ${trigram} order by id`.execute(test.db)
      ).rows
    for (const id of ['Paris-West', 'Paris-East', 'Rome'])
      await sql`insert into inventories (id, name, region, customer_id, sip_server, properties, created_ms)
        values (${id}, ${id}, '', '', '', '{}', 0)`.execute(test.db)
    await indexTrigrams(test.db, 'inventories', ['id'], ['name'])
    expect(await found('ari')).toEqual([{ id: 'Paris-East' }, { id: 'Paris-West' }])
    await test.db.updateTable('inventories').set({ name: 'Lyon' }).where('id', '=', 'Paris-East').execute()
    await test.db.updateTable('inventories').set({ id: 'Nice' }).where('id', '=', 'Paris-West').execute()
    expect(await found('ari')).toEqual([{ id: 'Nice' }])
    await test.db.deleteFrom('inventories').where('id', '=', 'Nice').execute()
    expect(await found('ari')).toEqual([])
  })

  it('read every row where more than a few contain the text', async () => {
    const many = Array.from({ length: 300 }, (_, n) => user(`u${n}`, [`Person ${n}`, '', '']))
    await upsertMany(test.db, 'users', ['id'], many)
    expect((await byIndex(['person', 'son 12', 'zzz'])).map((ids) => ids.length)).toEqual([300, 11, 0])
  })

  it('find few up to a thousand, and up to a fiftieth of a long list by its index', async () => {
    const isFew = (total: number, text = 'abc') => isFewFound(test.db, 'users', text, total)
    expect([await isFew(1000), await isFew(1001)]).toEqual([true, false])
    await sql`insert into row_counts (table_name, owner, count) values ('users', '', 100000)`.execute(test.db)
    expect([await isFew(2000), await isFew(2001)]).toEqual([true, false])
    expect([await isFew(1000, 'ab'), await isFew(1001, 'ab')]).toEqual([true, false])
    expect([
      await isFewFound(test.db, undefined, 'abc', 1000),
      await isFewFound(test.db, undefined, 'abc', 1001),
    ]).toEqual([true, false])
    expect(await isFewFound(test.db, 'users', undefined, 1)).toBe(false)
  })

  it('find few among all rows before those of the caller are counted', async () => {
    const many = Array.from({ length: 1001 }, (_, n) => user(`u${n}`, [`Person ${n}`, '', '']))
    await upsertMany(test.db, 'users', ['id'], many)
    const few = (text: string) =>
      findsFew(test.db, 'users', text, contains(test.db, sql.ref('username'), text))
    expect([await few('person'), await few('son 100'), await few('zzz'), await few('99')]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('put what they find in order without the index of that order', async () => {
    const planOf = (order: (column: ReturnType<typeof sql.ref<string>>) => RawBuilder<string>) =>
      test.db.transaction().execute(async (transaction) => {
        // A table this small is sorted anyway unless that is forbidden.
        if (engine === 'postgres') {
          await sql`set local enable_seqscan = off`.execute(transaction)
          await sql`set local enable_sort = off`.execute(transaction)
        }
        const explain = engine === 'postgres' ? sql`explain` : sql`explain query plan`
        const query = sql`${explain} select id from users order by ${order(sql.ref('username'))}, id limit 1`
        return JSON.stringify((await query.execute(transaction)).rows)
      })
    const inOrder = (column: ReturnType<typeof sql.ref<string>>) => byName(test.db, column)
    expect(await planOf(inOrder)).toContain('users_in_order')
    expect(await planOf((column) => sorted(test.db, inOrder(column)))).not.toContain('users_in_order')
  })

  it('look up in an index of each long list', async () => {
    // A table this small is read as a whole unless that is forbidden.
    const plans = await test.db.transaction().execute(async (transaction) => {
      if (engine === 'postgres') {
        await sql`set local enable_seqscan = off`.execute(transaction)
        await sql`set local enable_indexscan = off`.execute(transaction)
      }
      const explain = engine === 'postgres' ? sql`explain` : sql`explain query plan`
      const plans: string[] = []
      for (const [table, key, inColumns] of lists) {
        const may = await mayContain(
          transaction,
          table,
          '1234',
          key.map((name) => sql.ref<string>(name)),
        )
        const has = inColumns.map((name) => contains(transaction, sql.ref<string>(name), '1234'))
        const query = sql`${explain} select 1 from ${sql.table(table)} where ${may} and (${sql.join(has, sql` or `)})`
        plans.push(JSON.stringify((await query.execute(transaction)).rows))
      }
      return plans
    })
    for (const [at, [table]] of lists.entries()) expect(plans[at]).toContain(indexNames[engine](table))
  })

  it.runIf(engine === 'postgres')('have their indexes made once the server allows it', async () => {
    const indexes = async () =>
      (await sql`select 1 from pg_indexes where indexname like '%\_search'`.execute(test.db)).rows.length
    await sql`drop extension pg_trgm cascade`.execute(test.db)
    const role = sql.ref(`guest_${randomUUID()}`)
    await sql`create role ${role}`.execute(test.db)
    const reason = await test.db.connection().execute(async (db) => {
      await sql`set role ${role}`.execute(db)
      try {
        return await completeSearchIndexes(db)
      } finally {
        await sql`reset role`.execute(db)
      }
    })
    await sql`drop role ${role}`.execute(test.db)
    expect(reason).toContain('permission denied to create extension')
    expect(await indexes()).toBe(0)
    expect(await find(test.db, 'zzz', true)).toEqual([])
    expect(await completeSearchIndexes(test.db)).toBeUndefined()
    expect(await indexes()).toBe(lists.length)
  })
})

const lists: readonly [SearchedTable, key: readonly string[], columns: readonly string[]][] = [
  ['users', ['id'], ['username', 'first_name', 'last_name']],
  ['groups', ['id'], ['name']],
  ['devices', ['id'], ['name']],
  ['channel_files', ['channel_id', 'unit_id', 'file_name'], ['file_name']],
]

/** The name of the search index in a plan: SQLite names a table of its own, PostgreSQL the index. */
const indexNames = {
  sqlite: (table: string) => `SEARCH ${table} USING`,
  postgres: (table: string) => `${table}_search`,
}
