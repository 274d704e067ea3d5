// The vendor's contractor acts on a real unit and a real server, once each time, while their customer grants access.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { RemoteActionRequest, RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import { superviseChild } from '@backhaul/runtime/child-process'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Person, signIn } from '../stage/person.ts'
import { mainOfStage } from '../stage/programs.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const repository = join(import.meta.dirname, '..', '..')
const patienceMs = patientMs(90_000)
const password = 'Far-away-hands-7'
const folder = mkdtempSync(join(tmpdir(), 'backhaul-remote-'))
/** A line for each time that the machine is switched off. */
const powerFile = join(folder, 'power')
let stage: Stage
let root: Person
let carl: Person
let unit: RemoteDevice
let server: RemoteDevice
let agent: ReturnType<typeof superviseChild>
let key: string
const lines: string[] = []
goOnFromEachOther()

const startAgent = () =>
  superviseChild({
    command: process.execPath,
    args: [
      join(repository, 'scripts', 'supervise.ts'),
      mainOfStage('agent'),
      '--core',
      stage.url,
      '--data',
      join(folder, 'agent'),
    ],
    env: {
      ...process.env,
      BACKHAUL_LOG: 'json',
      BACKHAUL_LOCAL_KEY: stage.localKey,
      BACKHAUL_LINKS: '127.0.0.2,127.0.0.3',
      BACKHAUL_UPGRADE_KEY: key,
      BACKHAUL_SHUTDOWN: `echo off >> ${powerFile}; kill -TERM $PPID`,
    },
    onStdoutLine: (line) => lines.push(line),
    onStderrLine: (line) => lines.push(line),
    killAfterMs: 20_000,
  })

/** The number of starts of the agent, by its log. */
const starts = () => lines.filter((line) => line.includes('unit started')).length

const find = async (kind: RemoteDevice['kind']) => {
  const { items } = await root.call(api.remoteActions.list, { query: {} })
  return items.find((one) => one.kind === kind && !one.offline)
}
const act = (action: RemoteActionRequest['action'], device = unit, more: Partial<RemoteActionRequest> = {}) =>
  carl.call(api.remoteActions.act, { body: { device: device.device, action, ...more } })

const identity = (of: string) => {
  const path = join(of, 'token.json')
  if (!existsSync(path)) return undefined
  return JSON.parse(readFileSync(path, 'utf8')) as { deviceId: string; token: string }
}

