// IP pipes through the doors: which servers hold them, who is admitted where, the five states, and what ends them.
import { api } from '@backhaul/contract/api/api'
import type { IpPipeConfiguration, IpPipeSettings } from '@backhaul/contract/nouns/ip-pipe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import {
  ableToPipe,
  ethernets,
  pipeConfiguration,
  pipedFleet,
  pipePort,
  pipeSettings,
} from '../../testing/ip-pipe-calls.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { ipPipe: calls } = api

describe.each(enginesOfNight)('IP pipes on %s', (engine) => {
  let fleet: TestFleet
  let server: TestDevice
  let unit: TestDevice
  let olivia: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    ;({ server, unit } = await pipedFleet(fleet))
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const usual = () => pipeSettings({ server, unit })
  const set = (changes: Partial<IpPipeSettings> = {}, id = unit.id, browser = olivia) =>
    browser.call(calls.setUnit, { params: { id }, body: { ...usual(), ...changes } })
  const configure = (changes: Partial<IpPipeConfiguration> = {}, id = server.id, browser = nora) =>
    browser.call(calls.configure, { params: { id }, body: { ...pipeConfiguration, ...changes } })
  const change = (body: Partial<IpPipeConfiguration>) =>
    nora.call(calls.changeConfiguration, { params: { id: server.id }, body })
  const configuration = (id = server.id) => nora.call(calls.configuration, { params: { id } })
  const connect = (id = unit.id) => olivia.call(calls.connect, { params: { id } })
  const disconnect = (id = unit.id) => olivia.call(calls.disconnect, { params: { id } })
  const wanted = (of = unit) => of.newest('wanted')?.state.ipPipe ?? null
  const admitted = () => server.newest('serverWanted')?.state.ipPipes ?? []
  const values = (of = unit) => fleet.core.units.values(of.id)
  const pipeIs = (state: string, of = unit) => until(() => values(of)?.ipPipe.state === state)
  /** The unit reports this state. */
  const report = (state: string | undefined, more: object = {}) =>
    unit.report({
      appliedRevision: unit.newest('wanted')?.revision ?? 0,
      ipPipeId: wanted()?.id ?? null,
      applications: state === undefined ? {} : { l2ControlPipe: { state } },
      ...more,
    })
  const refusal = (message: string) => ({ status: 409, message })

  it('[SRV-002] a server is configured as a whole or in part, with the networks of its machine', async () => {
    expect(await configuration()).toEqual({ enabled: false, interface: '', port: 20_950 })
    expect(await nora.call(calls.ethernets, { params: { id: server.id } })).toEqual(ethernets)
    expect(await configure()).toEqual(pipeConfiguration)
    await until(() => server.newest('serverWanted')?.state.ipPipe !== undefined)
    expect(server.newest('serverWanted')?.state.ipPipe).toEqual(pipeConfiguration)
    const next = { ...pipeConfiguration, interface: 'br-cameras' }
    expect(await change({ interface: 'br-cameras' })).toEqual(next)
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(await configuration()).toEqual(next)
  })

  it('[SRV-002] refuses networks that the machine does not have, servers that cannot, and bad fields', async () => {
    await expect(configure({ interface: 'br-other' })).rejects.toMatchObject({
      ...refusal('The server has no such Ethernet network.'),
      fields: [{ field: 'interface' }],
    })
    for (const port of [0, 65_536])
      await expect(configure({ port })).rejects.toMatchObject({ status: 400, fields: [{ field: 'port' }] })
    await expect(configure({}, server.id, olivia)).rejects.toMatchObject({ status: 403 })
    const returns = await fleet.server('Returns', 1, { product: 'Video Return Server' })
    await expect(configure({}, returns.id)).rejects.toMatchObject({ status: 404 })
    await expect(configuration(returns.id)).rejects.toMatchObject({ status: 404 })
    await configure()
    server.report({ capabilities: { ...ableToPipe, ipPipe: false } })
    await until(() => fleet.core.servers.memory(server.id)?.actual.capabilities?.ipPipe === false)
    await expect(change({ port: 4000 })).rejects.toMatchObject(refusal('The server cannot hold an IP pipe.'))
    // A configured pipe can be switched off.
    expect(await change({ enabled: false })).toMatchObject({ enabled: false })
  })

  it('[SRV-008] names the servers of a customer that can hold a pipe, a thousand on a page', async () => {
    const plain = await fleet.server('Plain')
    const list = (query: Parameters<typeof olivia.call<typeof calls.servers>>[1]['query'], inv = 'north') =>
      olivia.call(calls.servers, { params: { inv }, query })
    const all = await list({})
    expect(all.items.map(({ deviceId }) => deviceId)).toEqual(expect.arrayContaining([server.id, plain.id]))
    await configure()
    const { items, ...rest } = await list({ searchKey: 'ipPipe' })
    expect(rest).toEqual({ total: 1, offset: 0, limit: 1000 })
    expect(items).toEqual([
      {
        deviceId: server.id,
        name: 'Piper',
        state: 'online',
        capabilities: ableToPipe,
        configuration: pipeConfiguration,
        ethernets,
      },
    ])
    expect((await list({ searchKey: 'ipPipe', offset: 1 })).items).toEqual([])
    await expect(list({ limit: 1001 })).rejects.toMatchObject({ status: 400 })
    await expect(list({}, 'south')).rejects.toMatchObject({ status: 404 })
  })

  it('[DBIP-004] keeps the settings of a unit, with their limits', async () => {
    const shown = async () => (await olivia.call(api.units.configuration, { params: { id: unit.id } })).ipPipe
    expect(await shown()).toBeNull()
    await set({ description: 'x'.repeat(1024) })
    expect(await shown()).toEqual({ ...usual(), description: 'x'.repeat(1024) })
    for (const field of ['interface', 'description'] as const) {
      await expect(set({ [field]: 'x'.repeat(1025) })).rejects.toMatchObject({
        status: 400,
        fields: [{ field, message: 'Must have at most 1024 characters' }],
      })
      await expect(set({ [field]: 'a\\b' })).rejects.toMatchObject({
        status: 400,
        fields: [{ field, message: 'Backslashes are not allowed.' }],
      })
    }
    for (const port of [0, 65_536, 1.5])
      await expect(set({ port })).rejects.toMatchObject({ status: 400, fields: [{ field: 'port' }] })
    await expect(set({ interface: 'br-other' })).rejects.toMatchObject({
      ...refusal('The server has no such Ethernet network.'),
      fields: [{ field: 'interface' }],
    })
    const plain = await fleet.server('Plain')
    await expect(set({ serverId: plain.id, channel: plain.channelIds[0] ?? '' })).rejects.toMatchObject(
      refusal('The server cannot hold an IP pipe.'),
    )
    await expect(set({ channel: plain.channelIds[0] ?? '' })).rejects.toMatchObject({ status: 404 })
    await expect(set({ serverId: 'unknown' })).rejects.toMatchObject({ status: 404 })
    await expect(set({}, unit.id, await fleet.signedIn('reed'))).rejects.toMatchObject({ status: 403 })
  })

  it('[DBIP-004] goes through its five states, by what is wanted and by what the unit reports', async () => {
    await configure()
    await set()
    expect(values()?.ipPipe).toEqual({ state: 'not connected', reason: null, cause: undefined })
    const { commandId } = await connect()
    await pipeIs('connecting')
    await until(() => wanted() !== null && admitted().length === 1)
    const { id, key } = wanted() ?? {}
    expect(wanted()).toEqual({
      id,
      key,
      serverId: server.id,
      channel: server.channelIds[0],
      targets: [{ host: '192.0.2.9', port: pipePort }],
    })
    expect(admitted()).toEqual([
      { id, key, unitId: unit.id, channel: server.channelIds[0], interface: 'br-control' },
    ])
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32)
    report('connecting')
    await until(() => values()?.applications?.l2ControlPipe !== undefined)
    expect(values()?.ipPipe.state).toBe('connecting')
    await expect(connect()).rejects.toMatchObject(refusal('The IP pipe is connected.'))
    await expect(set()).rejects.toMatchObject(refusal('The IP pipe cannot be set while it is connected.'))
    report('connected')
    await pipeIs('connected')
    await until(() => values()?.command?.state === 'confirmed')
    expect(values()).toMatchObject({ command: { id: commandId, name: 'connect_ip_pipe' }, busy: false })
    report('failed', {
      ipPipeFailure: 'The IP pipe server does not answer on any link.',
      ipPipeFailureCause: { code: 'ipPipe.serverSilent', params: {} },
    })
    await pipeIs('failed')
    expect(values()?.ipPipe).toMatchObject({
      reason: 'The IP pipe server does not answer on any link.',
      cause: { code: 'ipPipe.serverSilent' },
    })
    await disconnect()
    await pipeIs('disconnecting')
    await until(() => wanted() === null && admitted().length === 0)
    report(undefined, { ipPipeFailure: null, ipPipeFailureCause: null })
    await pipeIs('not connected')
    await until(
      () => values()?.command?.name === 'disconnect_ip_pipe' && values()?.command?.state === 'confirmed',
    )
    await expect(disconnect()).rejects.toMatchObject(refusal('The IP pipe is not connected.'))
  })

  it('[DBIP-004] is refused with the first reason why it cannot be connected', async () => {
    const refused = (message: string) => expect(connect()).rejects.toMatchObject(refusal(message))
    await refused('No IP pipe server is selected.')
    await set()
    await refused('The IP pipe of the server is not open.')
    await configure()
    server.report({ ipPipePort: null })
    await until(() => fleet.core.servers.memory(server.id)?.actual.ipPipePort === null)
    await refused('The IP pipe of the server is not open.')
    server.report({ ipPipePort: pipePort })
    await until(() => fleet.core.servers.memory(server.id)?.actual.ipPipePort === pipePort)
    const other = await fleet.unit('PIPE-2')
    other.report({ capabilities: { ipPipe: true } })
    await until(() => values(other)?.capabilities.ipPipe === true)
    await set({}, other.id)
    await connect(other.id)
    const name = fleet.core.channels.known(server.channelIds[0] ?? '')?.name
    await refused(`Channel ${name} carries the IP pipe of another unit.`)
    await disconnect(other.id)
    unit.report({ applications: { databridge: { state: 'bridging' } } })
    await until(() => values()?.applications?.databridge !== undefined)
    await refused('The databridge is running.')
    unit.report({ applications: { upgrade: { state: 'upgrading' } } })
    await until(() => values()?.applications?.upgrade !== undefined)
    await refused('Unit is busy.')
    unit.report({ applications: {}, capabilities: {} })
    await until(() => values()?.capabilities.ipPipe === undefined)
    await refused('The unit has no IP pipe.')
    server.socket.terminate()
    await until(() => !fleet.core.servers.isOnline(server.id))
    unit.report({ capabilities: { ipPipe: true } })
    await until(() => values()?.capabilities.ipPipe === true)
    await refused('The IP pipe server is offline.')
    unit.socket.terminate()
    await until(() => values()?.offline === true)
    await refused('Unit is offline.')
  })

  it('[DBIP-004] follows its server to another address; one that fails is retried until it is disconnected', async () => {
    await configure()
    await set({ interface: 'br-cameras' })
    await connect()
    await until(() => admitted()[0]?.interface === 'br-cameras')
    server.report({ addresses: ['192.0.2.10'] })
    await until(() => wanted()?.targets[0]?.host === '192.0.2.10')
    report('failed', { ipPipeFailure: 'No way' })
    await pipeIs('failed')
    await fleet.pass(21_000)
    await until(() => values()?.command?.state === 'timedOut')
    expect(values()?.command?.reason).toBe('No way')
    expect(wanted()).not.toBeNull()
    expect(admitted()).toHaveLength(1)
  })

  it('[DBIP-004] ends with the network of its server, with a unit that does not take it, and with a lost one', async () => {
    const isOver = () => until(() => wanted() === null && admitted().length === 0)
    await configure()
    await set()
    await connect()
    await until(() => admitted().length === 1)
    report('connected')
    await change({ port: 4000 })
    await pipeIs('connected')
    await change({ interface: 'br-cameras' })
    await isOver()
    report(undefined)
    await pipeIs('not connected')
    await configure()
    await connect()
    await until(() => admitted().length === 1)
    await change({ enabled: false })
    await isOver()
    await configure()
    await connect()
    await until(() => admitted().length === 1)
    await fleet.pass(21_000)
    await isOver()
    await connect()
    await until(() => admitted().length === 1)
    unit.socket.terminate()
    await until(() => values()?.offline === true)
    expect(values()?.ipPipe.state).toBe('connecting')
    await fleet.pass(61_000)
    await until(() => admitted().length === 0)
    expect(values()?.ipPipe.state).toBe('not connected')
  })
})
