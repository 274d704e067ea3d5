// The limit of a channel through the doors: which unit is sent it, also while it transmits and moves, and who is refused.
import { api } from '@backhaul/contract/api/api'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { inputChannelOf } from '../../testing/input-channel.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { channelSettings: calls } = api

describe.each(enginesOfNight)('limits of channels on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let olivia: Browser
  let unit: TestDevice
  let first: string
  let second: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    const hub = await fleet.server('MCR', 2)
    ;[first, second] = hub.channelIds as [string, string]
    unit = await fleet.unit('VAN')
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
    await until(() => fleet.core.devices.memberships.groupsOf('channel', second).length > 0)
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  })
  afterEach(() => fleet.remove())

  const limit = (uid: string, kbps: number, browser = nora) =>
    browser.call(calls.limit, { body: { uid, limit: kbps } })
  const start = (channel: string) =>
    olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel } })
  const choose = (virtualChannelName: string) =>
    olivia.call(api.unitCommands.command, {
      params: { id: unit.id, command: 'set_virtual_channel' },
      body: { virtualChannelName },
    })
  const sends = async (is: (wanted: NonNullable<UnitWanted['transmission']>) => boolean) =>
    (await unit.next('wanted', ({ state }) => state.transmission !== null && is(state.transmission))).state
      .transmission

  it('[CHAN-013] the unit that sends to the channel is sent its limit, and keeps its transmission', async () => {
    expect(await limit(first, 4000)).toMatchObject({ uniqueId: first, bandwidthLimit: 4000 })
    await start(first)
    const { id, key, targets } = (await sends(({ limitKbps }) => limitKbps === 4000)) ?? {}
    await limit(first, 2500)
    expect(await sends(({ limitKbps }) => limitKbps === 2500)).toMatchObject({ id, key, targets })
    // The limit of another channel does not apply.
    await limit(second, 1000)
    expect(unit.newest('wanted')?.state.transmission).toMatchObject({ id, limitKbps: 2500 })
    await limit(first, 0)
    expect(await sends(({ limitKbps }) => limitKbps === undefined)).toMatchObject({ id, key })
    expect(fleet.core.channels.known(first)?.bandwidthLimit).toBe(0)
  })

  it('[CHAN-013] a unit that moves gets the limit of its new channel', async () => {
    await limit(second, 3000)
    await start(first)
    const wanted = await sends(({ limitKbps }) => limitKbps === undefined)
    unit.report({ transmissionId: wanted?.id ?? null, applications: { video: { state: 'streaming' } } })
    unit.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs())] })
    await choose(second)
    expect(await sends(({ channelId }) => channelId === second)).toMatchObject({ limitKbps: 3000 })
  })

  it('[CHAN-013] refuses rates that are none, senders that keep no limit, and users who administer nothing', async () => {
    const wrong = (message: string) => ({ status: 400, fields: [{ field: 'limit', message }] })
    await expect(limit(first, 999)).rejects.toMatchObject(wrong('Must be 1000 or more'))
    await expect(limit(first, 20_001)).rejects.toMatchObject(wrong('Must be 20000 or less'))
    await limit(first, 20_000)
    await expect(limit(await inputChannelOf(fleet), 4000)).rejects.toMatchObject({
      status: 409,
      message: 'A standard encoder keeps no limit: set the rate at the encoder.',
    })
    await expect(limit(first, 4000, olivia)).rejects.toMatchObject({ status: 403 })
    await expect(limit('nowhere', 4000)).rejects.toMatchObject({ status: 404 })
    await fleet.restart()
    expect(fleet.core.channels.known(first)?.bandwidthLimit).toBe(20_000)
  })
})
