// Core killed in mid-transmission: what was acknowledged is kept, and the fleet is known again immediately.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { api } from '@backhaul/contract/api/api'
import { createClient } from '@backhaul/contract/define/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from './database/database.ts'
import { dialCore, type TestDevice } from './testing/fleet.ts'
import { mainOfCore } from './testing/program.ts'
import { until } from './testing/wait.ts'

const localKey = 'a-local-key-of-the-launcher'
let folder: string
let child: ChildProcess
let url: string
let metricsUrl = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backhaul-crash-'))
})
afterEach(async () => {
  await kill()
  rmSync(folder, { recursive: true })
})

async function launch(): Promise<void> {
  child = spawn(process.execPath, [mainOfCore], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      BACKHAUL_HOST: '127.0.0.1',
      BACKHAUL_PORT: '0',
      BACKHAUL_METRICS_PORT: '0',
      BACKHAUL_LOG: 'json',
      BACKHAUL_DATA: folder,
      BACKHAUL_ADMIN_PASSWORD: 'Correct-horse-7',
      BACKHAUL_LOCAL_KEY: localKey,
      DATABASE_URL: '',
    },
  })
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [
    string,
  ]
  const ready = JSON.parse(line) as { url: string; metricsUrl: string }
  url = ready.url
  metricsUrl = ready.metricsUrl
}

async function kill(): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function signIn() {
  const cookies = new Map<string, string>()
  const call = createClient({
    origin: url,
    applicationId: 'test',
    csrfToken: () => cookies.get('backhaul_csrf'),
    headers: () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
    fetch: async (address, init) => {
      const reply = await fetch(address, init as RequestInit)
      for (const cookie of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      return reply
    },
  })
  await call(api.signIns.signIn, { body: { username: 'admin', password: 'Correct-horse-7' } })
  return call
}

it('keeps an acknowledged start through kill -9, and sends unit and server the same again', async () => {
  await launch()
  const hub = await dialCore(url).then((device) => device.join('server', 'MCR', localKey, 1))
  const unit = await dialCore(url).then((device) => device.join('unit', 'LON-01', localKey))
  const channelId = hub.channelIds[0] as string
  const call = await signIn()
  await call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
  const wanted = await unit.next('wanted', ({ state }) => state.transmission !== null)
  unit.report({
    transmissionId: wanted.state.transmission?.id ?? null,
    applications: { video: { state: 'streaming' } },
    appliedRevision: wanted.revision,
  })
  const db = await openDatabase({ file: join(folder, 'backhaul.db') })
  const stored = async () =>
    (await db.selectFrom('device_states').select('report').execute()).map(({ report }) => report)
  await expect.poll(stored).toContainEqual(expect.stringContaining('streaming'))
  await db.destroy()
  const comments = Array.from({ length: 1000 }, (_, index) => `comment ${index}`)
  let acknowledged = -1
  const writing = (async () => {
    for (const comment of comments) {
      await call(api.units.update, { params: { id: unit.id }, body: { comment } })
      acknowledged += 1
    }
  })().catch(() => {})
  await until(() => acknowledged >= 4)
  await kill()
  await writing

  await launch()
  const again = await signIn()
  const known = await again(api.units.one, { params: { id: unit.id } })
  expect(known).toMatchObject({ status: 'streaming', transmission: { id: wanted.state.transmission?.id } })
  // The write in flight may have reached the disk without its answer; nothing older may be stored.
  expect([acknowledged, acknowledged + 1]).toContain(comments.indexOf(known.comment))
  const [unitBack, hubBack] = await Promise.all([back(unit), back(hub)])
  expect((await unitBack.next('wanted')).state).toEqual(wanted.state)
  expect((await hubBack.next('serverWanted')).state.channels[0]?.intake).toMatchObject({
    transmissionId: wanted.state.transmission?.id,
    key: wanted.state.transmission?.key,
  })
  const metrics = await (await fetch(metricsUrl)).text()
  expect(metrics).toContain('backhaul_core_devices_online{kind="unit"} 1')
  unitBack.socket.terminate()
  hubBack.socket.terminate()
})

async function back(device: TestDevice): Promise<TestDevice> {
  const socket = (await dialCore(url, device.token)).take(device)
  await socket.greet()
  return socket
}
