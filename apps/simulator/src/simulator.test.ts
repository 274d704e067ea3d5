import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FromCore } from '@backhaul/contract/gateway/gateway'
import { type CoreDouble, startCoreDouble } from '@backhaul/device/testing/core-double'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { createSimulator } from './simulator.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const log = createLog({ name: 'simulator', format: 'json', level: 'silent' })

async function stage() {
  const dataFolder = mkdtempSync(join(tmpdir(), 'backhaul-simulator-'))
  cleanUps.push(() => rmSync(dataFolder, { recursive: true }))
  const core = await startCoreDouble(Date.now)
  cleanUps.push(core.stop)
  const start = () => {
    const simulator = createSimulator(
      {
        coreUrl: core.url,
        dataFolder,
        seed: 1,
        units: 20,
        servers: 6,
        switching: true,
        loops: 12,
        reportIntervalMs: 200,
        registrationKeyOf: (groupId) => `local/${groupId}`,
      },
      systemClock,
      log,
    )
    cleanUps.push(simulator.stop)
    return simulator
  }
  return { core, start }
}

const all = (core: CoreDouble) => [...core.devices.values()].map(({ hello }) => hello)

test('a fleet joins with the keys of its groups, and after a restart it comes back with the same identities', async () => {
  const { core, start } = await stage()
  const first = start()
  await until(() => core.devices.size === 32)
  expect(core.dials).toHaveLength(32)
  const before = all(core).map(({ serialNumber, name }) => `${serialNumber} ${name}`)
  await first.stop()
  await until(() => core.devices.size === 0)
  start()
  await until(() => core.devices.size === 32)
  expect(
    all(core)
      .map(({ serialNumber, name }) => `${serialNumber} ${name}`)
      .sort(),
  ).toEqual(before.sort())
  expect(core.dials.slice(32).every((header) => header?.startsWith('Bearer token-of-'))).toBe(true)
})

test('a unit that core wants on air reaches the channel that core opened for it, and sees its server crash', async () => {
  const { core, start } = await stage()
  const simulator = start()
  await until(() => core.devices.size === 32)
  const unit = simulator.fleet.units.find(({ isOff }) => !isOff)!
  const server = simulator.fleet.servers.find(({ groupId }) => groupId === unit.groupId)!
  const key = 'a2V5'
  const intake = { transmissionId: 't-1', unitId: 'u-1', key, bufferMs: 1000 }
  const channel = { channelId: 'ch-1', slot: '1', name: 'London-1', intake, recording: false, outputs: [] }
  const serverWanted: FromCore = { type: 'serverWanted', revision: 2, state: { channels: [channel] } }
  core.devices.get(server.serialNumber)?.send(serverWanted)
  const targets = [{ host: server.host, port: 20_002 }]
  core.devices.get(unit.serialNumber)?.send({
    type: 'wanted',
    revision: 2,
    state: {
      channelId: 'ch-1',
      delayMs: 1000,
      transmission: { id: 't-1', channelId: 'ch-1', key, targets },
      disabledLinks: [],
    },
  })
  await until(() => simulator.connectedCount().live === 1)
  for (;;) {
    const { channels } = await core.next('serverTelemetry')
    if (channels[0]?.status === 'collecting') break
  }
  simulator.world.begin('server-crash', server.name)
  await until(() => simulator.connectedCount().live === 0 && !core.devices.has(server.serialNumber))
  simulator.world.end()
  await until(() => core.devices.has(server.serialNumber))
  core.devices.get(server.serialNumber)?.send(serverWanted)
  await until(() => simulator.connectedCount().live === 1)
})
