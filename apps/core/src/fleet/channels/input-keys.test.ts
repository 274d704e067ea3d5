import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.channelAdministration
const slots = [
  { slot: 'srt-1', name: 'SRT', inputType: 'srt' as const },
  { slot: 'rist-1', name: 'RIST', inputType: 'rist' as const },
  { slot: 'rtmp-1', name: 'RTMP', inputType: 'rtmp' as const },
  { slot: 'webrtc-1', name: 'WebRTC', inputType: 'webrtc' as const },
  { slot: 'bonded-1', name: 'Bonded', inputType: null },
]

describe.each(enginesOfNight)('keys of input channels on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let nora: Browser
  let id: Record<string, string>
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    hub = await fleet.again(await fleet.server('MCR', 1), { slots })
    await hub.greet()
    const { state } = await hub.next('serverWanted', ({ state }) => state.channels.length > slots.length)
    id = Object.fromEntries(state.channels.map(({ slot, channelId }) => [slot, channelId]))
    const ports = [
      { slot: 'srt-1', ristPort: null, inputAddress: 'srt://{host}:9000' },
      { slot: 'rist-1', ristPort: null, inputAddress: 'rist://{host}:9002' },
      { slot: 'rtmp-1', ristPort: null, inputAddress: 'rtmp://{host}:9001/live' },
      { slot: 'webrtc-1', ristPort: null, inputAddress: 'http://{host}:8080/whip/webrtc-1' },
    ]
    hub.report({ ports, addresses: ['192.0.2.10'] })
    await until(() => fleet.core.channels.known(id['rtmp-1'] ?? '')?.inputAddress !== null)
  })
  afterEach(() => fleet.remove())

  const sentKeys = () =>
    Object.fromEntries(
      hub.newest('serverWanted')?.state.channels.map(({ slot, inputKey }) => [slot, inputKey]) ?? [],
    )
  const access = (slot: string, browser = nora) =>
    browser.call(calls.input, { params: { id: id[slot] ?? '' } })

  it('are made with the channel and sent only to its server and its administrators', async () => {
    const { 'srt-1': srt, 'rtmp-1': rtmp, 'bonded-1': bonded } = sentKeys()
    expect(srt).toMatch(/^[a-z2-9]{24}$/)
    expect(rtmp).toMatch(/^[a-z2-9]{24}$/)
    expect([srt === rtmp, bonded]).toEqual([false, undefined])
    expect(await access('srt-1')).toEqual({
      address: 'srt://192.0.2.10:9000',
      key: srt,
      url: `srt://192.0.2.10:9000?passphrase=${srt}`,
    })
    const { 'rist-1': rist } = sentKeys()
    expect(await access('rist-1')).toMatchObject({
      url: `rist://192.0.2.10:9002?aes-type=128&secret=${rist}`,
    })
    expect(await access('rtmp-1')).toMatchObject({ url: `rtmp://192.0.2.10:9001/live/${rtmp}` })
    // The token of WHIP is no part of its address.
    expect(await access('webrtc-1')).toEqual({
      address: 'http://192.0.2.10:8080/whip/webrtc-1',
      key: expect.stringMatching(/^[a-z2-9]{24}$/),
      url: null,
    })
    await expect(access('bonded-1')).rejects.toMatchObject({ code: 404 })
    await expect(access('srt-1', await fleet.signedIn('olivia'))).rejects.toMatchObject({ code: 403 })
    expect(await nora.call(api.channels.addresses, { params: { id: id['srt-1'] ?? '' } })).toEqual([
      { ip: '192.0.2.10', port: 9000 },
    ])
  })

  it('are stored sealed', async () => {
    const { 'srt-1': srt = '' } = sentKeys()
    const { db } = fleet
    const rows = [
      ...(await db.selectFrom('channels').selectAll().execute()),
      ...(await db.selectFrom('devices').selectAll().execute()),
    ]
    expect(JSON.stringify(rows)).not.toContain(srt)
  })

  it('are renewed, and sent to the server immediately', async () => {
    const { 'srt-1': before, 'rtmp-1': other } = sentKeys()
    const { key } = await nora.call(calls.renewInputKey, { params: { id: id['srt-1'] ?? '' } })
    expect(key).not.toBe(before)
    await until(() => sentKeys()['srt-1'] === key)
    expect(sentKeys()['rtmp-1']).toBe(other)
    const renew = nora.call(calls.renewInputKey, { params: { id: id['bonded-1'] ?? '' } })
    await expect(renew).rejects.toMatchObject({ code: 404 })
  })

  it('are made for the inputs of an earlier version when their server is back', async () => {
    const { db } = fleet
    await db
      .updateTable('channels')
      .set({ settings: JSON.stringify({ slot: 'srt-1', recording: false, outputs: [], intake: null }) })
      .where('id', '=', id['srt-1'] ?? '')
      .execute()
    await fleet.restart()
    hub = await fleet.again(hub, { slots })
    await hub.greet()
    await until(() => sentKeys()['srt-1'] !== undefined)
  })

  it('show that a sender was refused', async () => {
    const channelId = id['srt-1'] ?? ''
    hub.telemetry([{ channelId, status: 'idle', inputProblem: 'wrongKey' }])
    await until(() => fleet.core.channels.known(channelId)?.inputProblem === 'wrongKey')
    hub.telemetry([{ channelId, status: 'idle', inputProblem: null }])
    await until(() => fleet.core.channels.known(channelId)?.inputProblem === null)
  })
})
