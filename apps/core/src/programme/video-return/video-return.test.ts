// Video return through the doors: the channels of a group, their inputs, and a picture sent to a unit.

import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { defaultVrSettings } from '@backhaul/contract/nouns/video-return'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everything } from '../../database/scope.ts'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { videoReturn: calls } = api

describe.each(enginesOfNight)('video return on %s', (engine) => {
  let fleet: TestFleet
  let olivia: Browser
  let studio: TestDevice
  let unit: TestDevice
  let first: string
  let second: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    olivia = await fleet.signedIn('olivia')
    studio = await fleet.server('VR', 2, { product: 'Video Return Server' })
    const inSlot = (slot: string) =>
      studio.newest('serverWanted')?.state.channels.find((one) => one.slot === slot)?.channelId ?? ''
    first = inSlot('slot-1')
    second = inSlot('slot-2')
    await fleet.server('MCR', 1)
    unit = await newUnit('LON-01')
    reportStatuses('videoReturnInputConnected', 'idle')
    await until(() => status(first) === 'videoReturnInputConnected')
  })
  afterEach(() => fleet.remove())

  const status = (id: string) => fleet.core.channels.known(id)?.status
  const reportStatuses = (
    one: 'offline' | 'idle' | 'videoReturnInputConnected' | 'collecting',
    other: 'idle',
  ) => {
    studio.report({
      ports: [
        {
          slot: 'slot-1',
          ristPort: null,
          inputAddress: null,
          returnPort: 24_001,
          inputs: [{ id: 'sdi-2', connected: true, standard: '1080p50' }],
        },
        { slot: 'slot-2', ristPort: null, inputAddress: null, returnPort: 24_002, inputs: [] },
      ],
    })
    studio.telemetry([
      { channelId: first, status: one, input: 'sdi-2' },
      { channelId: second, status: other },
    ])
  }
  async function newUnit(name: string): Promise<TestDevice> {
    const made = await fleet.unit(name)
    made.report({ capabilities: { videoReturn: true } })
    await until(() => fleet.core.units.values(made.id)?.capabilities.videoReturn === true)
    await until(() => fleet.core.devices.memberships.groupsOf('unit', made.id).length > 0)
    return made
  }
  const ofGroup = () => olivia.call(calls.ofGroup, { params: { groupId: 'london' } })
  const select = (channel: string | null, input?: 'sdi-2' | 'sdi-3' | null, id = unit.id) =>
    olivia.call(calls.select, { params: { id }, body: { channel, ...(input !== undefined && { input }) } })
  const start = (id = unit.id) => olivia.call(calls.start, { params: { id } })
  const stop = (id = unit.id) => olivia.call(calls.stop, { params: { id } })
  const values = (id = unit.id) => fleet.core.units.values(id)
  const refusal = (message: string) => ({ status: 409, message })

  /** The unit applies its wanted state. */
  async function follow(device: TestDevice): Promise<string> {
    const { revision, state } = await device.next('wanted', (one) => !!one.state.videoReturn)
    const { id = '' } = state.videoReturn ?? {}
    const applications = { videoReturn: { state: 'collecting' } }
    device.report({ applications, videoReturnId: id, appliedRevision: revision })
    await until(() => values(device.id)?.videoReturn?.state === 'collecting')
    return id
  }

  it('[VR-002] lists the channels of a group with their inputs, status and unit', async () => {
    expect((await ofGroup()).map(({ name, status }) => [name, status])).toEqual([
      ['VR-1', 'videoReturnInputConnected'],
      ['VR-2', 'idle'],
    ])
    expect((await ofGroup())[0]).toEqual({
      uniqueId: first,
      name: 'VR-1',
      description: '',
      status: 'videoReturnInputConnected',
      uptime: 0,
      serialNumber: 'sn-VR-slot-1',
      inputStandard: '1080p50',
      inputParameters: { input: 'sdi-2', codec: 'H.264', bitrateKbps: 4000, audioChannels: 2 },
      p2MPStreamingStatuses: {},
      urlData: ['rist://127.0.0.1:24001'],
      icon: 'OUTPUT_CHANNEL-amber',
      feedSelectionMode: 'automaticByServer',
      inputs: [{ id: 'sdi-2', connected: true, standard: '1080p50' }],
      input: 'sdi-2',
      serverId: studio.id,
      serverName: 'VR',
      inventoryId: 'north',
      unitUid: null,
      unitName: null,
    })
    const params = { id: first }
    expect(await olivia.call(calls.addresses, { params })).toEqual([{ ip: '127.0.0.1', port: 24_001 }])
    expect(await olivia.call(calls.capabilities, { params })).toMatchObject({
      store: true,
      customFeed: false,
    })
    expect(await olivia.call(calls.inputSources, { params })).toEqual([
      { id: 'sdi-1', enabled: true, connected: false, standard: '', taken: false },
      { id: 'sdi-2', enabled: true, connected: true, standard: '1080p50', taken: true },
      { id: 'sdi-3', enabled: true, connected: false, standard: '', taken: false },
      { id: 'sdi-4', enabled: true, connected: false, standard: '', taken: false },
    ])
    const receiving = fleet.core.channels.find(everything, 'MCR-1')?.uniqueId ?? ''
    const noReturn = olivia.call(calls.addresses, { params: { id: receiving } })
    await expect(noReturn).rejects.toMatchObject({ status: 404 })
    reportStatuses('offline', 'idle')
    await until(() => status(first) === 'offline')
    expect((await ofGroup())[0]).toMatchObject({
      status: 'offline',
      input: null,
      icon: 'OUTPUT_CHANNEL-grey',
    })
    studio.socket.close()
    await until(() => status(second) === 'offline')
    expect((await ofGroup()).map((one) => [one.status, one.uptime])).toEqual([
      ['offline', 0],
      ['offline', 0],
    ])
  })

  it('[VR-001] returns a picture to a unit: selected, started with its own key, live, ended', async () => {
    await olivia.call(calls.selectByUnit, { params: { id: unit.id }, body: { channel: first } })
    expect(values()?.selectedVideoReturn).toEqual({ channelId: first, input: null })
    const { commandId } = await start()
    const { state } = await unit.next('wanted', (one) => !!one.state.videoReturn)
    expect(state.videoReturn).toMatchObject({
      channelId: first,
      targets: [{ host: '127.0.0.1', port: 24_001 }],
    })
    const wanted = await studio.next('serverWanted', (one) =>
      one.state.channels.some(({ videoReturn }) => !!videoReturn?.session),
    )
    const session = wanted.state.channels.find(({ channelId }) => channelId === first)?.videoReturn?.session
    expect(session).toMatchObject({ unitId: unit.id, key: state.videoReturn?.key, id: state.videoReturn?.id })
    await follow(unit)
    expect(values()).toMatchObject({
      videoReturn: { state: 'collecting', channel: first },
      command: { id: commandId, name: 'start_video_return', state: 'confirmed' },
    })
    reportStatuses('collecting', 'idle')
    await until(() => status(first) === 'collecting')
    expect((await ofGroup())[0]).toMatchObject({
      status: 'collecting',
      unitUid: unit.id,
      unitName: 'LON-01',
      p2MPStreamingStatuses: { [unit.id]: 'collecting' },
    })
    await expect(start()).rejects.toMatchObject(refusal('Video return is running.'))
    await expect(select(null)).rejects.toMatchObject(refusal('Video return is running.'))
    const other = await newUnit('LON-02')
    await select(first, null, other.id)
    await expect(start(other.id)).rejects.toMatchObject(refusal('Selected channel is busy or offline.'))

    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    studio = await fleet.again(studio)
    await studio.greet()
    unit = await fleet.again(unit)
    await unit.greet()
    reportStatuses('collecting', 'idle')
    await expect(start()).rejects.toMatchObject(refusal('Video return is running.'))
    await stop()
    const after = await unit.next('wanted', (one) => one.state.videoReturn === null)
    unit.report({ applications: {}, videoReturnId: null, appliedRevision: after.revision })
    await until(() => values()?.command?.state === 'confirmed')
    expect(values()).toMatchObject({ videoReturn: null, command: { name: 'stop_video_return' } })
    expect((await ofGroup())[0]).toMatchObject({ unitUid: null })
    await expect(stop()).rejects.toMatchObject(refusal('Video return is not running.'))
    const rows = await fleet.db.selectFrom('video_returns').selectAll().execute()
    expect(rows).toMatchObject([
      { unit_id: unit.id, channel_id: first, started_by: 'olivia', stopped_by: 'olivia' },
    ])
    expect([rows[0]?.live_ms === null, rows[0]?.stop_reason]).toEqual([false, 'stopped'])
  })

  it('[ACCESS-010] [VR-001] refuses an unavailable picture, a missing licence and missing hardware, each with its text', async () => {
    const registrationKey = 'key-cairo'
    const abroad = await fleet.server('VR-Cairo', 1, { product: 'Video Return Server', registrationKey })
    const [far = ''] = abroad.channelIds
    const root = await fleet.signedIn('root')
    const selectAsVendor = (id: string) => root.call(calls.select, { params: { id }, body: { channel: far } })
    await expect(select(far)).rejects.toMatchObject({ status: 404 })
    await selectAsVendor(unit.id)
    await expect(start()).rejects.toMatchObject(refusal('Channel has no video or is external.'))
    await select(null)
    await expect(start()).rejects.toMatchObject(refusal('Channel has no video or is external.'))
    await select(second)
    await expect(start()).rejects.toMatchObject(refusal('Channel has no video or is external.'))
    await select(first)
    reportStatuses('offline', 'idle')
    await until(() => status(first) === 'offline')
    await expect(start()).rejects.toMatchObject(refusal('Selected channel is busy or offline.'))
    reportStatuses('videoReturnInputConnected', 'idle')
    await until(() => status(first) === 'videoReturnInputConnected')
    // The channel that the unit sends to is of another customer.
    unit.report({ channelId: 'ch-elsewhere' })
    await until(() => values()?.selectedChannelName === 'External')
    await expect(start()).rejects.toMatchObject(refusal('Channel has no video or is external.'))
    unit.report({ channelId: null, capabilities: {} })
    await until(() => values()?.capabilities.videoReturn === undefined)
    await expect(start()).rejects.toMatchObject(refusal('The unit cannot show video return.'))
    unit.report({ capabilities: { videoReturn: true } })
    await until(() => values()?.capabilities.videoReturn === true)
    const license = (services: string[]) =>
      fleet.core.devices.updateDetails(unit.id, (now) => ({ ...now, services }))
    await license(['video'])
    unit.report({ state: 'unlicensed' })
    await until(() => values()?.services.includes('videoReturn') === false)
    await expect(start()).rejects.toMatchObject(refusal('No Video Return licenses available.'))
    await license(['video', 'videoReturn'])
    unit.report({ state: 'licensed' })
    await until(() => values()?.services.includes('videoReturn') === true)

    const hold = (total: number) =>
      root.call(api.licences.setStock, { params: { id: 'north' }, body: { licence: 'videoReturn', total } })
    await hold(0)
    await expect(start()).rejects.toMatchObject(refusal('No Video Return licenses available.'))
    expect(fleet.core.channels.known(first)?.allocatedToUnitUid).toBeNull()
    await hold(1)
    // Returns of another customer count only there.
    const stranger = await fleet.unit('CAI-1', { registrationKey })
    stranger.report({ capabilities: { videoReturn: true } })
    abroad.report({
      ports: [{ slot: 'slot-1', ristPort: null, inputAddress: null, returnPort: 24_003, inputs: [] }],
    })
    abroad.telemetry([{ channelId: far, status: 'videoReturnInputConnected' }])
    await until(() => status(far) === 'videoReturnInputConnected')
    await selectAsVendor(stranger.id)
    await root.call(calls.start, { params: { id: stranger.id } })
    await start()
    reportStatuses('videoReturnInputConnected', 'videoReturnInputConnected' as never)
    await until(() => status(second) === 'videoReturnInputConnected')
    const other = await newUnit('LON-02')
    await select(second, null, other.id)
    await expect(start(other.id)).rejects.toMatchObject(refusal('No Video Return licenses available.'))
    await stop()
    await start(other.id)
    other.socket.close()
    await until(() => values(other.id)?.offline === true)
    await expect(start(other.id)).rejects.toMatchObject(refusal('Video return is running.'))
    const reed = await fleet.signedIn('reed')
    await expect(reed.call(calls.start, { params: { id: unit.id } })).rejects.toMatchObject({ status: 403 })
  })

  it('[VR-001] ends a return that the unit refuses or leaves, so that the channel is free for the next', async () => {
    await select(first)
    await start()
    const { revision } = await unit.next('wanted', (one) => !!one.state.videoReturn)
    unit.send({ type: 'outcome', revision, state: 'refused', reason: 'no monitor' })
    await until(() => fleet.core.channels.known(first)?.allocatedToUnitUid === null)
    expect(values()?.command).toMatchObject({ state: 'refused', reason: 'no monitor' })
    await unit.next('wanted', (one) => one.state.videoReturn === null)
    await start()
    const again = await unit.next('wanted', (one) => !!one.state.videoReturn && one.revision > revision)
    unit.report({
      applications: { videoReturn: { state: 'connecting' } },
      videoReturnId: again.state.videoReturn?.id ?? null,
      returnFailure: 'The video return server does not answer on any link.',
      returnFailureCause: { code: 'videoReturn.serverSilent', params: {} },
      appliedRevision: again.revision,
    })
    await until(() => values()?.command?.cause?.code === 'videoReturn.serverSilent')
    unit.socket.close()
    await until(() => values()?.offline === true)
    await fleet.pass(61_000)
    await until(() => fleet.core.channels.known(first)?.allocatedToUnitUid === null)
    const rows = await fleet.db
      .selectFrom('video_returns')
      .select('stop_reason')
      .orderBy('started_ms')
      .execute()
    expect(rows.at(-1)?.stop_reason).toMatch(/lost|does not answer/)
  })

  it('[VR-004] selects inputs in order automatically, or lets users choose one for each unit', async () => {
    const choose = (feedSelectionMode: 'automaticByServer' | 'custom', input: 'sdi-2' | 'sdi-3' | null) =>
      olivia.call(calls.chooseInput, { params: { id: first }, body: { feedSelectionMode, input } })
    await expect(select(first, 'sdi-2')).rejects.toMatchObject({
      status: 400,
      fields: [fault('input', 'videoReturn.serverChooses')],
    })
    expect(await choose('custom', 'sdi-3')).toMatchObject({ feedSelectionMode: 'custom' })
    await studio.next('serverWanted', (one) =>
      one.state.channels.some(({ videoReturn }) => videoReturn?.settings.input === 'sdi-3'),
    )
    const nora = await fleet.signedIn('nora')
    const inputs = defaultVrSettings.inputs.map((one) => ({ ...one, enabled: one.id !== 'sdi-3' }))
    await nora.call(api.videoReturnAdministration.change, {
      params: { id: first },
      body: { inputs, input: 'sdi-2' },
    })
    for (const closed of [() => select(first, 'sdi-3'), () => choose('custom', 'sdi-3')])
      await expect(closed()).rejects.toMatchObject({ status: 400, fields: [{ field: 'input' }] })
    await select(first, 'sdi-2')
    expect(values()?.selectedVideoReturn).toEqual({ channelId: first, input: 'sdi-2' })
    await start()
    await studio.next('serverWanted', (one) =>
      one.state.channels.some(({ videoReturn }) => videoReturn?.session?.input === 'sdi-2'),
    )
  })
})
