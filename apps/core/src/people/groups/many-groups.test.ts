import { api } from '@backhaul/contract/api/api'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestCore, type TestCore } from '../../testing.ts'

/** More than SQLite (32,766) or PostgreSQL (65,535) take as parameters of one query. */
const count = 70_000

describe.each(engines)('a customer with very many groups on %s', (engine) => {
  let test: TestCore
  beforeAll(async () => {
    test = await createTestCore(engine)
    const numbers =
      engine === 'postgres'
        ? sql`generate_series(1, ${sql.lit(count)}) as n(i)`
        : sql`(with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ${sql.lit(count)}) select i from counted) as n`
    await sql`insert into ${sql.table('groups')} (id, inventory_id, name, registration_key, unit_auto_association,
        global_auto_association, details, created_ms)
      select 'gr-' || i, 'north', 'Group-' || i, 'many-' || i, 0, 0, '{}', 1 from ${numbers}`.execute(test.db)
    await sql`insert into user_groups (user_id, group_id) select 'us-olivia', 'gr-' || i from ${numbers}`.execute(
      test.db,
    )
  })
  afterAll(() => test.remove())

  it.each(['root', 'nora'])('shows %s pages of all of them', async (username) => {
    const person = await test.signedIn(username)
    const page = await person.call(api.groupAdministration.list, { query: { limit: 50, search: 'Group-' } })
    expect(page).toMatchObject({ total: count })
    expect(page.items).toHaveLength(50)
  })

  it('shows an operator those that they are a member of', async () => {
    const olivia = await test.signedIn('olivia')
    expect(await olivia.call(api.client.lightGroups, {})).toHaveLength(count + 1)
  })

  it('shows an API key of an administrator all of them', async () => {
    const nora = await test.signedIn('nora')
    const body = { name: 'Sync', inventory: 'north', role: 'luc_regular', expiresOn: null } as const
    const { key } = await nora.call(api.apiKeys.create, { body })
    expect(await test.program(key).call(api.client.lightGroups, {})).toHaveLength(count + 2)
  })
})
