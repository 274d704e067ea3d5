// Several cameras of one unit through the doors: into the mode, to one channel for each, and what is refused.

import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import type { UnitWantedMessage } from '@backhaul/contract/gateway/gateway'
import type { Camera } from '@backhaul/contract/nouns/units'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everything } from '../../database/scope.ts'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { outOfTheBox } from '../../testing/unit-settings.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.cameras
const camera: Camera = {
  connected: true,
  kind: 'sdi',
  width: 1920,
  height: 1080,
  fps: 50,
  codec: 'H.265/HEVC',
}
const unplugged = { ...camera, connected: false }
const able = { multiCamera: true, switcher: true, switcherAndProxy: true }
const refused = (message: string, status = 409) => ({ status, message })

describe.each(enginesOfNight)('several cameras on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let second: TestDevice
  let unit: TestDevice
  let olivia: Browser
  let a: string
  let b: string
  let four: string[]
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    second = await fleet.server('SPARE', 2)
    unit = await fleet.unit('LON-01')
    olivia = await fleet.signedIn('olivia')
    const { memberships } = fleet.core.devices
    await until(() => memberships.groupsOf('unit', unit.id).length > 0)
    await until(() => memberships.membersOf('channel', 'london').length === 4)
    const idOf = (name: string) => fleet.core.channels.find(everything, name)?.uniqueId as string
    // The cameras go to two servers alternately.
    four = ['MCR-1', 'SPARE-1', 'MCR-2', 'SPARE-2'].map(idOf)
    ;[a, b] = four as [string, string]
    unit.report({ capabilities: able, camera, cameras: [camera, camera, camera, unplugged] })
    await until(() => values()?.cameras.length === 4)
  })
  afterEach(() => fleet.remove())

  const values = () => fleet.core.units.values(unit.id)
  const command = () => values()?.command
  const channel = (id: string) => fleet.core.channels.known(id)
  const params = () => ({ id: unit.id })
  const feeds = (channels: readonly string[], more: object = {}) =>
    olivia.call(calls.setFeeds, {
      params: params(),
      body: {
        numberOfFeeds: channels.length || 1,
        channelSelectionMode: 'custom',
        channel: null,
        customSelectedChannels: [...channels],
        ...more,
      },
    })
  const start = () => olivia.call(calls.start, { params: params(), body: {} })
  const stop = () => olivia.call(calls.stop, { params: params() })

  /** The unit applies its newest wanted state. */
  async function follow(): Promise<UnitWantedMessage['state']> {
    const { revision, state } = await unit.next(
      'wanted',
      (one) => one.revision === fleet.core.devices.get(unit.id)?.wantedRevision,
    )
    const sent = state.transmission
    unit.report({
      settings: { ...outOfTheBox, ...state.settings },
      delayMs: state.delayMs,
      transmissionId: sent?.id ?? null,
      applications: sent ? { [sent.activity ?? 'video']: { state: 'streaming' } } : {},
      appliedRevision: revision,
    })
    await until(() => command()?.state === 'confirmed')
    return state
  }

  /** Sets the licences of the unit. */
  const license = (services: string[]) =>
    fleet.core.devices.updateDetails(unit.id, (now) => ({ ...now, services }))

  it('[STREAM-008] each go to their own channel, by labels and priority, and end together', async () => {
    await feeds([a, b])
    expect(values()?.multiCameraSelectedMode).toBeNull()
    await follow()
    expect(values()).toMatchObject({
      multiCameraSelectedMode: 'highQuality',
      multipleCamera: { numberOfFeeds: 2, channelSelectionMode: 'custom', customSelectedChannels: [a, b] },
    })
    const configure = (body: object) => olivia.call(api.unitSettings.configure, { params: params(), body })
    await configure({ multiCameraLabels: ['Stage left 1', 'Desk'], cameraPriorities: [9, 1] })
    await follow()
    expect(values()).toMatchObject({
      multiCameraLabels: ['Stage left 1', 'Desk'],
      cameraPriorities: [9, 1],
    })
    await expect(configure({ multiCameraLabels: ['Stage left 12'] })).rejects.toMatchObject({
      fields: [{ field: 'multiCameraLabels.0', message: 'Must have at most 12 characters' }],
    })
    for (const wrong of [{ cameraPriorities: [0] }, { cameraPriorities: [10] }, { cameraMode: 'switcher' }])
      await expect(configure(wrong)).rejects.toMatchObject({ status: 400 })
    await expect(feeds([a, b], { numberOfFeeds: 5 })).rejects.toMatchObject({ status: 400 })

    await start()
    const { transmission } = await follow()
    expect(transmission).toMatchObject({
      activity: 'multiCamera',
      channelId: a,
      targets: [{ host: '127.0.0.1', port: 20_000 }],
      feeds: [{ camera: 2, channelId: b }],
    })
    expect(transmission?.feeds?.[0]?.key).not.toBe(transmission?.key)
    expect(values()).toMatchObject({ status: 'streaming', busy: true, transmission: { channelId: a } })
    for (const [id, server] of [
      [a, hub],
      [b, second],
    ] as const) {
      expect(channel(id)?.allocatedToUnitUid).toBe(unit.id)
      const wanted = await server.next('serverWanted', ({ state }) =>
        state.channels.some((one) => one.channelId === id && one.intake !== null),
      )
      expect(wanted.state.channels.find((one) => one.channelId === id)?.intake).toMatchObject({
        transmissionId: transmission?.id,
        unitId: unit.id,
      })
    }
    second.telemetry([{ channelId: b, status: 'collecting', transmissionId: transmission?.id ?? null }])
    await until(() => (fleet.core.transmissions.running(unit.id)?.liveMs ?? null) !== null)
    await olivia.call(api.unitCommands.setDelay, { params: params(), body: { delay: 2000 } })
    await follow()
    for (const server of [hub, second])
      await server.next('serverWanted', ({ state }) =>
        state.channels.some(({ intake }) => intake?.bufferMs === 2000),
      )
    await olivia.call(api.unitCommands.command, {
      params: { ...params(), command: 'set_virtual_channel' },
      body: { virtualChannelName: four[2] ?? null },
    })
    expect(fleet.core.transmissions.running(unit.id)?.id).toBe(transmission?.id)

    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    unit = await fleet.again(unit)
    await unit.greet()
    second = await fleet.again(second)
    await second.greet()
    second.report({ ports: [{ slot: 'slot-1', ristPort: 31_000, inputAddress: null }] })
    const moved = await unit.next(
      'wanted',
      ({ state }) => state.transmission?.feeds?.[0]?.targets[0]?.port === 31_000,
    )
    expect(moved.state.transmission).toMatchObject({ id: transmission?.id, targets: [{ port: 20_000 }] })
    unit.report({
      applications: { multiCamera: { state: 'streaming' } },
      transmissionId: transmission?.id ?? null,
    })
    await until(() => values()?.status === 'streaming')
    await stop()
    expect([a, b].map((id) => channel(id)?.allocatedToUnitUid)).toEqual([null, null])
    expect((await follow()).transmission).toBeNull()
    const rows = await fleet.db.selectFrom('transmissions').select('stop_reason').execute()
    expect(rows).toEqual([{ stop_reason: 'stopped' }])
    await expect(stop()).rejects.toMatchObject(refused('Unit is not transmitting.'))
    await olivia.call(calls.leave, { params: params(), body: {} })
    await follow()
    expect(values()).toMatchObject({ multiCameraSelectedMode: null, multipleCamera: null })
    await expect(start()).rejects.toMatchObject(refused('The unit is not in this mode.'))
  })

  it('[ACCESS-010] [STREAM-009] are refused without the mode, the licence, the sockets, the cameras or free channels', async () => {
    const names = ['quad-link', 'licence', 'capability'] as const
    const arrange = {
      'quad-link': () => unit.report({ camera: { ...camera, quadLink: true } }),
      licence: () => license(['video', 'sla']),
      capability: () => unit.report({ capabilities: {} }),
    }
    const settle = {
      'quad-link': () => unit.report({ camera }),
      licence: () => license(['video', 'multiCamera']),
      capability: () => unit.report({ capabilities: able }),
    }
    const texts = {
      'quad-link': 'Multi-camera unavailable in quad-link 4K mode.',
      licence: 'No multi-camera license.',
      capability: 'The unit has no such mode.',
    }
    const state = () => [
      values()?.camera?.quadLink,
      values()?.services.join(),
      values()?.capabilities.switcher,
    ]
    await feeds([a, b])
    await follow()
    for (const name of names) {
      const before = JSON.stringify(state())
      await arrange[name]()
      await until(() => JSON.stringify(state()) !== before)
      const switcher = { highQualityChannel: a, proxyChannel: null }
      for (const call of [
        () => feeds([a, b]),
        start,
        () => olivia.call(api.unitCommands.start, { params: params(), body: {} }),
        () => olivia.call(calls.setMode, { params: params(), body: { mode: 'switcher' } }),
        () => olivia.call(calls.setGroupChannel, { params: params(), body: { channel: 'any' } }),
        () => olivia.call(calls.setSwitcher, { params: params(), body: switcher }),
        () => olivia.call(calls.setHighQuality, { params: params(), body: { channel: a } }),
        () => olivia.call(calls.setProxy, { params: params(), body: { channel: a } }),
      ])
        await expect(call(), `${name} ${call}`).rejects.toMatchObject(refused(texts[name]))
      const closed = JSON.stringify(state())
      await settle[name]()
      await until(() => JSON.stringify(state()) !== closed)
    }
    await feeds(four)
    await follow()
    await expect(start()).rejects.toMatchObject(refused('Camera not connected.'))
    expect(channel(a)?.allocatedToUnitUid).toBeNull()
    await feeds([a, b])
    await follow()
    await expect(
      olivia.call(api.unitCommands.start, { params: params(), body: { channel: a } }),
    ).rejects.toMatchObject(refused('The unit is in multi-camera mode.'))
    const other = await fleet.unit('LON-02')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', other.id).length > 0)
    await olivia.call(api.unitCommands.start, { params: { id: other.id }, body: { channel: b } })
    await expect(start()).rejects.toMatchObject(refused('Selected channel is busy or offline.'))
    expect(channel(a)?.allocatedToUnitUid).toBeNull()
    await olivia.call(api.unitCommands.stop, { params: { id: other.id } })
    await start()
    await follow()
    for (const call of [
      () => feeds([a, b]),
      start,
      () => olivia.call(calls.leave, { params: params(), body: {} }),
    ])
      await expect(call()).rejects.toMatchObject(refused('Unit is busy.'))
  })

  it('are as many as the service of the unit allows: none, 2 or 4', async () => {
    const tooMany = refused('The multi-camera service of the unit allows 2 cameras.')
    await license(['video', 'multiCamera', 'pro2'])
    await expect(feeds(four)).rejects.toMatchObject(tooMany)
    await feeds(four.slice(0, 2))
    await follow()
    await license(['video', 'multiCamera', 'pro4'])
    unit.report({ cameras: [camera, camera, camera, camera] })
    await until(() => values()?.cameras[3]?.connected === true)
    await feeds(four)
    await follow()
    await license(['video', 'multiCamera', 'pro2'])
    await expect(start()).rejects.toMatchObject(tooMany)
    await license(['video', 'multiCamera', 'pro4'])
    await start()
    expect((await follow()).transmission?.feeds?.map(({ camera: number }) => number)).toEqual([2, 3, 4])
    await stop()
    await follow()
    await license([])
    await expect(start()).rejects.toMatchObject(refused('Unit video license is invalid.'))
    await license(['video'])
    await expect(start()).rejects.toMatchObject(refused('No multi-camera license.'))
  })

  it('[STREAM-007] are switched to one channel, with a proxy to another, or take the members of a group channel', async () => {
    const setSwitcher = (highQualityChannel: string | null, proxyChannel: string | null = null) =>
      olivia.call(calls.setSwitcher, { params: params(), body: { highQualityChannel, proxyChannel } })
    const setInput = (sdiPort: number) => olivia.call(calls.setInput, { params: params(), body: { sdiPort } })
    const startSwitcher = () => olivia.call(calls.startSwitcher, { params: params(), body: {} })
    const stopSwitcher = () => olivia.call(calls.stopSwitcher, { params: params() })
    await expect(setInput(2)).rejects.toMatchObject(refused('The unit is not in this mode.'))
    await setSwitcher('MCR-1')
    await follow()
    expect(values()).toMatchObject({
      multiCameraSelectedMode: 'switcher',
      switcherMode: { highQualityChannel: a, proxyChannel: null },
      highQualityChannelId: a,
      proxyChannelId: null,
    })
    await expect(setInput(4)).rejects.toMatchObject(refused('Camera not connected.'))
    await expect(setInput(5)).rejects.toMatchObject({ status: 400 })
    await setInput(3)
    await follow()
    await expect(start()).rejects.toMatchObject(refused('The unit is not in this mode.'))
    await startSwitcher()
    expect(await follow()).toMatchObject({
      settings: { cameraMode: 'switcher', cameraInput: 3 },
      transmission: { activity: 'switcher', channelId: a, feeds: [] },
    })
    expect(values()?.applications).toHaveProperty('switcher')
    await expect(stop()).rejects.toMatchObject(refused('Unit is not transmitting.'))
    await setInput(1)
    expect((await follow()).settings).toMatchObject({ cameraInput: 1 })
    await stopSwitcher()
    await follow()

    const twice = { fields: [fault('proxyChannel', 'camera.channelTwice')] }
    await expect(setSwitcher(a, a)).rejects.toMatchObject(twice)
    const shared = { params: params(), body: { channel: a } }
    await expect(olivia.call(calls.setProxy, shared)).rejects.toMatchObject(twice)
    await olivia.call(calls.setProxy, { params: params(), body: { channel: b } })
    await follow()
    expect(values()).toMatchObject({
      multiCameraSelectedMode: 'switcherAndProxy',
      switcherAndProxy: { highQualityChannel: a, proxyChannel: b },
      proxyChannelId: b,
    })
    await olivia.call(calls.setHighQuality, { params: params(), body: { channel: 'MCR-2' } })
    await follow()
    await startSwitcher()
    expect((await follow()).transmission).toMatchObject({
      activity: 'switcherAndProxy',
      channelId: four[2],
      feeds: [{ camera: null, channelId: b }],
    })
    await olivia.call(api.unitCommands.stop, { params: params() })
    await follow()
    expect(channel(b)?.allocatedToUnitUid).toBeNull()

    const members = ['slot-1', 'slot-2']
    const slots = [...((hub.hello as { slots?: object[] }).slots ?? [])]
    const back = await fleet.again(hub, {
      slots: [...slots, { slot: 'multi', name: 'MCR-Multi', inputType: null, members }],
    })
    await back.greet()
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 5)
    await olivia.call(calls.setGroupChannel, { params: params(), body: { channel: 'MCR-Multi' } })
    await follow()
    const ofGroup = { channelSelectionMode: 'automaticByServer', channel: 'MCR-Multi' }
    await expect(feeds([], { ...ofGroup, numberOfFeeds: 3 })).rejects.toMatchObject({
      fields: [fault('numberOfFeeds', 'camera.fewMembers')],
    })
    await feeds([], { ...ofGroup, numberOfFeeds: 2 })
    await follow()
    await start()
    expect((await follow()).transmission).toMatchObject({
      channelId: a,
      feeds: [{ camera: 2, channelId: four[2] }],
    })
    await stop()
    await follow()
    await olivia.call(calls.setMode, { params: params(), body: { mode: 'switcherAndProxy' } })
    await follow()
    expect(values()?.switcherAndProxy).toEqual({ highQualityChannel: four[2], proxyChannel: b })
    await expect(setSwitcher('MCR-Multi')).resolves.toMatchObject({ accepted: true })
    await follow()
    await expect(startSwitcher()).rejects.toMatchObject({ status: 409 })
  })

  it("go only to channels in the caller's scope, each to a different one", async () => {
    const cairo = await fleet.server('CAI', 1, { registrationKey: 'key-cairo' })
    const foreign = cairo.channelIds[0] as string
    for (const call of [
      () => feeds([a, foreign]),
      () => olivia.call(calls.setGroupChannel, { params: params(), body: { channel: foreign } }),
      () => olivia.call(calls.setGroupChannel, { params: params(), body: { channel: a } }),
      () => olivia.call(calls.setHighQuality, { params: params(), body: { channel: foreign } }),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404 })
    await expect(feeds([a, a])).rejects.toMatchObject({
      fields: [fault('customSelectedChannels.1', 'camera.channelTwice')],
    })
    await expect(feeds([a], { numberOfFeeds: 2 })).rejects.toMatchObject({
      fields: [fault('customSelectedChannels.1', 'field.required')],
    })
    await expect(feeds([], { channelSelectionMode: 'automaticByServer' })).rejects.toMatchObject({
      fields: [fault('channel', 'field.required')],
    })
    const reader = await fleet.signedIn('reed')
    await expect(reader.call(calls.start, { params: params(), body: {} })).rejects.toMatchObject({
      status: 403,
    })
    const stranger = await fleet.signedIn('sam')
    await expect(stranger.call(calls.stop, { params: params() })).rejects.toMatchObject({ status: 404 })
  })
})
