// The process itself: its message when it is ready, how it stops, and its answer to a wrong setting.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { WRONG_SETTINGS_CODE } from '@backhaul/runtime/settings'
import { afterEach, expect, it } from 'vitest'
import { mainOfCore } from './testing/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-main-'))
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function start(env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const given = {
    PATH,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    BACKHAUL_PORT: '0',
    BACKHAUL_HOST: '127.0.0.1',
    BACKHAUL_DATA: folder,
  }
  const child = spawn(process.execPath, [mainOfCore], {
    env: { ...given, BACKHAUL_LOG: 'json', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  return { child, stderr: text(child.stderr) }
}

async function ready(child: ReturnType<typeof start>['child']): Promise<string> {
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const started = JSON.parse(line.toString()) as { ready: boolean; url: string }
  expect(started.ready).toBe(true)
  return started.url
}

const signIn = (url: string, password: string, username = 'admin') =>
  fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

it('prints where it listens and how the first user is made until there is one, stops on request and keeps its data', async () => {
  const first = start({ BACKHAUL_SETUP_CODE: 'open-sesame-1' })
  const firstUrl = await ready(first.child)
  expect((await fetch(`${firstUrl}/healthz`)).status).toBe(200)
  const password = 'Correct-horse-7'
  const made = await fetch(`${firstUrl}/luc/luc-core-web/rest/v2/first_run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'application-id': 'test' },
    body: JSON.stringify({
      setupCode: 'open-sesame-1',
      username: 'admin',
      password,
      firstName: 'Ada',
      lastName: 'First',
    }),
  })
  expect(made.status).toBe(200)
  first.child.kill('SIGTERM')
  const [code] = (await once(first.child, 'exit')) as [number]
  expect(code).toBe(0)
  expect(await first.stderr).toContain(`First run: ${firstUrl}/first_run#open-sesame-1\n`)
  const second = start({ BACKHAUL_ADMIN_PASSWORD: 'ignored by now' })
  const url = await ready(second.child)
  expect((await signIn(url, 'ignored by now')).status).toBe(401)
  expect((await signIn(url, password)).status).toBe(200)
  second.child.kill('SIGINT')
  await once(second.child, 'exit')
  expect(await second.stderr).not.toContain('First ')
})

it('takes the first password from its settings', async () => {
  const { child, stderr } = start({ BACKHAUL_ADMIN_PASSWORD: 'open sesame' })
  expect((await signIn(await ready(child), 'open sesame')).status).toBe(200)
  child.kill('SIGTERM')
  expect(await stderr).not.toContain('open sesame')
})

it('reports the version of the product, which is in the package.json of the root', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const url = await ready(start({ BACKHAUL_ADMIN_PASSWORD: 'open sesame' }).child)
  const cookie = (await signIn(url, 'open sesame')).headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const answer = await fetch(`${url}/luc/luc-core-web/rest/v2/client/configuration`, {
    headers: { cookie, 'application-id': 'test' },
  })
  expect(await answer.json()).toMatchObject({ data: { version } })
})

it('keeps its data readable for its owner only, also what was open to others before', async () => {
  const [first] = [start({ BACKHAUL_ADMIN_PASSWORD: 'open sesame' })]
  await ready(first.child)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  chmodSync(folder, 0o755)
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
  const second = start({})
  expect((await signIn(await ready(second.child), 'open sesame')).status).toBe(200)
  const modes = ['', ...readdirSync(folder)].map((name) => [name, statSync(join(folder, name)).mode & 0o077])
  expect(modes.map(([name]) => name)).toEqual(
    expect.arrayContaining(['backhaul.db', 'backhaul.db-wal', 'backhaul.db-shm', 'secret.key']),
  )
  expect(modes.filter(([, mode]) => mode !== 0)).toEqual([])
})

it('refuses a second start on the same data with the first one’s process and address, and takes over from one that was killed', async () => {
  const first = start({})
  const url = await ready(first.child)
  const second = start({})
  const [code] = (await once(second.child, 'exit')) as [number]
  expect(code).toBe(1)
  expect(await second.stderr).toBe(
    `The data folder ${folder} is in use by core (process ${first.child.pid}, ${url}). Stop it, or name another folder by BACKHAUL_DATA.\n`,
  )
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  await ready(start({}).child)
})

it('ends permanently where the database is from a newer release', async () => {
  const first = start({})
  await ready(first.child)
  first.child.kill('SIGTERM')
  await once(first.child, 'exit')
  const file = new DatabaseSync(join(folder, 'backhaul.db'))
  file.exec("insert into migrations (name) values ('9999-tomorrow')")
  file.close()
  const older = start({})
  const [code] = (await once(older.child, 'exit')) as [number]
  expect(code).toBe(WRONG_SETTINGS_CODE)
  expect(await older.stderr).toBe('The database is from a newer release: it has 9999-tomorrow\n')
})

it('gives the users of a demo its own password as soon as others can reach it', async () => {
  const chief = async (env: Record<string, string>, passwords: readonly (string | (() => string))[]) => {
    const { child, stderr } = start({ BACKHAUL_ADMIN_PASSWORD: 'open sesame', ...env })
    const url = await ready(child)
    const statuses: number[] = []
    for (const password of passwords) {
      const tried = typeof password === 'string' ? password : password()
      statuses.push((await signIn(url, tried, 'chief')).status)
    }
    child.kill('SIGTERM')
    return { statuses, output: await stderr }
  }
  const warning = 'users have the published password of the demo'
  const kept = join(folder, 'demo-password')
  const alone = await chief({ BACKHAUL_DEMO: '2' }, [DEMO_PASSWORD])
  expect(alone.statuses).toEqual([200])
  expect(alone.output).not.toContain(warning)
  expect(existsSync(kept)).toBe(false)

  const open = await chief({ BACKHAUL_DEMO: '2', BACKHAUL_HOST: '0.0.0.0' }, [
    DEMO_PASSWORD,
    () => readFileSync(kept, 'utf8'),
  ])
  expect(open.statuses).toEqual([401, 200])
  expect(open.output).not.toContain(warning)
  expect(statSync(kept).mode & 0o777).toBe(0o600)
})

it('names each wrong setting and its rule, and stops', async () => {
  const { child, stderr } = start({ BACKHAUL_PORT: '99999', DATABASE_URL: 'mysql://x' })
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(WRONG_SETTINGS_CODE)
  expect(await stderr).toContain('BACKHAUL_PORT: must be a whole number from 0 to 65535 (given "99999")')
  expect(await stderr).toContain('DATABASE_URL: must start with postgres://')
})
