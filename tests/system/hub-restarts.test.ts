// `npm run hub` as an operator starts it on a machine of its own: killed, and with wrong settings.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { superviseChild } from '@backhaul/runtime/child-process'
import { WRONG_SETTINGS_CODE } from '@backhaul/runtime/settings'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const repository = join(import.meta.dirname, '..', '..')
const patienceMs = patientMs(90_000)
const folder = mkdtempSync(join(tmpdir(), 'backhaul-hub-'))
let stage: Stage
let person: Person
const started: ReturnType<typeof superviseChild>[] = []

beforeAll(async () => {
  stage = await openStage({ demo: 0 })
  person = await signIn(stage.url, 'admin', adminPassword)
})
afterAll(async () => {
  for (const hub of started) await hub.stop()
  await stage?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function startHub(env: NodeJS.ProcessEnv) {
  const lines: string[] = []
  const hub = superviseChild({
    command: 'npm',
    args: ['run', '--silent', 'hub'],
    cwd: repository,
    env: {
      ...process.env,
      BACKHAUL_LOG: 'json',
      BACKHAUL_DATA: folder,
      BACKHAUL_HUB_MEDIA_PORT: '0',
      ...env,
    },
    onStderrLine: (line) => lines.push(line),
    killAfterMs: 20_000,
  })
  started.push(hub)
  return { hub, lines }
}

const contentOf = <T>(name: string): T | undefined => {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T
  } catch {
    return undefined
  }
}

test(
  'a hub that is killed is started again, and is the same server',
  async () => {
    startHub({
      BACKHAUL_CORE_URL: `${stage.url.replace(/^http/, 'ws')}/gateway`,
      BACKHAUL_LOCAL_KEY: stage.localKey,
    })
    const stored = () => contentOf<{ deviceId: string }>('token.json')
    const { deviceId: id } = await until('the token', stored, patienceMs)
    const state = async () => (await person.call(api.servers.one, { params: { id } })).state
    const pid = () => contentOf<{ pid: number }>('hub.process')?.pid
    const first = await until('the process', pid, patienceMs)
    await until('the hub', async () => (await state()) === 'online', patienceMs)
    signalProcess(first, 'SIGKILL')
    await until('the next process', () => pid() !== undefined && pid() !== first, patienceMs)
    await until('the hub again', async () => (await state()) === 'online', patienceMs)
    expect(stored()?.deviceId).toBe(id)
  },
  3 * patienceMs,
)

test(
  'wrong settings end it permanently',
  async () => {
    const { hub, lines } = startHub({ BACKHAUL_DATA: join(folder, 'other') })
    expect(await hub.exited).toMatchObject({ code: WRONG_SETTINGS_CODE })
    expect(lines.join('\n')).toContain('BACKHAUL_CORE_URL: is not set')
  },
  patienceMs,
)
