// The databridge through the doors: who is admitted where, which states a unit goes through, and what ends it.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { bridgedFleet, gatewayPort, somePort } from '../../testing/databridge-calls.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { databridge: calls } = api
const telnet = { protocol: 'udp', port: 5000, host: '10.0.0.7', hostPort: 53 } as const

describe.each(enginesOfNight)('databridge sessions on %s', (engine) => {
  let fleet: TestFleet
  let gateway: TestDevice
  let unit: TestDevice
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    ;({ gateway, unit } = await bridgedFleet(fleet))
    olivia = await fleet.signedIn('olivia')
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const set = (body: Parameters<typeof olivia.call<typeof calls.set>>[1]['body'], browser = olivia) =>
    browser.call(calls.set, { params: params(), body })
  const choose = () => set({ gateway: gateway.id, ports: [somePort, telnet] })
  const start = () => olivia.call(calls.start, { params: params() })
  const stop = () => olivia.call(calls.stop, { params: params() })
  const wanted = () => unit.newest('wanted')?.state.databridge ?? null
  const admitted = () => gateway.newest('serverWanted')?.state.databridges ?? []
  const values = () => fleet.core.units.values(unit.id)
  const report = async (state: string | undefined) => {
    const revision = unit.newest('wanted')?.revision ?? 0
    unit.report({
      appliedRevision: revision,
      databridgeId: wanted()?.id ?? null,
      applications: state === undefined ? {} : { databridge: { state } },
    })
    await until(() => values()?.applications?.databridge?.state === state)
  }

  it('[DBIP-001] keeps gateway and ports as operators set them, each without the other', async () => {
    await choose()
    expect(await olivia.call(calls.selected, { params: params() })).toMatchObject({
      gateway: { id: gateway.id },
      ports: [somePort, telnet],
    })
    await set({ ports: [telnet] })
    await set({ gateway: null })
    expect(await olivia.call(calls.selected, { params: params() })).toEqual({
      gateway: null,
      ports: [telnet],
    })
    await expect(
      set({ ports: [somePort, { ...telnet, protocol: 'tcp', port: 8021 }] }),
    ).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'ports' }],
    })
    await expect(set({ ports: [{ ...somePort, hostPort: 0 }] })).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'ports.0.hostPort' }],
    })
    await expect(set({ gateway: 'unknown' })).rejects.toMatchObject({ status: 404 })
    await expect(set({ ports: [] }, await fleet.signedIn('reed'))).rejects.toMatchObject({ status: 403 })
  })

  it('[DBIP-001] starts at the unit and at its gateway, is confirmed by the report of the unit, and stops at both', async () => {
    await choose()
    const { commandId } = await start()
    await until(() => wanted() !== null && admitted().length === 1)
    const { id, key } = wanted() ?? {}
    expect(wanted()).toMatchObject({
      gatewayId: gateway.id,
      targets: [{ host: '192.0.2.9', port: gatewayPort }],
      ports: [
        { protocol: 'tcp', port: 8021 },
        { protocol: 'udp', port: 5000 },
      ],
    })
    expect(admitted()).toEqual([
      {
        id,
        key,
        unitId: unit.id,
        ports: [
          { protocol: 'tcp', host: 'ftp.example', hostPort: 21 },
          { protocol: 'udp', host: '10.0.0.7', hostPort: 53 },
        ],
      },
    ])
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32)
    await expect(start()).rejects.toMatchObject({ status: 409, message: 'The databridge is running.' })
    await report('connecting')
    expect(values()).toMatchObject({ databridge: null, databridgeInTransition: true })
    await report('bridging')
    await until(() => values()?.command?.state === 'confirmed')
    expect(values()).toMatchObject({
      command: { id: commandId, name: 'start_databridge' },
      databridge: { state: 'bridging' },
      status: 'transparent_bridge',
      busy: true,
    })
    await expect(set({ ports: [] })).rejects.toMatchObject({
      status: 409,
      message: 'Databridge gateway cannot be set while active.',
    })
    await stop()
    await until(() => wanted() === null && admitted().length === 0)
    await report(undefined)
    await until(
      () => values()?.command?.name === 'stop_databridge' && values()?.command?.state === 'confirmed',
    )
    await expect(stop()).rejects.toMatchObject({ status: 409, message: 'The databridge is not running.' })
  })

  it('[DBIP-002] is refused with the first reason why it cannot run', async () => {
    const refused = (message: string) => expect(start()).rejects.toMatchObject({ status: 409, message })
    await refused('No databridge gateway is selected.')
    await set({ gateway: gateway.id })
    await refused('No port of the databridge is set.')
    await choose()
    const applies = async (applications: object) => {
      unit.report({ applications })
      await until(() => JSON.stringify(values()?.applications) === JSON.stringify(applications))
    }
    await applies({ l2ControlPipe: { state: 'connected' } })
    await refused('IP pipe connected.')
    await applies({ forward: { state: 'running' } })
    await refused('File upload in progress.')
    await applies({ video: { state: 'streaming' } })
    await refused('Unit is busy.')
    await applies({})
    const link = (port: number, kind: 'modem' | 'ethernet', enabled = true) => ({
      port,
      id: `l${port}`,
      kind,
      enabled,
    })
    const up = (port: number) => ({ port, up: true, kbps: 0, rttMs: 20 })
    const measure = (...links: object[]) =>
      unit.send({ type: 'telemetry', samples: [{ ts: fleet.clock.nowMs(), links }] })
    unit.report({ links: [link(0, 'ethernet'), link(1, 'modem')] })
    measure(up(0), { ...up(1), up: false })
    await until(() => values()?.modems.filter(({ connected }) => connected).length === 1)
    await refused('Only Ethernet 1 connected.')
    measure(up(0), up(1))
    await until(() => values()?.modems.filter(({ connected }) => connected).length === 2)
    gateway.report({ databridgePort: null })
    await until(() => fleet.core.servers.memory(gateway.id)?.actual.databridgePort === null)
    await refused('The databridge gateway is offline.')
    unit.report({ capabilities: {} })
    await until(() => values()?.capabilities.databridge === undefined)
    await refused('The unit has no databridge.')
  })

  it('[DBIP-001] follows its gateway to another address, and ends with it, with the licence and with a lost unit', async () => {
    await choose()
    await start()
    await until(() => wanted() !== null)
    await report('bridging')
    gateway.report({ addresses: ['192.0.2.10'] })
    await until(() => wanted()?.targets[0]?.host === '192.0.2.10')
    await fleet.core.devices.updateDetails(unit.id, (now) => ({ ...now, services: ['video'] }))
    unit.report({ state: 'unlicensed' })
    await until(() => wanted() === null && admitted().length === 0)
    await fleet.core.devices.updateDetails(unit.id, ({ services: _, ...now }) => now)
    unit.report({ applications: {}, state: 'idle' })
    await until(() => values()?.services.includes('databridge') === true && values()?.busy === false)
    await start()
    await until(() => admitted().length === 1)
    unit.socket.terminate()
    await until(() => values()?.offline === true)
    await fleet.pass(61_000)
    await until(() => admitted().length === 0)
  })
})
