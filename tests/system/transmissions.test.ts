// Transmissions and channels through the public doors of a running core, with devices that only do what the test makes them do.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { UnitWanted, WantedTransmission } from '@backhaul/contract/gateway/units'
import { Channel, countChannels } from '@backhaul/contract/nouns/channels'
import type { Command } from '@backhaul/contract/nouns/commands'
import { startButton, transientStates } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const group = 'london-news'
let stage: Stage
let person: Person
let push: Listener
let server: StageDevice
let unit: StageDevice
let silent: StageDevice
let first: Channel
let second: Channel
let machine: Channel
let multi: Channel

beforeAll(async () => {
  stage = await openStage({ demo: 2 })
  const root = await signIn(stage.url, 'admin', adminPassword)
  const ptmp = { id: 'north-atlantic', name: 'ptmp' } as const
  await root.call(api.inventories.setProperty, { params: ptmp, body: { value: true } })
  const bonded = (slot: string, name: string, sdiNo?: number) => ({ slot, name, inputType: null, sdiNo })
  server = await joinDevice(stage, {
    kind: 'server',
    name: 'MCR-Stage',
    groupId: group,
    slots: [
      bonded('1', 'Stage-1', 1),
      bonded('2', 'Stage-2'),
      bonded('3', 'Boss150-Stage'),
      { slot: '4', name: 'Stage-SRT', inputType: 'srt' },
      { slot: 'multi', name: 'Stage-Multi', inputType: null, members: ['1', '2'] },
    ],
  })
  unit = await joinDevice(stage, { name: 'STAGE-01', groupId: group })
  silent = await joinDevice(stage, { name: 'STAGE-02', groupId: group })
  person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
  const named = async (name: string) =>
    await until(`channel ${name}`, async () => (await channels()).find((one) => one.name === name))
  first = await named('Stage-1')
  second = await named('Stage-2')
  machine = await named('Boss150-Stage')
  multi = await named('Stage-Multi')
  push = await person.listen([
    ...[unit, silent].map(({ id }) => `unit.${id}`),
    ...[first, second, multi].map(({ uniqueId }) => `channel.${uniqueId}`),
  ])
  await unitShows(({ status }) => status === 'idle')
})
afterAll(async () => {
  push?.close()
  for (const device of [unit, silent, server]) device?.close()
  await stage?.stop()
})

goOnFromEachOther()

type Received = 'set_virtual_channel' | 'virtual_channels_updated' | 'stop_streaming'
const channels = () => person.call(api.channels.ofGroup, { query: { group } })
const params = () => ({ id: unit.id })
const command = (name: Received, body: { virtualChannelName: string } | undefined = undefined) =>
  person.call(api.unitCommands.command, { params: { ...params(), command: name }, body })
const start = (body: { channel?: string } = {}) =>
  person.call(api.unitCommands.start, { params: params(), body })
const shown = () => push.state(`unit.${unit.id}`) as unknown as Unit
const unitShows = (check: (state: Unit) => boolean) =>
  push.until(`unit.${unit.id}`, (state) => check(state as unknown as Unit)) as unknown as Promise<Unit>
const button = () => startButton({ ...shown(), transition: shown().transition ?? undefined })

/** Waits for this outcome of the command. */
const ends = (commandId: string | undefined, state: Command['state']) =>
  unitShows(({ command }) => command?.id === commandId && command?.state === state)

/** The wanted transmission of the unit, once it differs from the previous one. */
async function toldToSend(after?: string): Promise<WantedTransmission> {
  const { state } = await unit.received('wanted', ({ state }) => {
    const id = state.transmission?.id
    return id !== undefined && id !== after && !seen.has(id)
  })
  const transmission = state.transmission as WantedTransmission
  seen.add(transmission.id)
  return transmission
}
const seen = new Set<string>()

/** Waits until this is the newest wanted state. */
const isWanted = (check: (state: UnitWanted) => boolean) =>
  until('the wanted state of core', () => {
    const newest = unit.messages.findLast((one) => one.type === 'wanted')
    return newest?.type === 'wanted' && check(newest.state)
  })

