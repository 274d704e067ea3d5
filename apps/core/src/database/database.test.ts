import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './database.ts'
import { byName, contains, insertMany, insertUnlessTaken, isOrphan, isTaken, upsertMany } from './dialect.ts'
import { migrate } from './migrate.ts'
import type { Queries } from './schema.ts'
import { engines, freshDatabase, inventoryRow as inventory, type TestDatabase } from './testing.ts'

describe('a database that cannot be opened', () => {
  it('is named with the reason, and without its password', async () => {
    const opened = openDatabase({ url: 'postgres://core:secret@localhost:1/backhaul' })
    await expect(opened).rejects.toThrow(/^The database at localhost:1 cannot be used: .*ECONNREFUSED/)
    const noFolder = openDatabase({ file: '/dev/null/nowhere/backhaul.db' })
    await expect(noFolder).rejects.toThrow('/dev/null/nowhere/backhaul.db cannot be used: ENOTDIR')
  })
})

describe.each(engines)('the database on %s', (engine) => {
  let test: TestDatabase
  beforeEach(async () => {
    test = await freshDatabase(engine)
  })
  afterEach(() => test.remove())

  const names = async () =>
    (await test.db.selectFrom('inventories').select('id').orderBy('id').execute()).map((r) => r.id)

  it('migrates once, however often it starts', async () => {
    expect(await migrate(test.db)).toEqual([])
    expect(await Promise.all([migrate(test.db), migrate(test.db)])).toEqual([[], []])
  })

  it('refuses a database of a newer release', async () => {
    await sql`insert into migrations (name) values ('9999-tomorrow')`.execute(test.db)
    await expect(migrate(test.db)).rejects.toThrow('from a newer release: it has 9999-tomorrow')
  })

  it('returns times as numbers and bytes as bytes', async () => {
    await test.db.insertInto('inventories').values(inventory('acme')).execute()
    const row = await test.db.selectFrom('inventories').selectAll().executeTakeFirstOrThrow()
    expect(row).toEqual(inventory('acme'))
    await test.db
      .insertInto('devices')
      .values({
        id: 'u1',
        kind: 'unit',
        inventory_id: 'acme',
        name: 'LU1',
        comment: '',
        product_type: 'LU800',
        serial_number: '1',
        sw_version: '8.0',
        token_hash: 'x',
        wanted: '{}',
        wanted_revision: 0,
        details: '{}',
        registered_ms: 0,
      })
      .execute()
    const data = new Uint8Array([0, 255, 7])
    const chunk = { unit_id: 'u1', resolution_ms: 1000, from_ms: 1, to_ms: 2, data }
    await upsertMany(test.db, 'series_chunks', ['unit_id', 'resolution_ms', 'from_ms'], [chunk])
    const found = await test.db.selectFrom('series_chunks').select('data').executeTakeFirstOrThrow()
    expect([...found.data]).toEqual([0, 255, 7])
  })

  it('reports when a name is taken or a parent is missing', async () => {
    await test.db.insertInto('inventories').values(inventory('acme')).execute()
    const again = test.db
      .insertInto('inventories')
      .values(inventory('other', { name: 'acme' }))
      .execute()
    expect(isTaken(await again.catch((error: unknown) => error))).toBe(true)
    const orphan = test.db
      .insertInto('inventories')
      .values(inventory('child', { parent_id: 'missing' }))
      .execute()
    const refused = await orphan.catch((error: unknown) => error)
    expect(isTaken(refused)).toBe(false)
    expect(isOrphan(refused)).toBe(true)
  })

  it('rolls back a transaction that fails, without the statements outside of it', async () => {
    const failing = test.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('inventories').values(inventory('half')).execute()
      expect(await names()).not.toContain('half')
      throw new Error('changed my mind')
    })
    const outside = test.db.insertInto('inventories').values(inventory('whole')).execute()
    await expect(failing).rejects.toThrow('changed my mind')
    await outside
    expect(await names()).toEqual(['whole'])
  })

  it('stores nothing of a transaction in which a list of rows was refused', async () => {
    const failing = test.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('inventories').values(inventory('before')).execute()
      const list = [inventory('first'), inventory('before'), inventory('third')]
      const refused = await insertMany(transaction, 'inventories', list).catch((error: unknown) => error)
      expect(isTaken(refused)).toBe(true)
      await transaction.insertInto('inventories').values(inventory('after')).execute()
    })
    await expect(failing).rejects.toThrow(/The transaction is over|current transaction is aborted/)
    await test.db.insertInto('inventories').values(inventory('next')).execute()
    expect(await names()).toEqual(['next'])
  })

  it.runIf(engine === 'sqlite')(
    'stores nothing of a transaction that ended because the disk was full',
    async () => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(test.db)
      await sql`pragma max_page_count = ${sql.lit(Number(rows[0]?.page_count) + 20)}`.execute(test.db)
      const add = (db: Queries, id: string, region = '') =>
        db.insertInto('inventories').values(inventory(id, { region })).execute()
      const failing = test.db.transaction().execute(async (transaction) => {
        await add(transaction, 'before')
        await expect(add(transaction, 'large', 'x'.repeat(1_000_000))).rejects.toThrow('full')
        await add(transaction, 'after')
      })
      await expect(failing).rejects.toThrow('The transaction is over')
      await add(test.db, 'next')
      expect(await names()).toEqual(['next'])
    },
  )

  it('lets exactly one of many take the same row', async () => {
    await test.db
      .insertInto('inventories')
      .values(inventory('prize', { region: 'free' }))
      .execute()
    const takers = Array.from({ length: 20 }, (_, taker) =>
      test.db.transaction().execute(async (transaction) => {
        const taken = await transaction
          .updateTable('inventories')
          .set({ region: `taker ${taker}` })
          .where('id', '=', 'prize')
          .where('region', '=', 'free')
          .executeTakeFirst()
        return Number(taken.numUpdatedRows)
      }),
    )
    expect((await Promise.all(takers)).reduce((sum, count) => sum + count)).toBe(1)
  })

  it('inserts many rows and replaces those that exist already', async () => {
    const many = Array.from({ length: 5000 }, (_, n) => inventory(`i${n}`))
    await upsertMany(test.db, 'inventories', ['id'], many)
    await upsertMany(test.db, 'inventories', ['id'], [inventory('i7', { region: 'north' })])
    const { count } = await test.db
      .selectFrom('inventories')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(5000)
    const row = await test.db.selectFrom('inventories').selectAll().where('id', '=', 'i7').executeTakeFirst()
    expect(row?.region).toBe('north')
    await upsertMany(test.db, 'user_groups', ['user_id', 'group_id'], [])
  })

  it('inserts all of many rows, or none where one is refused', async () => {
    // More rows than one statement of PostgreSQL takes.
    const many = Array.from({ length: 8000 }, (_, n) => inventory(`i${n}`))
    const refused = await insertMany(test.db, 'inventories', [...many, inventory('i7')]).catch(
      (error) => error,
    )
    expect(isTaken(refused)).toBe(true)
    expect(await names()).toEqual([])
    await insertMany(test.db, 'inventories', many)
    expect(await names()).toHaveLength(8000)
    await insertMany(test.db, 'inventories', [])
  })

  it('leaves out rows whose name is taken, and returns which were inserted', async () => {
    await insertMany(test.db, 'inventories', [inventory('acme')])
    const some = ['other', 'third', 'fourth'].map((id) =>
      inventory(id, { name: id === 'third' ? id : 'acme' }),
    )
    const key = ['name'] as const
    expect(await insertUnlessTaken(test.db, 'inventories', key, some)).toEqual(new Set(['third']))
    const twins = ['one', 'two'].map((id) => inventory(id, { name: 'twin' }))
    expect(await insertUnlessTaken(test.db, 'inventories', key, twins)).toEqual(new Set(['one']))
    expect(await names()).toEqual(['acme', 'one', 'third'])
  })

  it('rolls back many rows with the transaction that they are part of', async () => {
    const failing = test.db.transaction().execute(async (transaction) => {
      await insertMany(transaction, 'inventories', [inventory('one'), inventory('two')])
      await insertMany(transaction, 'inventories', [inventory('three'), inventory('two')])
    })
    expect(isTaken(await failing.catch((error: unknown) => error))).toBe(true)
    expect(await names()).toEqual([])
    await test.db.transaction().execute(async (transaction) => {
      await insertMany(transaction, 'inventories', [inventory('one'), inventory('two')])
      await upsertMany(transaction, 'inventories', ['id'], [inventory('two', { region: 'north' })])
    })
    expect(await names()).toEqual(['one', 'two'])
  })

  it('searches without case and takes wildcards literally, in an order both engines share', async () => {
    for (const id of ['b_Side', 'Alpha', 'beta%', 'beXa']) {
      await test.db.insertInto('inventories').values(inventory(id)).execute()
    }
    const find = (text: string) =>
      test.db
        .selectFrom('inventories')
        .select('name')
        .where((eb) => contains(test.db, eb.ref('name'), text))
        .orderBy((eb) => byName(test.db, eb.ref('name')))
        .execute()
    expect((await find('BE')).map((row) => row.name)).toEqual(['beta%', 'beXa'])
    expect((await find('%')).map((row) => row.name)).toEqual(['beta%'])
    expect((await find('_')).map((row) => row.name)).toEqual(['b_Side'])
    expect((await find('')).map((row) => row.name)).toEqual(['Alpha', 'b_Side', 'beta%', 'beXa'])
  })

  it('never changes or removes a line of the audit log', async () => {
    const line = { id: 'a', at_ms: 1, user_id: null, username: 'anna', action: 'x', object_kind: 'unit' }
    const rest = { object_id: null, inventory_id: null, address: '', result: 'ok', details: '{}' }
    await test.db
      .insertInto('audit')
      .values({ ...line, ...rest })
      .execute()
    await expect(test.db.updateTable('audit').set({ username: 'bob' }).execute()).rejects.toThrow(
      'never changed',
    )
    await expect(test.db.deleteFrom('audit').execute()).rejects.toThrow('never changed')
  })

  it('answers waiting statements with an error when it is closed', async () => {
    await test.db.destroy()
    await expect(names()).rejects.toThrow()
  })
})
