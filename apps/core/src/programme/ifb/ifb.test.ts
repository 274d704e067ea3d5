// IFB through the doors: which unit hears which IFB, on what terms, and who hears none.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { speechPort } from '../../testing/intercom-calls.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { ifb: calls } = api

describe.each(enginesOfNight)('IFB on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let unit: TestDevice
  let olivia: Browser
  let root: Browser
  let channel: string
  const north = { id: 'north' }
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 1)
    unit = await fleet.unit('LON-01')
    olivia = await fleet.signedIn('olivia')
    root = await fleet.signedIn('root')
    channel = hub.channelIds[0] ?? ''
    hub.report({
      addresses: ['192.0.2.7'],
      speechPort,
      interfaces: [{ id: 'ifb-1', kind: 'ifb', name: 'IFB 1' }],
    })
    unit.report({ capabilities: { ifb: true }, channelId: channel })
    await until(() => fleet.core.units.values(unit.id)?.channelId === channel)
    await until(() => fleet.core.units.values(unit.id)?.capabilities.ifb === true)
    await root.call(api.services.add, { params: north, body: { name: 'audio_ifb' } })
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const associate = (to: string | null) =>
    root.call(api.interfaces.associateIfb, {
      params: north,
      body: { ifb: `${hub.id}:ifb-1`, channel: to },
    })
  const setAlwaysOn = (enabled: boolean) =>
    olivia.call(calls.setAlwaysOn, { params: params(), body: { enabled } })
  const wanted = () => unit.newest('wanted')?.state.ifb ?? null
  const admitted = () => hub.newest('serverWanted')?.state.ifbs ?? []

  it('[COMM-003] belongs to a channel: its unit hears it while live, or always, with the delay that is set', async () => {
    await associate(channel)
    expect(await olivia.call(calls.read, { params: params(), body: {} })).toEqual({
      delay: 700,
      alwaysOn: false,
    })
    expect(wanted()).toBeNull()
    await setAlwaysOn(true)
    await until(() => wanted() !== null && admitted().length === 1)
    const first = wanted()
    expect(first).toMatchObject({
      channelId: channel,
      serverId: hub.id,
      targets: [{ host: '192.0.2.7', port: speechPort }],
      delayMs: 700,
    })
    expect(admitted()).toEqual([
      { id: first?.id, key: first?.key, unitId: unit.id, interfaceId: 'ifb-1', roomIds: [] },
    ])
    expect(await olivia.call(calls.setDelay, { params: params(), body: { delay: 300 } })).toEqual({
      delay: 300,
      alwaysOn: true,
    })
    await until(() => wanted()?.delayMs === 300)
    const { id: room } = await root.call(api.audioRooms.create, {
      params: north,
      body: { name: 'Gallery', interfaces: [`${hub.id}:ifb-1`] },
    })
    await until(() => admitted()[0]?.roomIds.join() === room)
    await setAlwaysOn(false)
    await until(() => wanted() === null && admitted().length === 0)
    await olivia.call(api.unitCommands.start, { params: params(), body: { channel } })
    await until(() => wanted()?.channelId === channel && admitted().length === 1)
    await associate(null)
    await until(() => wanted() === null && admitted().length === 0)
  })

  it('[COMM-003] ends with the service, and is refused for a unit without a speaker for it', async () => {
    await associate(channel)
    await setAlwaysOn(true)
    await until(() => wanted() !== null)
    await root.call(api.services.remove, { params: north, query: { serviceName: 'audio_ifb' } })
    await fleet.pass(61_000)
    await until(() => wanted() === null && admitted().length === 0)
    unit.report({ capabilities: { ifb: false } })
    await until(() => fleet.core.units.values(unit.id)?.capabilities.ifb === false)
    await expect(setAlwaysOn(true)).rejects.toMatchObject({
      status: 409,
      message: 'The unit has no speaker for IFB.',
    })
    await expect(
      olivia.call(calls.setDelay, { params: params(), body: { delay: 500 as never } }),
    ).rejects.toMatchObject({ status: 400, fields: [{ field: 'delay' }] })
    const reader = await fleet.signedIn('reed')
    await expect(
      reader.call(calls.setDelay, { params: params(), body: { delay: 300 } }),
    ).rejects.toMatchObject({ status: 403 })
  })
})