function goesLive({ id, channelId }: WantedTransmission): void {
  unit.report({ transmissionId: id, applications: { video: { state: 'streaming' } } })
  server.channels([{ channelId, status: 'collecting', transmissionId: id, kbps: 4100 }])
}

async function selects(channel: Channel): Promise<void> {
  await command('set_virtual_channel', { virtualChannelName: channel.name })
  await isWanted(({ channelId }) => channelId === channel.uniqueId)
  unit.report({ channelId: channel.uniqueId })
  await unitShows(({ channelId }) => channelId === channel.uniqueId)
}

async function comesToRest(): Promise<void> {
  await isWanted(({ transmission }) => transmission === null)
  unit.report({ transmissionId: null, applications: {} })
  server.channels([first, second].map(({ uniqueId }) => ({ channelId: uniqueId, status: 'idle' })))
  await unitShows(({ status, transition, transmission }) => status === 'idle' && !transition && !transmission)
}

test('[STREAM-001] a start goes through connecting to stop, and either way of stopping through disconnecting to start', async () => {
  onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
  await selects(first)
  for (const stop of [
    () => command('stop_streaming'),
    () => person.call(api.unitCommands.stop, { params: params() }),
  ]) {
    expect(button()).toBe('start')
    const started = await start()
    await unitShows(({ transition, inTransition }) => transition === 'starting' && inTransition)
    expect(button()).toBe('connecting')
    const transmission = await toldToSend()
    expect(transmission).toMatchObject({
      channelId: first.uniqueId,
      targets: [{ host: '127.0.0.1', port: 30_000 }],
    })
    unit.report({ transmissionId: transmission.id, applications: { video: { state: 'connecting' } } })
    await unitShows(({ video, command }) => video?.state === 'connecting' && command?.state === 'accepted')
    expect([button(), shown().transition]).toEqual(['connecting', 'starting'])
    goesLive(transmission)
    await ends(started.commandId, 'confirmed')
    await unitShows(({ status, transition }) => status === 'streaming' && transition === null)
    expect([button(), shown().busy, shown().inTransition]).toEqual(['stop', true, false])
    expect(shown().transmission).toMatchObject({ id: transmission.id, by: 'operator' })
    const stopped = await stop()
    await unitShows(({ transition }) => transition === 'stopping')
    expect(button()).toBe('disconnecting')
    await comesToRest()
    await ends(stopped.commandId, 'confirmed')
  }
  await expect(command('stop_streaming')).rejects.toMatchObject({
    status: 409,
    message: 'Unit is not transmitting.',
  })
})

test('[STREAM-001] a channel in the body of a start only applies to this start', async () => {
  await start({ channel: second.name })
  const transmission = await toldToSend()
  expect(transmission.channelId).toBe(second.uniqueId)
  goesLive(transmission)
  const live = await unitShows(({ status, selChannel }) => status === 'streaming' && selChannel !== null)
  expect(live.transmission?.channelId).toBe(second.uniqueId)
  expect([live.channelId, live.selectedChannelName]).toEqual([first.uniqueId, 'Stage-2'])
  await command('stop_streaming')
  await comesToRest()
  await unitShows(({ selectedChannelName }) => selectedChannelName === 'Stage-1')
  await start({})
  const next = await toldToSend()
  expect(next.channelId).toBe(first.uniqueId)
  await command('stop_streaming')
  await comesToRest()
})

test('[STREAM-001] a refused start gives the reason and leaves no trace', async () => {
  await expect(start({ channel: 'No-Such-Channel' })).rejects.toMatchObject({ status: 404 })
  await expect(start({ channel: multi.uniqueId })).rejects.toMatchObject({
    status: 409,
    message: 'Selected channel is busy or offline.',
  })
  const refused = await start()
  await toldToSend()
  const wanted = unit.messages.findLast((one) => one.type === 'wanted')
  unit.outcome({ revision: wanted?.type === 'wanted' ? wanted.revision : 0, state: 'refused' })
  await ends(refused.commandId, 'refused')
  await unitShows(({ transition, transmission }) => transition === null && transmission === null)
  expect(button()).toBe('start')
})

