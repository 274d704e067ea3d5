// A full database: real SQLite that may not grow. Users get the reason, reads still work, and it recovers.
import { api } from '@backhaul/contract/api/api'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { createTestCore, password, type TestCore } from '../testing.ts'

const refused = {
  code: 5031,
  message: 'The server cannot store anything now: its disk is full or cannot be written.',
  cause: { code: 'system.storageFull', params: {} },
}

let test: TestCore
afterEach(() => test.remove())

/** The next page that the database needs is refused, as on a full disk. */
async function fillUp(): Promise<void> {
  await sql`create table filler (bytes blob)`.execute(test.db)
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(test.db)
  await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 1)}`.execute(test.db)
  for (const bytes of [100_000, 3000]) {
    const fill = () => sql`insert into filler values (zeroblob(${sql.lit(bytes)}))`.execute(test.db)
    while (
      await fill().then(
        () => true,
        () => false,
      )
    ) {}
  }
}

it('answers 503 with a retry time while nothing can be stored, and names the storage in its health', async () => {
  test = await createTestCore('sqlite')
  const olivia = await test.signedIn('olivia')
  await fillUp()
  const browser = test.browser()
  const signIn = () =>
    browser.send({ method: 'POST', url: '/login', payload: { username: 'reed', password } })
  // Some more rows fit into the existing pages.
  let answer = await signIn()
  for (let tries = 0; answer.statusCode === 200 && tries < 300; tries++) answer = await signIn()
  expect([answer.statusCode, answer.json()]).toEqual([503, refused])
  expect(answer.headers['retry-after']).toBe('30')

  expect(await olivia.call(api.client.lightGroups, {})).not.toEqual([])
  const health = await test.core.api.app.inject('/healthz')
  expect([health.statusCode, health.json()]).toEqual([
    503,
    { status: 'failing', database: 'ok', storage: 'full' },
  ])

  await sql`pragma max_page_count = 1000000`.execute(test.db)
  expect((await signIn()).statusCode).toBe(200)
  // With frequent requests it does not write each time, also when the machine's clock is set.
  test.clock.stepWall(24 * 3_600_000)
  expect((await test.core.api.app.inject('/healthz')).json().storage).toBe('full')
  test.clock.stepWall(-48 * 3_600_000)
  test.clock.advance(5000)
  expect((await test.core.api.app.inject('/healthz')).json()).toEqual({
    status: 'ok',
    database: 'ok',
    storage: 'ok',
  })
})
