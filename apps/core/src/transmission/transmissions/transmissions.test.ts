// Transmissions through the doors: races, refusals, faults and restarts.
import { api } from '@backhaul/contract/api/api'
import { reasonFields } from '@backhaul/contract/define/refusals'
import type { UnitWantedMessage } from '@backhaul/contract/gateway/gateway'
import type { Command } from '@backhaul/contract/nouns/commands'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(engines)('transmissions on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let olivia: Browser
  let channelId: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 1)
    channelId = hub.channelIds[0] as string
    olivia = await fleet.signedIn('olivia')
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channelId).length > 0)
  })
  afterEach(() => fleet.remove())

  async function newUnit(name: string): Promise<TestDevice> {
    const unit = await fleet.unit(name)
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    return unit
  }

  const values = (unit: TestDevice) => fleet.core.units.values(unit.id)
  const channel = () => fleet.core.channels.known(channelId)
  const command = (unit: TestDevice) => values(unit)?.command as Command
  const start = (unit: TestDevice, browser = olivia) =>
    browser.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
  const stop = (unit: TestDevice) => olivia.call(api.unitCommands.stop, { params: { id: unit.id } })
  const setDelay = (unit: TestDevice, delay: number) =>
    olivia.call(api.unitCommands.setDelay, { params: { id: unit.id }, body: { delay } })
  const wantsOne = ({ state }: UnitWantedMessage) => state.transmission !== null

  /** The unit applies its wanted state. */
  async function goLive(unit: TestDevice): Promise<string> {
    const wanted = await unit.next('wanted', wantsOne)
    const id = wanted.state.transmission?.id as string
    unit.report({
      transmissionId: id,
      applications: { video: { state: 'streaming' } },
      appliedRevision: wanted.revision,
    })
    unit.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs())] })
    hub.telemetry([{ channelId, status: 'collecting', transmissionId: id }])
    await until(() => command(unit)?.state === 'confirmed' && channel()?.status === 'collecting')
    return id
  }

  it('gives a channel to exactly one of many who request it at the same time', async () => {
    const units = await Promise.all(Array.from({ length: 8 }, (_, at) => newUnit(`RACE-${at}`)))
    const results = await Promise.allSettled(units.map((unit) => start(unit)))
    const won = results.filter(({ status }) => status === 'fulfilled')
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(won).toHaveLength(1)
    for (const reason of reasons)
      expect(reason).toMatchObject({ status: 409, message: 'Selected channel is busy or offline.' })
    const rows = await fleet.db.selectFrom('transmissions').select('unit_id').execute()
    const row = await fleet.db.selectFrom('channels').select(['allocated_unit_id']).executeTakeFirstOrThrow()
    expect(rows.map(({ unit_id }) => unit_id)).toEqual([row.allocated_unit_id])
    expect(channel()?.allocatedToUnitUid).toBe(row.allocated_unit_id)
  })

  it('starts one unit once, however many requests come at the same time', async () => {
    const unit = await newUnit('ONCE')
    const second = await fleet.server('SPARE', 1)
    const other = second.channelIds[0] as string
    await until(() => fleet.core.devices.memberships.groupsOf('channel', other).length > 0)
    const presses = [channelId, other, channelId, other].map((id) =>
      olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: id } }),
    )
    const results = await Promise.allSettled(presses)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const held = await fleet.db
      .selectFrom('channels')
      .select('id')
      .where('session_id', 'is not', null)
      .execute()
    expect(held).toHaveLength(1)
  })

  it('[ACCESS-010] [STREAM-005] refuses a start with the texts of the specification', async () => {
    const unit = await newUnit('REFUSED')
    const noChannel = olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: {} })
    await expect(noChannel).rejects.toMatchObject({
      status: 409,
      message: 'Selected channel is busy or offline.',
    })
    const { updateDetails } = fleet.core.devices
    await updateDetails(unit.id, () => ({ license: { raHours: 0, rlHours: 9, valid: false } }))
    unit.report({ state: 'looked again' })
    await until(() => values(unit)?.license?.valid === false)
    await expect(start(unit)).rejects.toMatchObject({ message: 'Unit video license is invalid.' })
    await updateDetails(unit.id, () => ({}))
    unit.report({ applications: { upgrade: { state: 'upgrading' } } })
    await until(() => values(unit)?.status === 'upgrading')
    await expect(start(unit)).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
    await expect(stop(unit)).rejects.toMatchObject({ status: 409, message: 'Unit is not transmitting.' })
    unit.socket.close()
    await until(() => values(unit)?.offline === true)
    await expect(start(unit)).rejects.toMatchObject({ message: 'Unit is offline.' })
    const idle = await newUnit('IDLE')
    hub.socket.close()
    await until(() => channel()?.status === 'offline')
    await expect(start(idle)).rejects.toMatchObject({ message: 'Selected channel is busy or offline.' })
    const reader = await fleet.signedIn('reed')
    await expect(start(idle, reader)).rejects.toMatchObject({ status: 403 })
    const stranger = await fleet.signedIn('sam')
    await expect(start(idle, stranger)).rejects.toMatchObject({ status: 404 })
  })

  it('[ACCESS-010] [STREAM-005] refuses a 4K picture of a unit without the licence for it, and on a channel that does not support it', async () => {
    const unit = await newUnit('FOUR-K')
    const camera = { connected: true, kind: 'sdi', width: 3840, height: 2160, fps: 50 }
    const license = (services: string[]) => fleet.core.devices.updateDetails(unit.id, () => ({ services }))
    await license(['video'])
    unit.report({ channelId, camera: { ...camera, codec: 'H.265/HEVC' } })
    await until(() => values(unit)?.camera?.height === 2160)
    await expect(start(unit)).rejects.toMatchObject({ status: 409, message: 'Unit has no PRO-4K license.' })
    await license(['video', 'pro4k'])
    unit.report({ state: 'licensed' })
    await until(() => values(unit)?.services.includes('pro4k') === true)
    const refused = { status: 409, message: 'Channel does not support 4K.' }
    await expect(start(unit)).rejects.toMatchObject(refused)
    const facts = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
    hub.report({ capabilities: { ...facts, fourK: true } })
    await until(() => channel()?.is4K === true)
    await start(unit)
  })

  it('[STREAM-004] refuses a channel of an older server when it is chosen, and when the unit starts', async () => {
    const unit = await newUnit('NEWER')
    const old = await fleet.server('OLD', 1, { swVersion: '10.0.4' })
    const older = old.channelIds[0] as string
    await until(() => fleet.core.devices.memberships.groupsOf('channel', older).length > 0)
    const params = { id: unit.id }
    const choose = (name: string | null) =>
      olivia.call(api.unitCommands.command, {
        params: { ...params, command: 'set_virtual_channel' },
        body: { virtualChannelName: name },
      })
    const tooLow = { status: 409, message: 'Channel version is lower than the unit version.' }
    await expect(choose('OLD-1')).rejects.toMatchObject(tooLow)
    await expect(
      olivia.call(api.unitCommands.start, { params, body: { channel: older } }),
    ).rejects.toMatchObject(tooLow)
    expect(fleet.core.channels.known(older)?.allocatedToUnitUid).toBeNull()
    // The server is older than the unit since it was chosen.
    await choose('MCR-1')
    unit.report({ channelId })
    const again = await fleet.again(unit, { swVersion: '10.2.0' })
    await again.greet()
    await until(() => values(unit)?.swVersion === '10.2.0')
    await expect(olivia.call(api.unitCommands.start, { params, body: {} })).rejects.toMatchObject(tooLow)
    await choose(null)
    // A server of the same version receives it.
    await (await fleet.again(hub, { swVersion: '10.2.0' })).greet()
    await until(() => channel()?.liveuVersion === '10.2.0')
    await start(unit)
  })

  it('[STREAM-003] shows External for an unknown selected channel and for an invalid licence', async () => {
    const unit = await newUnit('EXTERNAL')
    unit.report({ channelId: 'ch-of-another-customer' })
    await until(() => values(unit)?.selectedChannelName === 'External')
    unit.report({ channelId })
    await until(() => values(unit)?.selectedChannelName === 'MCR-1')
    expect(values(unit)?.previewChannelId).toBe(channelId)
    const license = { raHours: 0, rlHours: 9, valid: false }
    await fleet.core.devices.updateDetails(unit.id, () => ({ license }))
    unit.report({ state: 'unlicensed' })
    await until(() => values(unit)?.selectedChannelName === 'External')
  })

  it('withdraws a start that the unit refuses, with its reason, and frees the channel', async () => {
    const unit = await newUnit('UNWILLING')
    await start(unit)
    const { revision } = await unit.next('wanted', wantsOne)
    unit.send({ type: 'outcome', revision, state: 'refused', reason: 'no camera' })
    await until(() => command(unit)?.state === 'refused' && channel()?.allocatedToUnitUid === null)
    expect(command(unit)).toMatchObject({ name: 'start_streaming', reason: 'no camera' })
    // A reason in the device's own words has no code.
    expect(command(unit).cause).toBeUndefined()
    expect(values(unit)).toMatchObject({ transmission: null, transition: null })
    await unit.next('wanted', (message) => message.revision > revision && message.state.transmission === null)
  })

  it('times a start out by the clock when the unit never shows it', async () => {
    const unit = await newUnit('SLEEPY')
    await start(unit)
    await until(() => command(unit)?.state === 'sent')
    await fleet.pass(20_200)
    await until(() => command(unit)?.state === 'timedOut' && channel()?.allocatedToUnitUid === null)
    expect(command(unit)).toMatchObject(reasonFields('command.timedOut'))
    expect(values(unit)?.transition).toBeNull()
  })

  it('shows why the unit does not send, while it tries and when its time is over', async () => {
    const unit = await newUnit('NO-LINK')
    await start(unit)
    const { revision, state } = await unit.next('wanted', wantsOne)
    unit.report({
      transmissionId: state.transmission?.id ?? '',
      state: 'connecting',
      appliedRevision: revision,
      applications: { video: { state: 'connecting' } },
      failure: 'The unit has no usable link.',
      failureCause: { code: 'unit.noLink', params: {} },
    })
    await until(() => command(unit)?.reason === 'The unit has no usable link.')
    const cause = { code: 'unit.noLink', params: {} }
    expect(command(unit)).toMatchObject({ state: 'accepted', cause })
    await fleet.pass(20_200)
    await until(() => command(unit)?.state === 'timedOut')
    expect(command(unit)).toMatchObject({ reason: 'The unit has no usable link.', cause })
    const stored = () =>
      fleet.db.selectFrom('commands').select(['state', 'cause']).where('id', '=', command(unit).id).execute()
    await expect.poll(stored).toEqual([{ state: 'timedOut', cause: JSON.stringify(cause) }])
    const events = await olivia.call(api.units.events, { params: { id: unit.id }, query: {} })
    const texts = events.map(({ text }) => text)
    expect(texts).toContain('start_streaming timedOut: The unit has no usable link.')
    expect(texts).toContain('transmission failed: The unit has no usable link.')
    expect(texts).not.toContain('onlineToStreaming')
  })

  it('[LIVE-007] clears the transition flag by the watchdog after ten checks of 2 s', async () => {
    const unit = await newUnit('STUCK')
    await start(unit)
    await goLive(unit)
    expect(values(unit)?.transition).toBeNull()
    await stop(unit)
    await fleet.pass(19_000)
    expect(values(unit)).toMatchObject({ transition: 'stopping', inTransition: true, status: 'streaming' })
    await fleet.pass(1500)
    expect(values(unit)).toMatchObject({ transition: null, inTransition: false })
  })

  it('[LIVE-007] sends a channel again until the unit has it, at most as often as requested', async () => {
    const unit = await newUnit('DEAF')
    const flags: boolean[] = []
    const topic = `unit.${unit.id}`
    const follower = await fleet.follow(olivia, [topic])
    await olivia.call(api.unitCommands.retriedCommand, {
      params: { id: unit.id, cmd: 'set_virtual_channel', n: 3 },
      query: { timeoutMs: 1000 },
      body: { virtualChannelName: 'MCR-1' },
    })
    const sentChannels = () =>
      unit.messages.filter((one) => one.type === 'wanted' && one.state.channelId === channelId)
    await fleet.pass(6000)
    expect(sentChannels()).toHaveLength(3)
    for (const { data } of follower.messages) {
      if (typeof data?.configurationUpdated === 'boolean') flags.push(data.configurationUpdated)
    }
    expect(flags).toEqual([true, false, true])
    await olivia.call(api.unitCommands.command, {
      params: { id: unit.id, command: 'set_virtual_channel' },
      body: { virtualChannelName: null },
    })
    await until(() => command(unit)?.args.channelId === null)
    // Stored after it is in force.
    const stored = async () =>
      (await fleet.db.selectFrom('commands').select(['state']).orderBy('created_ms').execute())[0]?.state
    await expect.poll(stored).toBe('superseded')
  })

  it('[CONF-013] checks the rules of the delay, and changes the server’s buffer with it', async () => {
    const unit = await newUnit('DELAYED')
    await expect(setDelay(unit, 1234)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'delay', message: expect.stringContaining('Delay must be one of') }],
    })
    await start(unit)
    await goLive(unit)
    await expect(setDelay(unit, 500)).rejects.toMatchObject({
      status: 409,
      message: 'While transmitting the delay must be 0.9 sec or more.',
    })
    await setDelay(unit, 2000)
    await hub.next('serverWanted', ({ state }) => state.channels[0]?.intake?.bufferMs === 2000)
    const wanted = await unit.next('wanted', ({ state }) => state.delayMs === 2000)
    unit.report({ delayMs: 2000, appliedRevision: wanted.revision })
    await until(() => command(unit)?.name === 'set_delay' && command(unit)?.state === 'confirmed')
    fleet.clock.stepWall(-24 * 3_600_000)
    await setDelay(unit, 3000)
    expect(command(unit)).toMatchObject({ name: 'set_delay', args: { delayMs: 3000 } })
  })

  it('gives the server the labels of the unit for its recordings, and others when they change on air', async () => {
    const unit = await newUnit('LABELLED')
    unit.report({ settings: { metadata: { slugline: 'HARBOUR FIRE' } } })
    await until(() => values(unit)?.metadata.slugline !== undefined)
    await start(unit)
    await goLive(unit)
    const { intake } = (await hub.next('serverWanted', ({ state }) => state.channels[0]?.intake != null))
      .state.channels[0]!
    expect(intake?.labels).toEqual({ slugline: 'HARBOUR FIRE', unitName: 'LABELLED' })
    unit.report({ settings: { metadata: { slugline: 'STORM' } } })
    const relabelled = { ...intake, labels: { slugline: 'STORM', unitName: 'LABELLED' } }
    const next = await hub.next(
      'serverWanted',
      ({ state }) => state.channels[0]?.intake?.labels?.slugline === 'STORM',
    )
    expect(next.state.channels[0]?.intake).toEqual(relabelled)
  })

  it('keeps two links connected while the unit transmits', async () => {
    const unit = await newUnit('LINKS')
    await start(unit)
    await goLive(unit)
    const setLinks = (body: { interface: number; enabled: boolean }[]) =>
      olivia.call(api.unitCommands.setLinks, { params: { id: unit.id }, body })
    await expect(
      setLinks([
        { interface: 1, enabled: false },
        { interface: 2, enabled: false },
      ]),
    ).rejects.toMatchObject({
      status: 409,
      message: 'While transmitting at least 2 links must remain connected.',
    })
    await expect(setLinks([{ interface: 9, enabled: false }])).rejects.toMatchObject({ status: 400 })
    await setLinks([{ interface: 1, enabled: false }])
    await unit.next('wanted', ({ state }) => state.disabledLinks.join() === '1')
  })

  it('orders a reboot once, for those who may, and takes the outcome from the unit', async () => {
    const unit = await newUnit('REBOOT')
    const reboot = { params: { id: unit.id, command: 'reboot' as const }, body: {} }
    await expect(olivia.call(api.unitCommands.command, reboot)).rejects.toMatchObject({ status: 403 })
    const nora = await fleet.signedIn('nora')
    await nora.call(api.unitCommands.command, reboot)
    const { id } = await unit.next('order', ({ name }) => name === 'reboot')
    unit.send({ type: 'outcome', id, state: 'accepted' })
    await until(() => command(unit)?.state === 'accepted')
    unit.socket.close()
    await until(() => values(unit)?.offline === true)
    // A machine needs time to start, and is not sent an accepted order again.
    await fleet.pass(120_000)
    expect(command(unit)?.state).toBe('accepted')
    const again = await fleet.again(unit, { bootId: 'after-reboot' })
    await again.greet()
    await flushed(again.socket)
    expect(again.newest('order')).toBeUndefined()
    again.send({ type: 'outcome', id, state: 'confirmed' })
    await until(() => command(unit)?.state === 'confirmed')
  })

  it('orders a shutdown only where the owner has allowed it, and takes the end of the connection as its outcome', async () => {
    const unit = await newUnit('SHUTDOWN')
    const shutdown = { params: { id: unit.id, command: 'shutdown' as const }, body: {} }
    await expect(olivia.call(api.unitCommands.command, shutdown)).rejects.toMatchObject({ status: 403 })
    const nora = await fleet.signedIn('nora')
    const order = () => nora.call(api.unitCommands.command, shutdown)
    await expect(order()).rejects.toMatchObject({ status: 409, cause: { code: 'unit.noShutdown' } })
    unit.report({ capabilities: { shutdown: true } })
    await until(() => values(unit)?.capabilities.shutdown === true)
    await order()
    const { id } = await unit.next('order', ({ name }) => name === 'shutdown')
    unit.send({ type: 'outcome', id, state: 'accepted' })
    await until(() => command(unit)?.state === 'accepted')
    unit.socket.close()
    await until(() => command(unit)?.state === 'confirmed')
    const again = await fleet.again(unit, { bootId: 'switched-on' })
    await again.greet()
    await flushed(again.socket)
    expect(again.newest('order')).toBeUndefined()
  })

  it('keeps the channel of a lost unit while the server collects, and frees it 60 s after both are gone', async () => {
    const unit = await newUnit('LOST')
    await start(unit)
    const transmissionId = await goLive(unit)
    unit.socket.close()
    await until(() => values(unit)?.offline === true)
    await fleet.pass(90_000)
    expect(channel()?.allocatedToUnitUid).toBe(unit.id)
    hub.telemetry([{ channelId, status: 'idle' }])
    await until(() => channel()?.status === 'idle')
    await fleet.pass(50_000)
    expect(channel()?.allocatedToUnitUid).toBe(unit.id)
    await fleet.pass(20_000)
    await until(() => channel()?.allocatedToUnitUid === null)
    const row = await fleet.db
      .selectFrom('transmissions')
      .select(['stop_reason', 'live_ms'])
      .where('id', '=', transmissionId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ stop_reason: 'The unit was lost.', live_ms: expect.any(Number) })
    // When it comes back, its wanted state has no transmission.
    const back = await fleet.again(unit)
    await back.greet()
    expect((await back.next('wanted')).state.transmission).toBeNull()
  })

  it('lets a server that was killed in mid-transmission continue, and sends the unit its address', async () => {
    const unit = await newUnit('CARRIED')
    await start(unit)
    const transmissionId = await goLive(unit)
    hub.socket.terminate()
    await until(() => channel()?.status === 'offline')
    expect(values(unit)).toMatchObject({ status: 'streaming', transmission: { id: transmissionId } })
    const back = await fleet.again(hub, { bootId: 'second' })
    await back.greet()
    const wanted = await back.next('serverWanted')
    expect(wanted.state.channels[0]?.intake?.transmissionId).toBe(transmissionId)
    back.report({ ports: [{ slot: 'slot-1', ristPort: 30_000, inputAddress: null }] })
    await unit.next('wanted', ({ state }) => state.transmission?.targets[0]?.port === 30_000)
    back.telemetry([{ channelId, status: 'collecting', transmissionId }])
    await until(() => channel()?.status === 'collecting')
    expect(values(unit)?.transmission?.id).toBe(transmissionId)
  })

  it('resumes transmissions and open commands after a restart, and shows the last state with its age', async () => {
    const unit = await newUnit('SURVIVOR')
    await start(unit)
    const transmissionId = await goLive(unit)
    const wanted = unit.newest('wanted')
    await setDelay(unit, 2000)
    await until(() => command(unit)?.state === 'sent')
    const reportedAt = values(unit)?.reportedAt
    await fleet.restart()
    expect(values(unit)).toMatchObject({
      status: 'streaming',
      reportedAt,
      transmission: { id: transmissionId, by: 'olivia' },
      command: { name: 'set_delay', state: 'sent' },
    })
    expect(channel()).toMatchObject({ allocatedTo: 'SURVIVOR', status: 'collecting' })
    const back = await fleet.again(unit)
    await back.greet()
    const again = await back.next('wanted')
    expect(again.state.transmission).toEqual(wanted?.state.transmission)
    back.report({ delayMs: 2000, appliedRevision: again.revision })
    await until(() => command(unit)?.state === 'confirmed')
    olivia = await fleet.signedIn('olivia')
    await stop(unit)
    await until(() => channel()?.allocatedToUnitUid === null)
    // The server did not reconnect: after the grace time its channel is offline.
    await fleet.pass(20_500)
    expect(channel()?.status).toBe('offline')
    expect(values(unit)?.offline).toBe(false)
  })
})
