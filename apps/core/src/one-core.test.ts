// Two real cores on one database of PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mainOfCore } from './testing/program.ts'

const server = process.env.TEST_DATABASE_URL
const patience = { timeout: 60_000, interval: 50 }

describe.runIf(server)('one core at a time on PostgreSQL', () => {
  const schema = `test_${randomBytes(6).toString('hex')}`
  const database = new URL(server ?? 'postgres://none')
  database.searchParams.set('options', `-c search_path=${schema}`)
  const folders: string[] = []
  const running: ChildProcess[] = []
  let client: pg.Client

  beforeEach(async () => {
    client = new pg.Client({ connectionString: database.href })
    await client.connect()
    await client.query(`create schema ${schema}`)
  })
  afterEach(async () => {
    for (const child of running.splice(0)) child.kill('SIGKILL')
    await client.query(`drop schema ${schema} cascade`)
    await client.end()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  function start(env: Record<string, string> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'backhaul-one-core-'))
    folders.push(folder)
    const given = {
      PATH: process.env.PATH,
      BACKHAUL_HOST: '127.0.0.1',
      BACKHAUL_PORT: '0',
      BACKHAUL_DATA: folder,
    }
    const child = spawn(process.execPath, [mainOfCore], {
      env: { ...given, BACKHAUL_LOG: 'json', DATABASE_URL: database.href, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    running.push(child)
    return { child, stderr: text(child.stderr), exit: once(child, 'exit') as Promise<[number]> }
  }

  async function ready({ child }: ReturnType<typeof start>): Promise<string> {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    return (JSON.parse(line.toString()) as { url: string }).url
  }

  const isWell = async (url: string) => (await fetch(`${url}/healthz`)).ok

  /** The connection of the core that holds the database. */
  async function holder(child: ChildProcess): Promise<number | undefined> {
    const named = `backhaul core ${child.pid}@%`
    const { rows } = await client.query('select pid from pg_stat_activity where application_name like $1', [
      named,
    ])
    return rows[0]?.pid
  }

  it('refuses a second one with the first one’s process, machine and address, and lets a supervised one wait for the end of the first', async () => {
    const first = start()
    const url = await ready(first)
    await vi.waitUntil(() => holder(first.child), patience)
    const second = start()
    expect((await second.exit)[0]).toBe(1)
    expect(await second.stderr).toBe(
      `The database at localhost is in use by another core (process ${first.child.pid} on ${hostname().slice(0, 20)}, ${url}). Stop it, or name another database by DATABASE_URL.\n`,
    )
    expect(await isWell(url)).toBe(true)
    const next = start({ BACKHAUL_SUPERVISED: '1' })
    await vi.waitUntil(() => holder(next.child), patience)
    first.child.kill('SIGKILL')
    expect(await isWell(await ready(next))).toBe(true)
  })

  it('holds the database again when the connection was lost, and ends when another has taken it', async () => {
    const core = start()
    const url = await ready(core)
    const lost = await vi.waitUntil(() => holder(core.child), patience)
    await client.query('select pg_terminate_backend($1)', [lost])
    await vi.waitUntil(async () => ![undefined, lost].includes(await holder(core.child)), patience)
    expect(await isWell(url)).toBe(true)
    expect((await start().exit)[0]).toBe(1)
    const waiting = new pg.Client({
      connectionString: database.href,
      application_name: 'backhaul core 7@elsewhere',
    })
    await waiting.connect()
    const taken = waiting.query('select pg_advisory_lock(826255, hashtext(current_schema()))')
    await client.query('select pg_terminate_backend($1)', [await holder(core.child)])
    await taken
    expect((await core.exit)[0]).toBe(1)
    expect(await core.stderr).toContain('is in use by another core (process 7 on elsewhere).')
    await waiting.end()
  })
})
