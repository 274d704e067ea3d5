// Logs through the doors: requested, sent by the device in parts, and read by an administrator.

import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed, pause, until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.deviceLogs

describe.each(enginesOfNight)('device logs on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let unit: TestDevice
  let olivia: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    unit = await newUnit('LON-01')
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  async function newUnit(name: string): Promise<TestDevice> {
    const made = await fleet.unit(name)
    made.report({ capabilities: { logs: true }, channelId: hub.channelIds[0] as string })
    await until(() => values(made)?.capabilities.logs === true && values(made)?.selChannel !== null)
    return made
  }

  const values = (of: TestDevice) => fleet.core.units.values(of.id)
  const request = { description: 'Picture froze' }
  const send = (body: { description: string; includeChannel?: boolean } = request, of = unit) =>
    olivia.call(calls.sendOfUnit, { params: { id: of.id }, body })
  const stop = () => olivia.call(calls.stopOfUnit, { params: { id: unit.id } })
  const logs = (of = unit) => nora.call(calls.ofUnit, { params: { id: of.id } })
  const ordered = async (device: TestDevice, name: string) => {
    const order = await device.next('order', (one) => one.name === name)
    device.messages.splice(device.messages.indexOf(order), 1)
    return order
  }
  const part = (device: TestDevice, logId: unknown, at: number, text: string, isLast = false) =>
    device.send({ type: 'logPart', logId, at, text, isLast })
  const conflict = (message: string) => ({ status: 409, message })

  it('[LOG-001] are requested from a unit with a description, and read by an administrator', async () => {
    for (const description of ['', '   '])
      await expect(send({ description })).rejects.toMatchObject({
        status: 400,
        fields: [fault('description', 'field.required')],
      })
    await send()
    const order = await ordered(unit, 'send_logs')
    unit.send({ type: 'outcome', id: order.id, state: 'confirmed' })
    const { logId } = order.args
    // A report of another device about this log is ignored, and so is its disconnection.
    const other = await newUnit('LON-02')
    part(other, logId, 0, 'forged', true)
    other.socket.close()
    await until(() => values(other)?.offline === true)
    part(unit, logId, 0, 'first\n')
    part(unit, logId, 0, 'first\n')
    part(unit, logId, 1, 'second\n', true)
    await until(() => values(unit)?.command?.state === 'confirmed')
    await expect.poll(async () => (await logs())[0]?.state).toBe('complete')
    const [log] = await logs()
    expect(log).toMatchObject({
      source: 'unit',
      name: 'LON-01',
      ...request,
      by: 'olivia',
      state: 'complete',
      bytes: 13,
    })
    const params = { id: log?.id ?? '' }
    expect(await nora.call(calls.text, { params })).toMatchObject({ text: 'first\nsecond\n' })
    expect((await nora.call(calls.text, { params })).fileName).toMatch(/^LON-01-2026-.*\.log$/)
    await expect(olivia.call(calls.ofUnit, { params: { id: unit.id } })).rejects.toMatchObject({
      status: 403,
    })
    const sam = await fleet.signedIn('sam')
    await expect(sam.call(calls.text, { params })).rejects.toMatchObject({ status: expect.any(Number) })
    // The channel's server is included only when the user selects it (GAP-API-13).
    expect(hub.newest('order')).toBeUndefined()
  })

  it('[LOG-001] are stopped on request, and fail when the unit disconnects, stops sending or never ends', async () => {
    await expect(stop()).rejects.toMatchObject(conflict('No logs are being sent.'))
    await send({ ...request, includeChannel: true })
    await expect(send()).rejects.toMatchObject(conflict('Logs are being sent already.'))
    const { args } = await ordered(unit, 'send_logs')
    const ofChannel = await ordered(hub, 'send_logs')
    expect(ofChannel.args).toMatchObject({ channelId: hub.channelIds[0] })
    await stop()
    expect((await ordered(unit, 'stop_logs')).args).toEqual(args)
    expect((await ordered(hub, 'stop_logs')).args).toEqual({ logId: ofChannel.args.logId })
    part(unit, args.logId, 0, 'too late', true)
    await flushed(unit.socket)
    expect(
      (await logs()).map(({ source, state, bytes }) => [source, state, bytes].join()).toSorted(),
    ).toEqual(['channel,stopped,0', 'unit,stopped,0'])
    await send()
    const endless = (await ordered(unit, 'send_logs')).args.logId
    for (let at = 0; at < 90; at++) part(unit, endless, at, 'x'.repeat(12_000))
    const failed = async (count: number) => {
      while ((await logs()).filter(({ state }) => state === 'failed').length < count) await pause()
    }
    await failed(1)
    unit.report({ applications: {} })
    await send()
    await ordered(unit, 'send_logs')
    await fleet.pass(31_000)
    await failed(2)
    await send()
    unit.send({ type: 'outcome', id: (await ordered(unit, 'send_logs')).id, state: 'refused' })
    await failed(3)
    await send()
    unit.socket.close()
    await failed(4)
  })

  it('[LOG-001] [STREAM-005] are refused for a unit that transmits or is offline, and for a channel whose server cannot', async () => {
    const only = 'Send logs only when the unit is online and not transmitting.'
    unit.report({ applications: { video: { state: 'streaming' } } })
    await until(() => values(unit)?.busy === true)
    await expect(send()).rejects.toMatchObject(conflict(only))
    unit.report({ applications: {}, capabilities: {} })
    await until(() => values(unit)?.busy === false)
    await expect(send()).rejects.toMatchObject(conflict('The unit cannot send logs.'))
    unit.report({ capabilities: { logs: true } })
    await until(() => values(unit)?.capabilities.logs === true)

    const withChannel = { ...request, includeChannel: true }
    const noChannel = conflict('Channel does not support logs sending; send only the unit logs.')
    unit.report({ channelId: null })
    await until(() => values(unit)?.selChannel === null)
    await expect(send(withChannel)).rejects.toMatchObject(noChannel)
    unit.report({ channelId: hub.channelIds[0] as string })
    await until(() => values(unit)?.selChannel !== null)
    await olivia.call(calls.sendOfChannel, { params: { id: hub.channelIds[1] as string }, body: request })
    await expect(send(withChannel)).rejects.toMatchObject(
      conflict('Server busy sending logs of another channel.'),
    )
    await olivia.call(calls.stopOfChannel, { params: { id: hub.channelIds[1] as string } })
    const capabilities = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
    hub.report({ capabilities })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.logs === undefined)
    await expect(send(withChannel)).rejects.toMatchObject(noChannel)
    hub.socket.close()
    await until(() => !fleet.core.servers.isOnline(hub.id))
    await expect(send(withChannel)).rejects.toMatchObject(conflict('Selected channel is busy or offline.'))
    await send()
    unit.socket.close()
    await until(() => values(unit)?.offline === true)
    await expect(send()).rejects.toMatchObject(conflict(only))
  })

  it('[LOG-002] of a channel alone are requested, stopped, listed and read by the administrators of its server', async () => {
    const id = hub.channelIds[1] as string
    const about = { params: { id } }
    const ofChannel = (browser = nora) => browser.call(calls.ofChannel, about)
    await expect(olivia.call(calls.stopOfChannel, about)).rejects.toMatchObject(
      conflict('No logs are being sent.'),
    )
    await expect(
      olivia.call(calls.sendOfChannel, { ...about, body: { description: ' ' } }),
    ).rejects.toMatchObject({
      status: 400,
      fields: [fault('description', 'field.required')],
    })
    await olivia.call(calls.sendOfChannel, { ...about, body: request })
    const first = await ordered(hub, 'send_logs')
    expect(first.args).toMatchObject({ channelId: id })
    expect(await ofChannel()).toMatchObject([
      { source: 'channel', ...request, by: 'olivia', state: 'running' },
    ])
    await expect(olivia.call(calls.sendOfChannel, { ...about, body: request })).rejects.toMatchObject(
      conflict('Logs are being sent already.'),
    )
    await olivia.call(calls.stopOfChannel, about)
    fleet.clock.advance(1000)
    expect((await ordered(hub, 'stop_logs')).args).toEqual({ logId: first.args.logId })
    await olivia.call(calls.sendOfChannel, { ...about, body: { description: 'Black picture' } })
    const { args } = await ordered(hub, 'send_logs')
    part(hub, args.logId, 0, 'channel idle\n', true)
    await expect
      .poll(async () => (await ofChannel()).map(({ state }) => state))
      .toEqual(['complete', 'stopped'])
    const [log] = await ofChannel()
    expect(log).toMatchObject({ description: 'Black picture', bytes: 13 })
    const read = (browser: Browser) => browser.call(calls.text, { params: { id: log?.id ?? '' } })
    expect(await read(nora)).toMatchObject({ text: 'channel idle\n' })
    await expect(ofChannel(olivia)).rejects.toMatchObject({ status: 403 })
    // With a unit it is in both lists.
    await send({ ...request, includeChannel: true })
    const selected = hub.channelIds[0] as string
    const both = await nora.call(calls.ofChannel, { params: { id: selected } })
    expect(both).toMatchObject([{ source: 'channel', state: 'running' }])
    expect((await logs()).map(({ id }) => id)).toContain(both[0]?.id)
  })
})
