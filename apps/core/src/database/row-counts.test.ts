// The counts that triggers keep are those of the rows, after every kind of change.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { upsertMany } from './dialect.ts'
import { keepRowCounts, keptCount } from './row-counts.ts'
import type { GroupRow, Queries } from './schema.ts'
import { engines, freshDatabase, inventoryRow, isNightly, type TestDatabase } from './testing.ts'

const numRuns = isNightly ? 200 : 25
const inventories = ['north', 'south', 'east'] as const
const inventory = fc.constantFrom(...inventories)
const change = fc.oneof(
  fc.record({ add: fc.array(inventory, { maxLength: 6 }) }),
  fc.record({ move: fc.nat(1000), to: inventory }),
  fc.record({ replace: fc.nat(1000) }),
  fc.record({ remove: fc.nat(1000) }),
  fc.record({ empty: inventory }),
)
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

const group = (id: string, inventory_id: string): GroupRow => ({
  id,
  inventory_id,
  name: id,
  registration_key: id,
  unit_auto_association: 0,
  global_auto_association: 0,
  key_schedule: 'never',
  key_made_ms: 0,
  adhoc_mode: 'link',
  details: '{}',
  created_ms: 0,
})

describe.each(engines)('kept counts on %s', (engine) => {
  let test: TestDatabase
  beforeEach(async () => {
    test = await freshDatabase(engine)
    const rows = inventories.map((id) => inventoryRow(id))
    await test.db.insertInto('inventories').values(rows).execute()
  })
  afterEach(() => test.remove())

  async function counted(): Promise<number[]> {
    const each = inventories.map((id) => keptCount(test.db, 'groups', [[id]]))
    return [...(await Promise.all(each)), await keptCount(test.db, 'groups')]
  }

  async function rows(): Promise<number[]> {
    const all = await test.db.selectFrom('groups').select('inventory_id').execute()
    return [...inventories.map((id) => all.filter((one) => one.inventory_id === id).length), all.length]
  }

  let made = 0
  async function apply(db: Queries, ids: string[], one: Change): Promise<void> {
    const idAt = (at: number) => ids[at % ids.length] ?? ''
    if ('add' in one) {
      const added = one.add.map((inventoryId) => group(`g${made++}`, inventoryId))
      await upsertMany(db, 'groups', ['id'], added)
      ids.push(...added.map(({ id }) => id))
    } else if ('move' in one)
      await db.updateTable('groups').set({ inventory_id: one.to }).where('id', '=', idAt(one.move)).execute()
    else if ('replace' in one && ids.length > 0)
      await upsertMany(db, 'groups', ['id'], [group(idAt(one.replace), 'north')])
    else if ('remove' in one) await db.deleteFrom('groups').where('id', '=', idAt(one.remove)).execute()
    else if ('empty' in one) await db.deleteFrom('groups').where('inventory_id', '=', one.empty).execute()
  }

  it('are those of the rows after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const ids: string[] = []
        for (const one of changes) await apply(test.db, ids, one)
        expect(await counted()).toEqual(await rows())
      }),
      { numRuns },
    )
  })

  it('begin with the rows that are there', async () => {
    await keepRowCounts(test.db, 'inventories', ['region'])
    expect(await keptCount(test.db, 'inventories', [['']])).toBe(inventories.length)
    await test.db.updateTable('inventories').set({ region: 'eu' }).where('id', '=', 'south').execute()
    expect(await keptCount(test.db, 'inventories', [['']])).toBe(inventories.length - 1)
    expect(await keptCount(test.db, 'inventories')).toBe(inventories.length)
  })

  it('follow many writers at the same time, of whom every second one changes their mind', async () => {
    const writers = Array.from({ length: 20 }, (_, n) =>
      test.db
        .transaction()
        .execute(async (transaction) => {
          // The orders are opposite, so that locks on a count would block each other.
          const order = n % 2 === 0 ? inventories : inventories.toReversed()
          for (const id of order)
            await transaction
              .insertInto('groups')
              .values(group(`w${n}-${id}`, id))
              .execute()
          if (n % 4 < 2) throw new Error('changed my mind')
        })
        .catch((error: Error) => error.message),
    )
    expect((await Promise.all(writers)).filter((answer) => answer === 'changed my mind')).toHaveLength(10)
    expect(await counted()).toEqual([10, 10, 10, 30])
    await test.db.deleteFrom('groups').where('id', '<>', 'w2-north').execute()
    expect(await counted()).toEqual([1, 0, 0, 1])
    expect(await counted()).toEqual(await rows())
  })

  it('follow rows that are removed with what they belong to', async () => {
    const device = (
      id: string,
      kind: 'unit' | 'server',
    ) => sql`insert into devices (id, kind, inventory_id, name, comment,
      product_type, serial_number, sw_version, token_hash, wanted, wanted_revision, details, registered_ms)
      values (${id}, ${kind}, 'north', ${id}, '', '', '', '', ${id}, '{}', 0, '{}', 0)`
    await device('unit', 'unit').execute(test.db)
    await device('server', 'server').execute(test.db)
    await sql`insert into channels (id, server_id, inventory_id, name, kind, settings, created_ms)
      values ('channel', 'server', 'north', 'One', '', '{}', 0)`.execute(test.db)
    for (const name of ['a.mp4', 'b.mp4'])
      await sql`insert into channel_files (channel_id, unit_id, file_name, server_id, root_directory, size_bytes,
        modified_ms, is_transferring, media, origin)
        values ('channel', 'unit', ${name}, 'server', 'recordings', 1, 1, 0, null, '{}')`.execute(test.db)
    const count = async () => [
      await keptCount(test.db, 'devices', [['unit', 'north']]),
      await keptCount(test.db, 'channel_files', [['channel'], ['another']]),
    ]
    expect(await count()).toEqual([1, 2])
    await test.db.deleteFrom('devices').where('id', '=', 'server').execute()
    expect(await count()).toEqual([1, 0])
    expect(await keptCount(test.db, 'channel_files', [])).toBe(0)
  })
})
