// A whole core for tests: its own database, a stopped clock, two customers, and browsers that sign in.

import { api as contract } from '@backhaul/contract/api/api'
import { type Call, createClient } from '@backhaul/contract/define/client'
import { CSRF_COOKIE } from '@backhaul/contract/define/endpoint'
import type { UserType } from '@backhaul/contract/define/roles'
import { createTestClock, type TestClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Engine } from './database/dialect.ts'
import { freshDatabase, preparedDatabases, type TestDatabase } from './database/testing.ts'
import { type Core, createCore } from './program/core.ts'
import { readCoreSettings, type Settings } from './settings.ts'

export interface TestCore {
  core: Core
  db: TestDatabase['db']
  clock: TestClock
  settings: Settings
  /** A browser without cookies. */
  browser(): Browser
  /** One in which a user of `people` has signed in. */
  signedIn(username: string): Promise<Browser>
  /** A program that calls with an API key, without cookies. */
  program(apiKey: string): Browser
  remove(): Promise<void>
}

export interface Browser {
  call: Call
  cookies: Map<string, string>
  /** A raw request with this browser's cookies and nothing else. */
  send(request: InjectOptions): Promise<LightMyRequestResponse>
}

export const password = 'Correct-horse-7'

/** North has two groups, South one; the password of each user is `password`. */
export const people: readonly [username: string, type: UserType, inventory: string, groups: string[]][] = [
  ['root', 'superuser', 'north', []],
  ['nora', 'admin', 'north', []],
  ['olivia', 'regular', 'north', ['london']],
  ['reed', 'read only', 'north', ['london', 'leeds']],
  ['sam', 'regular', 'south', ['cairo']],
  ['vera', 'video return viewer', 'north', []],
]

export const groupNames: Readonly<Record<string, string>> = {
  london: 'north',
  leeds: 'north',
  cairo: 'south',
}

const startMs = 1_795_000_000_000
const usual: Settings = {
  ...readCoreSettings({ NODE_ENV: 'test', BACKHAUL_LOG: 'json' }),
  hashing: { memoryKib: 8, passes: 1 },
  // Messages of a device are handled as they arrive: a pong shows that core has handled all before.
  intakeTurnMs: 10_000,
  consoleFolder: '/nowhere',
}

const openCore = async (db: TestDatabase['db'], clock: TestClock, settings: Settings): Promise<Core> =>
  await createCore({
    secretKey: 'k'.repeat(32),
    settings,
    db,
    clock,
    log: createLog({ name: 'core', format: 'json', level: 'silent' }),
    version: '0.1.0',
  })

const databaseWithPeople = preparedDatabases(async (db) => {
  const core = await openCore(db, createTestClock(startMs), usual)
  await addPeople(core)
  await core.close()
})

export async function createTestCore(engine: Engine, changed: Partial<Settings> = {}): Promise<TestCore> {
  // Hashes of another cost are made by the core that compares them.
  const { db, remove } = await (changed.hashing ? freshDatabase : databaseWithPeople)(engine)
  const clock = createTestClock(startMs)
  const settings: Settings = { ...usual, ...changed }
  const core = await openCore(db, clock, settings)
  if (changed.hashing) await addPeople(core)
  const browser = () => createBrowser(core)
  return {
    core,
    db,
    clock,
    settings,
    browser,
    async signedIn(username) {
      const signedIn = browser()
      await signedIn.call(contract.signIns.signIn, { body: { username, password } })
      return signedIn
    },
    program: (apiKey) => createBrowser(core, apiKey),
    async remove() {
      await core.close()
      await remove()
    },
  }
}

async function addPeople({ inventories, groups, users }: Core): Promise<void> {
  await inventories.ensure({ id: 'north', name: 'North Broadcasting' })
  await inventories.ensure({ id: 'south', name: 'South News' })
  for (const [id, inventoryId] of Object.entries(groupNames)) {
    await groups.ensure({
      id,
      inventoryId,
      name: `${id[0]?.toUpperCase()}${id.slice(1)}-News`,
      registrationKey: `key-${id}`,
    })
  }
  for (const [username, userType, inventory, groupIds] of people) {
    const firstName = `${username[0]?.toUpperCase()}${username.slice(1)}`
    const person = { id: `us-${username}`, username, password, userType, firstName, lastName: 'Tester' }
    await users.ensure({
      ...person,
      email: `${username}@north.example`,
      inventories: [inventory],
      groups: groupIds,
    })
  }
}

export function createBrowser({ api }: Core, apiKey?: string): Browser {
  const cookies = new Map<string, string>()
  async function send(request: InjectOptions): Promise<LightMyRequestResponse> {
    const response = await api.app.inject({
      ...request,
      cookies: Object.fromEntries(cookies),
      headers: { ...request.headers, ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    })
    for (const { name, value } of response.cookies) {
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  const call = createClient({
    origin: '',
    applicationId: 'test',
    csrfToken: () => cookies.get(CSRF_COOKIE),
    fetch: async (url, { method, headers, body }) => {
      const request = { url, method: method as 'GET', headers, ...(body !== undefined && { payload: body }) }
      const response = await send(request)
      return {
        status: response.statusCode,
        json: async () => response.json(),
        text: async () => response.body,
      }
    },
  })
  return { call, cookies, send }
}