test('[STREAM-001] [UNIT-010] a unit that never shows the requested state is released by the watchdog after ten checks of 2 s', async () => {
  const topic = `unit.${silent.id}`
  const body = { channel: second.uniqueId }
  await person.call(api.unitCommands.start, { params: { id: silent.id }, body })
  await push.until(topic, ({ transition }) => transition === 'starting')
  // A message about another unit is ignored (ST-LIVE-10).
  unit.send({
    type: 'report',
    unitId: silent.id,
    actual: { applications: { video: { state: 'streaming' } } },
  })
  unit.send({ type: 'report', unitId: 'u-unknown', actual: { state: 'somewhere' } })
  await pause(500)
  expect(push.state(topic)).toMatchObject({ transition: 'starting', status: 'idle' })
  expect(shown()).toMatchObject({ status: 'idle', state: 'idle' })
  const released = await push.until(topic, ({ transition }) => transition === null)
  expect(released).toMatchObject({ status: 'idle', inTransition: false })
  await push.until(topic, ({ command }) => (command as Command).state === 'timedOut')
  await push.until(topic, ({ transmission }) => transmission === null)
})

test('[STREAM-001] [UNIT-010] the flags of databridge and video return are set and cleared by the unit itself, and never shown as values', async () => {
  unit.report({ applications: { databridge: { state: 'bridging' }, videoReturn: { state: 'collecting' } } })
  await unitShows(({ databridge }) => databridge?.state === 'bridging')
  unit.report({ applications: { databridge: { state: 'connecting' }, videoReturn: { state: 'stopping' } } })
  const between = await unitShows(({ databridgeInTransition }) => databridgeInTransition)
  expect(between).toMatchObject({
    databridge: { state: 'bridging' },
    videoReturn: { state: 'collecting' },
    videoReturnInTransition: true,
  })
  expect(transientStates(between)).toEqual(['databridgeConnecting', 'videoReturnDisconnecting'])
  for (const state of ['streaming', 'speedtest']) {
    unit.report({ applications: { video: { state } } })
    await unitShows(({ video, busy }) => video?.state === state && busy)
  }
  unit.report({ applications: { fetchlogs: { state: 'running' }, forward: { state: 'running' } } })
  await unitShows(({ fileTransfer, busy }) => fileTransfer !== null && busy)
  await comesToRest()
  expect(shown()).toMatchObject({ databridgeInTransition: false, videoReturnInTransition: false, idle: true })
})

test('[STREAM-002] a selected channel turns the update flag off, and on again after 2 s', async () => {
  const from = push.messages.length
  const begin = performance.now()
  const { commandId } = await command('set_virtual_channel', { virtualChannelName: second.name })
  await unitShows(({ configurationUpdated }) => !configurationUpdated)
  await isWanted(({ channelId }) => channelId === second.uniqueId)
  unit.report({ channelId: second.uniqueId })
  await ends(commandId, 'confirmed')
  expect(shown()).toMatchObject({ channelId: second.uniqueId, selectedChannelName: 'Stage-2' })
  await unitShows(({ configurationUpdated }) => configurationUpdated)
  expect(performance.now() - begin).toBeGreaterThan(1900)
  const flags = push.messages
    .slice(from)
    .flatMap(({ data }) => (data as Partial<Unit>).configurationUpdated ?? [])
  expect(flags).toEqual([false, true])
})

