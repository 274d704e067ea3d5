// PostgreSQL that really stops and starts again, under a running core.
import { expect, test } from 'vitest'
import { startPrivatePostgresql } from '../../scripts/private-postgresql.ts'
import { findPostgresql } from '../../scripts/setup.mjs'
import { adminPassword, openStage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const binaries = findPostgresql()

test.runIf(binaries)(
  'while the database is away users get 503, and core continues when it is back',
  async () => {
    await using stack = new AsyncDisposableStack()
    const postgresql = await startPrivatePostgresql(binaries as string)
    stack.defer(postgresql.stop)
    const stage = await openStage({ env: { DATABASE_URL: postgresql.url }, hasOwnCore: true })
    stack.defer(stage.stop)
    const signIn = () =>
      fetch(`${stage.url}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: adminPassword }),
      })
    const health = async () => (await fetch(`${stage.url}/healthz`)).json()
    expect((await signIn()).status).toBe(200)
    expect(await health()).toEqual({ status: 'ok', database: 'ok', storage: 'ok' })

    await postgresql.halt()
    const refused = await signIn()
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '5',
      {
        code: 5032,
        message: 'The database does not answer now. Try again in a moment.',
        cause: { code: 'system.databaseAway', params: {} },
      },
    ])
    expect(await health()).toEqual({ status: 'failing', database: 'unreachable', storage: 'unknown' })

    await postgresql.resume()
    await until('users sign in again', async () => (await signIn()).status === 200)
    expect(await health()).toEqual({ status: 'ok', database: 'ok', storage: 'ok' })
  },
)