beforeAll(async () => {
  const keys = [join(repository, 'scripts', 'package-key.ts'), join(folder, 'signing.pem')]
  key = spawnSync(process.execPath, keys, { encoding: 'utf8' }).stdout.trim()
  stage = await openStage({ demo: 0 })
  await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
  agent = startAgent()
  root = await signIn(stage.url, 'admin', adminPassword)
  unit = await until('the unit', () => find('unit'), patienceMs)
  server = await until('the server', () => find('server'), patienceMs)
  await root.call(api.users.create, {
    body: {
      username: 'carl',
      userType: 'contractor',
      password,
      passwordConfirmation: password,
      firstName: 'Carl',
      lastName: 'Hands',
      inventories: [unit.inventoryId],
    },
  })
  carl = await signIn(stage.url, 'carl', password)
}, 2 * patienceMs)
afterAll(async () => {
  await agent?.stop()
  await stage?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('[STAFF-008] nothing is done without the access of the customer, and the check reports it', async () => {
  const missing = { status: 403, cause: { code: 'access.missing' } }
  for (const device of [unit, server])
    for (const { name } of device.actions) await expect(act(name, device)).rejects.toMatchObject(missing)
  for (const { device } of [unit, server]) await root.call(api.accessApprovals.grant, { body: { device } })
  for (const device of [unit, server])
    expect(await act('checkAccess', device)).toMatchObject({ accepted: true })
  expect(starts()).toBe(1)
  expect(existsSync(powerFile)).toBe(false)
})

test('[STAFF-008] a real unit sends its logs, which the contractor reads', async () => {
  await act('sendLogs', unit, { description: 'Froze' })
  const log = await until(
    'the log',
    async () =>
      (await carl.call(api.deviceLogs.ofUnit, { params: { id: unit.device } })).find(
        ({ state }) => state === 'complete',
      ),
    patienceMs,
  )
  const { fileName, text } = await carl.call(api.deviceLogs.text, { params: { id: log.id } })
  expect(fileName).toMatch(/\.log$/)
  expect(text).toContain('unit started')
})

/** As a machine that has kept a copy of the token would. */
async function closeCodeWith(token: string): Promise<number> {
  const socket = new WebSocket(`${stage.url.replace('http', 'ws')}/gateway`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return await new Promise((resolve) => socket.on('close', resolve))
}

test(
  '[STAFF-008] without its certificate a real unit, and a real server, registers again; the old token is void',
  async () => {
    for (const [device, of] of [
      [unit, join(folder, 'agent')],
      [server, join(stage.dataFolder, 'hub')],
    ] as const) {
      const before = identity(of)
      expect(before?.deviceId).toBe(device.device)
      await act('deleteCertificate', device)
      const next = await until('another token', () => {
        const now = identity(of)
        return now?.token === before?.token ? undefined : now
      })
      expect(next.deviceId).toBe(device.device)
      await until('the device', async () => (await find(device.kind))?.device === device.device, patienceMs)
      expect(await closeCodeWith(before?.token ?? '')).toBe(4401)
    }
    expect(starts()).toBe(1)
  },
  2 * patienceMs,
)

test(
  '[STAFF-008] the software of a real server restarts, and a real unit reboots, once',
  async () => {
    const restarts = () =>
      stage.lines.filter((line) => line.includes('media thread ended, restarting')).length
    expect(restarts()).toBe(0)
    await act('restart', server)
    await until('the software to restart', () => restarts() === 1, patienceMs)
    await until('the server', async () => await find('server'), patienceMs)
    const { commandId } = await act('reboot')
    const command = async () => (await root.call(api.units.byId, { params: { id: unit.device } })).command
    await until('the confirmation', async () => (await command())?.state === 'confirmed', patienceMs)
    expect(await command()).toMatchObject({ id: commandId, name: 'reboot', by: 'carl' })
    await until('the unit to start again', () => starts() === 2, patienceMs)
    await until('the unit', async () => await find('unit'), patienceMs)
    // A second one would follow the second welcome.
    await pause(3000)
    expect(restarts()).toBe(1)
    expect(starts()).toBe(2)
  },
  3 * patienceMs,
)

test(
  '[STAFF-008] a real unit is sent its target version, is switched off once, and misses a version that is cleared',
  async () => {
    const number = '8.0.7'
    const version = { number, path: 'not-there.bhp', products: [unit.type] }
    const { id: versionNumberId } = await root.call(api.softwareVersions.create, { body: version })
    const target = () => carl.call(api.upgrades.target, { params: { id: unit.device } })
    await until('the unit that can be upgraded', async () =>
      (await find('unit'))?.actions.some(({ name, refusal }) => name === 'setTargetVersion' && !refusal),
    )
    await act('setTargetVersion', unit, { versionNumberId, upgradeNow: true })
    // The unit has requested the package from core, and there is none.
    await until('the answer of the unit', async () => (await target())?.state === 'failed', patienceMs)
    expect(await target()).toMatchObject({ version: number, resultCode: 106, by: 'carl' })

    const mayBeShutDown = async () =>
      (await find('unit'))?.actions.some(({ name, refusal }) => name === 'shutdown' && !refusal)
    await until('the end of the failed upgrade', mayBeShutDown, patienceMs)
    await act('shutdown')
    await agent.exited
    await until('the unit to be off', async () => (await find('unit')) === undefined, patienceMs)
    await act('setTargetVersion', unit, { versionNumberId })
    expect(await target()).toMatchObject({ state: 'pending' })
    await act('clearTargetVersion')
    expect(await target()).toBeNull()
    agent = startAgent()
    await until('the unit that is switched on again', () => find('unit'), patienceMs)
    // Pending upgrades begin within 5 s.
    await pause(6000)
    expect(await target()).toBeNull()
    expect(readFileSync(powerFile, 'utf8')).toBe('off\n')
    expect(starts()).toBe(3)
    const { items } = await root.call(api.audit.list, { query: { action: 'remoteActions.act' } })
    const done = items.filter(({ result }) => result === 'done').map(({ details }) => details?.action)
    expect(new Set(done).size).toBe(8)
  },
  4 * patienceMs,
)