test('[STREAM-002] a retried channel is sent again until the unit has it, or a newer one replaces it', async () => {
  const retry = (virtualChannelName: string, n: number) =>
    person.call(api.unitCommands.retriedCommand, {
      params: { ...params(), cmd: 'set_virtual_channel', n },
      query: { timeoutMs: 500 },
      body: { virtualChannelName },
    })
  const toldOf = ({ uniqueId }: Channel) =>
    unit.messages.filter((one) => one.type === 'wanted' && one.state.channelId === uniqueId).length
  const before = toldOf(first)
  const older = await retry(first.name, 7)
  await until('two repetitions', () => toldOf(first) >= before + 3)
  const secondBefore = toldOf(second)
  const newer = await retry(second.name, 7)
  // Earlier messages come before it.
  await until('the second channel', () => toldOf(second) > secondBefore)
  const stopped = toldOf(first)
  await pause(1200)
  expect(toldOf(first)).toBe(stopped)
  unit.report({ channelId: second.uniqueId })
  await ends(newer.commandId, 'confirmed')
  // One may be under way while the user gets the confirmation.
  const answered = toldOf(second)
  await pause(1200)
  expect(toldOf(second)).toBeLessThanOrEqual(answered + 1)
  expect(older.commandId).not.toBe(newer.commandId)
  await expect(retry(first.name, 8)).rejects.toMatchObject({ status: 400 })
})

test('[STREAM-002] the unit is informed that its channels changed, and its own answer counts', async () => {
  const { commandId } = await command('virtual_channels_updated')
  const order = await unit.received('order', ({ name }) => name === 'virtual_channels_updated')
  unit.outcome({ id: order.id, state: 'accepted' })
  await ends(commandId, 'accepted')
  unit.outcome({ id: order.id, state: 'confirmed' })
  await ends(commandId, 'confirmed')
})

test('[STREAM-002] a point-to-multipoint channel adds its machine to the unit and takes it away', async () => {
  const machines = () => person.call(api.channels.multipoint, { query: { uniqueID: unit.id } })
  const set = (uids: string[]) =>
    person.call(api.channels.updateMultipoint, {
      body: { uniqueID: unit.id, machines: uids.map((uid) => ({ uid })) },
    })
  expect(await machines()).toEqual([{ uid: machine.uniqueId, name: 'Boss150-Stage', selected: false }])
  await set([machine.uniqueId])
  const sends = await unitShows(({ ptmpChannel }) => ptmpChannel === machine.uniqueId)
  expect(sends.selectedChannels).toEqual([second.uniqueId, machine.uniqueId])
  await set([])
  await unitShows(
    ({ ptmpChannel, selectedChannels }) => ptmpChannel === null && selectedChannels.length === 1,
  )
  // As a command it is added too, and a repetition does not undo it.
  await command('set_virtual_channel', { virtualChannelName: machine.name })
  await command('set_virtual_channel', { virtualChannelName: machine.name })
  await unitShows(({ ptmpChannel }) => ptmpChannel === machine.uniqueId)
  await set([])
  await selects(first)
  await expect(set([first.uniqueId])).rejects.toMatchObject({ status: 404 })
})

test('[STREAM-003] an unknown channel shows External, and a transmission to it can still be stopped', async () => {
  unit.report({ channelId: 'ch-of-another-customer' })
  const external = await unitShows(({ selectedChannelName }) => selectedChannelName === 'External')
  expect([external.channelId, external.selChannel]).toEqual(['ch-of-another-customer', null])
  await expect(start()).rejects.toMatchObject({
    status: 409,
    message: 'Selected channel is busy or offline.',
  })
  unit.report({ applications: { video: { state: 'streaming' } } })
  await unitShows(({ status }) => status === 'streaming')
  const { commandId } = await command('stop_streaming')
  await isWanted(({ transmission }) => transmission === null)
  unit.report({ applications: {} })
  await ends(commandId, 'confirmed')
  unit.report({ channelId: first.uniqueId })
  await unitShows(({ selectedChannelName }) => selectedChannelName === 'Stage-1')
})

