import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forPeople } from './precedence.ts'
import { engines, freshDatabase, type TestDatabase } from './testing.ts'

describe.each(engines)('who waits for the database (%s)', (engine) => {
  let test: TestDatabase
  beforeEach(async () => {
    test = await freshDatabase(engine)
    // No user waits for a connection to be opened.
    await Promise.all(Array.from({ length: 10 }, () => forPeople(() => sql`select 1`.execute(test.db))))
  })
  afterEach(() => test.remove())

  const row = { parent_id: null, region: '', customer_id: '', sip_server: '', cloud_provider: null }
  const write = (id: string) =>
    test.db
      .insertInto('inventories')
      .values({ ...row, id, name: id, properties: '{}', created_ms: 0 })
      .execute()

  it('runs the write of a user before waiting writes of devices, and loses none of these', async () => {
    let done = 0
    const devices = Array.from({ length: 300 }, (_, at) =>
      write(`device-${at}`).then(() => {
        done++
      }),
    )
    await forPeople(() => write('person'))
    expect(done).toBeLessThan(devices.length / 2)
    await Promise.all(devices)
    const rows = await test.db.selectFrom('inventories').select('id').execute()
    expect(rows).toHaveLength(devices.length + 1)
  })

  it('gives devices a turn while users never stop', async () => {
    let done = 0
    const people = Array.from({ length: 400 }, (_, at) =>
      forPeople(() => write(`person-${at}`)).then(() => {
        done++
      }),
    )
    await write('device')
    expect(done).toBeLessThan(people.length / 2)
    await Promise.all(people)
  })
})
