// Speed tests through the doors: figures as the unit reports them, every refusal, and every way in which one ends.
import { api } from '@backhaul/contract/api/api'
import { reasonFields } from '@backhaul/contract/define/refusals'
import type { SpeedTest } from '@backhaul/contract/nouns/speed-tests'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('speed tests on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let unit: TestDevice
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    unit = await fleet.unit('VAN', { swVersion: '7.3.0' })
    olivia = await fleet.signedIn('olivia')
    const { memberships } = fleet.core.devices
    await until(() => memberships.groupsOf('channel', hub.channelIds[1] as string).length > 0)
    await until(() => memberships.groupsOf('unit', unit.id).length > 0)
    unit.report({ capabilities: { speedTest: true } })
    await choose(hub.channelIds[0] as string)
  })
  afterEach(() => fleet.remove())

  const values = () => fleet.core.units.values(unit.id)
  const channel = (at = 0) => fleet.core.channels.known(hub.channelIds[at] as string)
  const command = (name: 'stop_streaming' | 'set_virtual_channel', body = {}) =>
    olivia.call(api.unitCommands.command, { params: { id: unit.id, command: name }, body })
  const start = (timeout?: number, browser = olivia) =>
    browser.call(api.unitCommands.speedTest, {
      params: { id: unit.id },
      query: timeout === undefined ? {} : { timeout },
    })
  async function choose(name: string): Promise<void> {
    await command('set_virtual_channel', { virtualChannelName: name })
    unit.report({ channelId: name })
    await until(() => values()?.channelId === name)
  }

  const links = [
    { port: 1, uplinkKbps: 4200, downlinkKbps: 11_000, lossPercent: 0.4 },
    { port: 2, uplinkKbps: 900, downlinkKbps: null, lossPercent: 3 },
  ]
  const reportTest = (transmissionId: string, state: SpeedTest['state'], figures = links) =>
    unit.report({
      transmissionId: state === 'running' ? transmissionId : null,
      applications: state === 'running' ? { video: { state: 'speedtest' } } : {},
      speedTest: { transmissionId, state, links: figures },
    })

  async function begin(seconds?: number) {
    const before = unit.newest('wanted')?.revision ?? 0
    await start(seconds)
    const { state, revision } = await unit.next(
      'wanted',
      (wanted) => wanted.revision > before && wanted.state.transmission !== null,
    )
    const { id = '', speedTestMs } = state.transmission ?? {}
    unit.report({ appliedRevision: revision })
    reportTest(id, 'running', [])
    await until(() => values()?.command?.state === 'confirmed')
    return { id, speedTestMs }
  }
  const isFree = () => until(() => channel()?.allocatedToUnitUid === null && values()?.transmission === null)

  it('[STREAM-013] takes the channel for ten seconds of test data and shows each link as the unit measured it', async () => {
    const follower = await fleet.follow(olivia, [`unit.${unit.id}`])
    const { id, speedTestMs } = await begin()
    expect(speedTestMs).toBe(10_000)
    expect(values()).toMatchObject({
      status: 'speedtest',
      busy: true,
      speedTestInTransition: true,
      speedTestCompleted: false,
      speedTest: { channelId: hub.channelIds[0], links: [], done: false, reason: null },
    })
    expect(channel()?.allocatedToUnitUid).toBe(unit.id)
    await expect(start()).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })

    reportTest(id, 'done')
    await isFree()
    expect(values()).toMatchObject({
      status: 'idle',
      speedTestInTransition: false,
      speedTestCompleted: true,
      speedTest: { links, done: true, reason: null },
    })
    await fleet.pass()
    await follower.sees(`unit.${unit.id}`, { speedTestCompleted: true, speedTestInTransition: false })
    await until(() => unit.newest('wanted')?.state.transmission === null)

    const { speedTestMs: shortest } = await begin(3)
    expect(shortest).toBe(3000)
  })

  it('[STREAM-013] ends without figures when it is cancelled, when the channel changes, and when the unit refuses', async () => {
    await begin()
    await command('stop_streaming')
    await isFree()
    const ended = { links: [], done: true }
    expect(values()).toMatchObject({
      speedTestCompleted: false,
      speedTest: { ...ended, ...reasonFields('speedTest.cancelled') },
    })

    unit.report({ applications: {}, transmissionId: null })
    await until(() => values()?.status === 'idle')
    await begin()
    await choose(hub.channelIds[1] as string)
    await isFree()
    expect(values()?.speedTest).toMatchObject({ ...ended, ...reasonFields('speedTest.channelChanged') })
    expect(channel(1)?.allocatedToUnitUid).toBeNull()

    unit.report({ applications: {}, transmissionId: null })
    await until(() => values()?.status === 'idle')
    await start()
    const { revision } = await unit.next(
      'wanted',
      ({ state }) => state.transmission?.channelId === hub.channelIds[1],
    )
    unit.send({ type: 'outcome', revision, state: 'refused', reason: 'No modem' })
    await until(() => values()?.speedTest?.done === true)
    expect(values()?.speedTest).toMatchObject({ ...ended, reason: 'No modem' })
    await until(() => channel(1)?.allocatedToUnitUid === null)
  })

  it('[STREAM-013] [STREAM-005] is refused with its reason, and takes no channel', async () => {
    const refuses = (message: string) => expect(start()).rejects.toMatchObject({ status: 409, message })
    unit.report({ capabilities: {} })
    await until(() => values()?.capabilities.speedTest === undefined)
    await refuses('Feature disabled')
    unit.report({ capabilities: { speedTest: true }, applications: { store: { state: 'running' } } })
    await until(() => values()?.busy === true)
    await refuses('Unit is busy.')
    unit.report({ applications: {} })
    await until(() => values()?.busy === false)
    await command('set_virtual_channel', { virtualChannelName: null })
    unit.report({ channelId: null })
    await until(() => values()?.channelId === null)
    await refuses('Selected channel is busy or offline.')

    const old = await fleet.server('OLD', 1, { swVersion: '7.5.0' })
    const { memberships } = fleet.core.devices
    await until(() => memberships.groupsOf('channel', old.channelIds[0] as string).length > 0)
    await choose(old.channelIds[0] as string)
    await refuses('Version too low.')

    for (const timeout of [2, 61, 4.5])
      await expect(start(timeout)).rejects.toMatchObject({ status: 400, fields: [{ field: 'timeout' }] })
    await expect(start(10, await fleet.signedIn('reed'))).rejects.toMatchObject({ status: 403 })
    unit.socket.close()
    await until(() => values()?.offline === true)
    await refuses('Unit is offline.')
    expect(values()?.speedTest).toBeNull()
    expect(await fleet.db.selectFrom('transmissions').select('id').execute()).toEqual([])
  })

  it('[STREAM-013] continues over a restart of core, and counts its data but no streaming', async () => {
    const { id } = await begin()
    await fleet.restart()
    expect(values()?.transmission?.id).toBe(id)
    unit = await fleet.again(unit)
    await unit.greet()
    reportTest(id, 'done')
    await isFree()
    expect(values()?.speedTest).toMatchObject({ links, done: true, reason: null })
    const row = await fleet.db.selectFrom('transmissions').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ stop_reason: 'speed test', live_ms: null })
  })
})