test('[CHAN-002] a multi-camera channel has the status of its members: idle before collecting before offline', async () => {
  const read = async () => (await person.call(api.channels.multiChannels, { params: { id: group } }))[0]
  const becomes = async (one: Channel['status'], other: Channel['status'], status: string) => {
    server.channels([
      { channelId: first.uniqueId, status: one },
      { channelId: second.uniqueId, status: other },
    ])
    await push.until(`channel.${first.uniqueId}`, (state) => state.status === one)
    await push.until(`channel.${second.uniqueId}`, (state) => state.status === other)
    await push.until(`channel.${multi.uniqueId}`, (state) => state.status === status)
    return await read()
  }
  expect(await becomes('collecting', 'idle', 'idle')).toEqual({
    uniqueId: multi.uniqueId,
    name: 'Stage-Multi',
    sdi: false,
    channels: [
      { uniqueId: first.uniqueId, status: 'collecting' },
      { uniqueId: second.uniqueId, status: 'idle' },
    ],
    status: 'idle',
    collecting: 1,
    busy: false,
  })
  expect(await becomes('collecting', 'collecting', 'collecting')).toMatchObject({ collecting: 2 })
  expect(await becomes('collecting', 'upgrading', 'collecting')).toMatchObject({ collecting: 1 })
  expect(await becomes('connecting', 'upgrading', 'offline')).toMatchObject({ collecting: 0 })
  await becomes('idle', 'idle', 'idle')
  await start()
  await until('the member to be held', async () => (await read())?.busy)
  await command('stop_streaming')
  await comesToRest()
  expect(await read()).toMatchObject({ busy: false })
})

test('[CHAN-003] the kind of a channel follows from what it is, and its icon from kind, sharing and status', async () => {
  const list = await channels()
  expect(list.map(({ name, kind, inputType }) => [name, kind, inputType])).toEqual([
    ['Boss150-Stage', 'PREVIEW_CHANNEL', null],
    ['Stage-1', 'OUTPUT_CHANNEL', null],
    ['Stage-2', 'PREVIEW_CHANNEL', null],
    ['Stage-Multi', 'GROUP_CHANNEL', null],
    ['Stage-SRT', 'INPUT_CHANNEL', 'srt'],
  ])
  for (const channel of list) expect(Object.keys(channel).sort()).toEqual(Object.keys(Channel.shape).sort())
  expect(list.map(({ protocol, bandwidthLimit }) => [protocol, bandwidthLimit])).toContainEqual(['srt', 0])
  expect(shown().selChannel).toMatchObject({ icon: 'OUTPUT_CHANNEL-blue', isOutput: true, hasSdi: true })
  server.channels([{ channelId: first.uniqueId, status: 'collecting' }])
  await unitShows(({ selChannel }) => selChannel?.icon === 'OUTPUT_CHANNEL-green')
  server.channels([{ channelId: first.uniqueId, status: 'upgrading' }])
  await unitShows(({ selChannel }) => selChannel?.icon === 'OUTPUT_CHANNEL-amber')
})

test('[CHAN-001] [STREAM-001] the channels of the group are read in every form, counted, and go offline with their server', async () => {
  const list = await channels()
  expect(countChannels(list)).toEqual({
    busy: 1,
    idle: 3,
    offline: 0,
    sdi: 1,
    smpte: 0,
    cdn: 0,
    preview: 2,
    studio: 0,
    share: 0,
    distributor: 0,
    output: 1,
    input: 1,
  })
  const id = { id: first.uniqueId }
  const unrevised = (all: Channel[]) => all.map(({ rev: _, ...channel }) => channel)
  const details = await person.call(api.channels.details, { params: { group } })
  expect(unrevised(details)).toEqual(unrevised(await channels()))
  expect(await person.call(api.channels.status, { params: id })).toMatchObject({ status: 'upgrading' })
  expect(await person.call(api.channels.capabilities, { params: id })).toMatchObject({ webrtc: false })
  expect(await person.call(api.channels.addresses, { params: id })).toEqual([
    { ip: '127.0.0.1', port: 30_000 },
  ])
  server.close()
  await push.until(`channel.${first.uniqueId}`, ({ status }) => status === 'offline')
  await push.until(`channel.${multi.uniqueId}`, ({ status }) => status === 'offline')
  expect(countChannels(await channels())).toMatchObject({ busy: 0, idle: 0, offline: 4 })
  unit.close()
  await unitShows(({ offline }) => offline)
  expect(button()).toBe('offline')
})
