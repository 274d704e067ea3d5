// Streaming destinations: every rule of their fields, what is unique, and the outputs that the server gets.

import { api } from '@backhaul/contract/api/api'
import { faultsOf } from '@backhaul/contract/define/errors'
import type { Output } from '@backhaul/contract/gateway/servers'
import { DestinationRequest, type StreamingDestination } from '@backhaul/contract/nouns/destinations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'
import { outputsOf } from './destination-outputs.ts'

const { destinations: calls } = api
const capabilities = {
  protocolsIn: ['bonded'],
  protocolsOut: ['srt', 'rtmp', 'mpegts'],
  encoders: ['libx264'],
  ffmpegVersion: null,
}
const rtmp = {
  name: 'Web',
  streamType: 'RTMP',
  urlPrimary: 'rtmp://a.example/live',
  streamId: 'one',
} as const
const srt = { name: 'Partner', streamType: 'SRT', ip: '192.0.2.1', port: 9000 } as const
const mpegts = { name: 'Headend', streamType: 'MPEG-TS', ip: '192.0.2.2', port: 0 } as const
const hls = { name: 'Viewers', streamType: 'HLS', lowLatency: true } as const
const rtsp = { name: 'Archive', streamType: 'RTSP', urlPrimary: 'rtsp://b.example/in' } as const

describe('the fields of a destination', () => {
  const faultsIn = (settings: object): string[] => {
    const { error } = DestinationRequest.safeParse(settings)
    return error ? faultsOf(error).map(({ field, message }) => `${field}: ${message}`) : []
  }

  it('[CHAN-008] depend on its type: required, optional, and no others', () => {
    const all = { provider: 'CDN', videoProfile: 'main', bitRate: 4000, resolution: '1280x720' }
    const whole = [
      { ...rtmp, ...all, urlSecondary: 'rtmps://c.example/live', username: 'u', password: 'p' },
      {
        ...srt,
        ...all,
        srtMode: 'caller',
        sourcePort: 0,
        passphrase: 'a'.repeat(10),
        latency: 120,
        streamId: 'x',
      },
      { ...mpegts, ...all, sourcePort: 700, videoBitrate: 2000, constantMuxRate: 9000, maxFrameRate: 25 },
      { ...rtsp, ...all, username: 'u', password: 'p' },
      { ...hls, ...all },
    ]
    expect(whole.flatMap(faultsIn)).toEqual([])
    expect(faultsIn({ streamType: 'RTMP', name: ' ' }).sort()).toEqual([
      'name: This field is required',
      'urlPrimary: This field is required',
    ])
    expect(faultsIn({ name: 'A', streamType: 'SRT' })).toEqual([
      'port: This field is required',
      'ip: This field is required',
    ])
    // A listener needs no address.
    expect(faultsIn({ name: 'A', streamType: 'SRT', srtMode: 'listener', port: 9000 })).toEqual([])
    expect(faultsIn({ name: 'A', streamType: 'MPEG-TS', streamId: 'x' })).toEqual([
      'streamId: Must not be set for MPEG-TS',
      'ip: This field is required',
      'port: This field is required',
    ])
    expect(faultsIn({ ...rtmp, urlPrimary: 'http://a.example/live' })).toEqual([
      'urlPrimary: Must be an address that starts with rtmp://host/ or rtmps://host/',
    ])
    expect(faultsIn({ ...hls, port: 9000 })).toEqual(['port: Must not be set for HLS'])
    expect(faultsIn({ ...hls, lowLatency: 'yes' })).toEqual(['lowLatency: Must be true or false'])
    expect(faultsIn({ ...rtsp, lowLatency: true })).toEqual(['lowLatency: Must not be set for RTSP'])
    expect(faultsIn({ ...srt, ip: 'not an address' })).toEqual(['ip: Invalid IP field'])
    expect(faultsIn({ ...srt, srtMode: 'listener', sourcePort: 9 })).toEqual([
      'sourcePort: Must not be set in listener mode',
    ])
    expect(faultsIn({ ...srt, maxReaders: 2 })).toEqual(['maxReaders: Must not be set in caller mode'])
  })

  it('[CHAN-008] have limits, tested to the last value', () => {
    const url = (length: number) => `rtsp://b.example/${'x'.repeat(length - 17)}`
    const cases: [object, string, [good: unknown[], bad: [unknown, string][]]][] = [
      [rtsp, 'urlPrimary', [[url(256)], [[url(257), 'Must have at most 256 characters']]]],
      [rtsp, 'urlPrimary', [[], [['rtsp://b.example/ñ', 'Only ASCII characters are allowed.']]]],
      [
        mpegts,
        'port',
        [
          [0, 65_535],
          [
            [-1, 'Must be 0 or more'],
            [65_536, 'Must be 65535 or less'],
          ],
        ],
      ],
      [
        mpegts,
        'videoBitrate',
        [
          [2000, 8000],
          [
            [1999, 'Must be 2000 or more'],
            [8001, 'Must be 8000 or less'],
          ],
        ],
      ],
      [
        srt,
        'passphrase',
        [
          ['a1'.repeat(5), 'b'.repeat(64)],
          [
            ['a'.repeat(9), 'Must be between 10 and 64 characters'],
            ['a'.repeat(65), 'Must be between 10 and 64 characters'],
            ['abcdefghi-', 'Special characters are not allowed.'],
          ],
        ],
      ],
      [
        { ...srt, srtMode: 'listener' },
        'maxReaders',
        [
          [1, 16],
          [
            [0, 'Must be 1 or more'],
            [17, 'Must be 16 or less'],
          ],
        ],
      ],
      [
        srt,
        'sourcePort',
        [
          [0, 553, 558, 65_535],
          [
            [554, 'Must be 0 to 553 or 558 to 65535'],
            [557, 'Must be 0 to 553 or 558 to 65535'],
            [65_536, 'Must be 65535 or less'],
          ],
        ],
      ],
    ]
    for (const [base, field, [good, bad]] of cases) {
      for (const value of good) expect(faultsIn({ ...base, [field]: value })).toEqual([])
      for (const [value, text] of bad)
        expect(faultsIn({ ...base, [field]: value })).toEqual([`${field}: ${text}`])
    }
  })

  it('[CHAN-008] become the outputs of the server', () => {
    const outputs = (settings: object): Omit<Output, 'id'>[] =>
      outputsOf('de', DestinationRequest.parse(settings)).map(({ id: _, ...output }) => output)
    expect(
      outputs({ ...rtmp, urlSecondary: 'rtmp://b.example/live/', username: 'u@', password: 'p:' }),
    ).toEqual([
      { protocol: 'rtmp', url: 'rtmp://u%40:p%3A@a.example/live/one' },
      { protocol: 'rtmp', url: 'rtmp://u%40:p%3A@b.example/live/one' },
    ])
    expect(
      outputs({ ...rtmp, urlSecondary: 'rtmp://b.example/live/', username: 'u@', password: 'p:' }),
    ).toEqual([
      { protocol: 'rtmp', url: 'rtmp://u%40:p%3A@a.example/live/one' },
      { protocol: 'rtmp', url: 'rtmp://u%40:p%3A@b.example/live/one' },
    ])
    expect(
      outputs({ ...srt, srtMode: 'rendezvous', latency: 200, passphrase: 'secret0123', streamId: 's' }),
    ).toEqual([
      {
        protocol: 'srt',
        url: 'srt://192.0.2.1:9000?mode=rendezvous&latency=200000&passphrase=secret0123&streamid=s',
      },
    ])
    expect(outputs({ ...srt, srtMode: 'listener', sourcePort: 0 })[0]?.url).toBe(
      'srt://0.0.0.0:9000?mode=listener',
    )
    expect(outputs({ ...srt, srtMode: 'listener', maxReaders: 9 })[0]).toMatchObject({ maxReaders: 9 })
    expect(outputs({ ...srt, ip: '2001:db8::1', sourcePort: 600 })).toEqual([
      { protocol: 'srt', url: 'srt://[2001:db8::1]:9000?mode=caller', sourcePort: 600 },
    ])
    const rates = { videoBitrate: 3000, constantMuxRate: 4000, maxFrameRate: 25 }
    expect(outputs({ ...mpegts, ...rates, resolution: '960x540', videoProfile: 'high' })).toEqual([
      {
        protocol: 'mpegts',
        url: 'udp://192.0.2.2:0',
        encoding: { profile: 'high', videoKbps: 3000, resolution: '960x540', maxFrameRate: 25 },
        muxRateKbps: 4000,
      },
    ])
    expect(outputs({ ...rtsp, bitRate: 2128 })).toEqual([
      { protocol: 'rtsp', url: 'rtsp://b.example/in', encoding: { videoKbps: 2000 } },
    ])
  })
})

describe.each(enginesOfNight)('destinations on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let hub: TestDevice
  let uid: string
  let other: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    hub = await fleet.server('MCR', 2)
    ;[uid, other] = hub.channelIds as [string, string]
    hub.report({ capabilities })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.encoders.length === 1)
  })
  afterEach(() => fleet.remove())

  const add = (destination: DestinationRequest, to = uid) =>
    nora.call(calls.add, { body: { uid: to, destination } })
  const outputsToBe = (urls: string[]) =>
    hub.next(
      'serverWanted',
      ({ state }) =>
        `${state.channels.find(({ channelId }) => channelId === uid)?.outputs.map(({ url }) => url)}` ===
        `${urls}`,
    )

  it('[CHAN-008] [CHAN-009] are added, changed and removed, also on the server, without their secrets in an answer', async () => {
    const made = await add({ ...rtmp, username: 'u', password: 'hush', provider: 'CDN' })
    expect(made).toMatchObject({ name: 'Web', hasPassword: true, hasPassphrase: false })
    await outputsToBe(['rtmp://u:hush@a.example/live/one'])
    const keyed = await add({ ...srt, passphrase: 'secret0123' })
    const both = await nora.call(calls.ofChannel, { body: { uid } })
    expect(both.map(({ name }) => name)).toEqual(['Partner', 'Web'])
    const olivia = await fleet.signedIn('olivia')
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 2)
    const seen = await olivia.call(api.channels.ofGroup, { query: { group: 'london' } })
    const access = await olivia.call(calls.mediaAccess, { body: { uniqueIds: [uid, other] } })
    expect(access).toMatchObject([
      {
        mode: 'CDN',
        rtmpOutputUrls: ['rtmp://a.example/live/…'],
        streamingDestinations: [
          { protocol: 'srt', url: 'srt://192.0.2.1:9000' },
          { protocol: 'rtmp', url: 'rtmp://a.example/live/…' },
        ],
      },
      { mode: 'preview', rtmpOutputUrls: [], streamingDestinations: [] },
    ])
    const foreign = (await fleet.server('CAI', 1, { registrationKey: 'key-cairo' })).channelIds[0] ?? ''
    const request = olivia.call(calls.mediaAccess, { body: { uniqueIds: [uid, foreign] } })
    await expect(request).rejects.toMatchObject({ code: 404 })
    expect(JSON.stringify([both, seen, access])).not.toMatch(/hush|secret0123/)
    expect(seen.find(({ uniqueId }) => uniqueId === uid)).toMatchObject({
      kind: 'OUTPUT_CHANNEL',
      hasCdn: true,
      cdnName: 'Partner',
    })

    // A secret that is not given is kept, unless the stream has another type now.
    const change = (destination: DestinationRequest) =>
      nora.call(calls.update, { body: { uid, id: keyed.id, destination } })
    expect(await change({ ...srt, port: 9001 })).toMatchObject({ port: 9001, hasPassphrase: true })
    await outputsToBe([
      'srt://192.0.2.1:9001?mode=caller&passphrase=secret0123',
      'rtmp://u:hush@a.example/live/one',
    ])
    expect(await change({ ...mpegts, name: 'Partner' })).toMatchObject({ hasPassphrase: false })
    await nora.call(calls.remove, { body: { uid, id: made.id } })
    await outputsToBe(['udp://192.0.2.2:0'])
    await expect(nora.call(calls.remove, { body: { uid, id: made.id } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      nora.call(calls.update, { body: { uid: other, id: keyed.id, destination: srt } }),
    ).rejects.toMatchObject({ status: 404 })
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(await nora.call(calls.ofChannel, { body: { uid } })).toMatchObject([{ name: 'Partner' }])
  })

  it('are in the own network only while the operator allows it; field and rule are named', async () => {
    const urls = ['rtmp://u:p@10.0.0.9:1935/live/k', 'rtmp://[::1]/live/k', 'rtmps://2130706433/live/k']
    const own = urls.map((urlPrimary) => ({ ...rtmp, urlPrimary, streamId: '' }))
    const made = await add(own[0] as DestinationRequest)
    await nora.call(calls.remove, { body: { uid, id: made.id } })

    const closed = await createTestFleet(engine, { mayStreamToOwnNetwork: false })
    const server = await closed.server('MCR', 1)
    server.report({ capabilities })
    await until(() => closed.core.servers.memory(server.id)?.actual.capabilities?.encoders.length === 1)
    const admin = await closed.signedIn('nora')
    const addClosed = (destination: object) =>
      admin.call(calls.add, {
        body: { uid: server.channelIds[0] ?? '', destination: destination as DestinationRequest },
      })
    const message = 'The operator of this installation allows no destinations in its own network.'
    const refused: [string, object][] = [
      ...own.map((one): [string, object] => ['urlPrimary', one]),
      ['urlPrimary', { ...rtmp, urlPrimary: 'rtmp://LOCALHOST/live' }],
      ['urlSecondary', { ...rtmp, urlSecondary: 'rtmp://192.168.1.4/live' }],
      ['ip', { ...srt, ip: '169.254.169.254' }],
      ['ip', { ...mpegts, ip: 'fd00::1' }],
    ]
    for (const [field, destination] of refused)
      await expect(addClosed(destination)).rejects.toMatchObject({
        status: 400,
        fields: [{ field: `destination.${field}`, message }],
      })
    await addClosed({ ...srt, ip: '203.0.113.9' })
    await addClosed({ ...srt, name: 'Waits', port: 9001, srtMode: 'listener' })
    const web = await addClosed(rtmp)
    const body = {
      uid: server.channelIds[0] ?? '',
      id: web.id,
      destination: { ...rtmp, urlPrimary: urls[0] ?? '' },
    }
    await expect(admin.call(calls.update, { body })).rejects.toMatchObject({ status: 400 })
    await closed.remove()
  })

  it('show a key within the address to administrators only', async () => {
    hub.report({ capabilities: { ...capabilities, protocolsOut: ['rtmp', 'rtsp'] } })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.protocolsOut.length === 2)
    await add({ ...rtmp, streamId: '', urlPrimary: 'rtmps://u:hush@a.example:443/live/key-1?token=key-2' })
    await add({ ...rtsp, urlPrimary: 'rtsp://u:hush@b.example/in?token=key-3' })
    expect(await nora.call(calls.ofChannel, { body: { uid } })).toMatchObject([
      { urlPrimary: 'rtsp://u:hush@b.example/in?token=key-3' },
      { urlPrimary: 'rtmps://u:hush@a.example:443/live/key-1?token=key-2' },
    ])
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 2)
    for (const restart of [false, true]) {
      if (restart) await fleet.restart()
      const reed = await fleet.signedIn('reed')
      const follower = await fleet.follow(reed, [`channel.${uid}`])
      await fleet.pass()
      await follower.sees(`channel.${uid}`, { rtmpOutputUrls: ['rtmps://a.example:443/live/…'] })
      const seen = await reed.call(api.channels.ofGroup, { query: { group: 'london' } })
      const [access] = await reed.call(calls.mediaAccess, { body: { uniqueIds: [uid] } })
      expect(access).toMatchObject({
        rtmpOutputUrls: ['rtmps://a.example:443/live/…'],
        streamingDestinations: [{ url: 'rtsp://b.example/in' }, { url: 'rtmps://a.example:443/live/…' }],
      })
      expect(JSON.stringify([follower.messages, seen, access])).not.toMatch(/hush|key-/)
    }
  })

  it('[CHAN-008] have a unique name, stream and address within the customer', async () => {
    await add(rtmp)
    const refused = (field: string, message: string) => ({ status: 409, fields: [{ field, message }] })
    await expect(add({ ...srt, name: 'web' }, other)).rejects.toMatchObject(
      refused('destination.name', 'This field must be unique'),
    )
    await expect(add({ ...srt, streamId: 'one' }, other)).rejects.toMatchObject(
      refused('destination.streamId', 'Stream ID must be unique between streams.'),
    )
    await add(srt)
    await expect(add({ ...srt, name: 'Twin' }, other)).rejects.toMatchObject(
      refused('destination', 'Duplicate destinations are not allowed.'),
    )
    await add({ ...srt, name: 'Twin', streamId: 'two' }, other)
    // When two are added at the same time, one is refused.
    const twins = await Promise.allSettled([add(mpegts), add({ ...mpegts, name: 'Other' }, other)])
    expect(twins.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('of HLS have an address with a key that only administrators see, kept when the destination changes', async () => {
    await expect(add(hls)).rejects.toMatchObject({ status: 409, message: 'The server cannot send HLS.' })
    hub.report({ capabilities: { ...capabilities, protocolsOut: ['hls', 'rtsp'] } })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.protocolsOut.length === 2)
    const added = await add(hls)
    expect(added).toMatchObject({ lowLatency: true, playUrl: null })
    hub.report({ webAddress: 'http://{host}:8090', addresses: ['192.0.2.7'] })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.webAddress !== undefined)
    const listed = () => nora.call(calls.ofChannel, { body: { uid } })
    const [{ playUrl, id }] = (await listed()) as [StreamingDestination]
    const [, key = ''] =
      /^http:\/\/192\.0\.2\.7:8090\/hls\/([\w-]{24})\/index\.m3u8$/.exec(playUrl ?? '') ?? []
    expect(key).not.toBe('')
    await outputsToBe([`hls://${key}`])

    const update = (destination: DestinationRequest) =>
      nora.call(calls.update, { body: { uid, id, destination } })
    expect(await update({ name: 'Public', streamType: 'HLS' })).toMatchObject({ playUrl })
    expect(await update({ ...rtsp, name: 'Public' })).not.toHaveProperty('playUrl')
    const { playUrl: other } = await update({ name: 'Public', streamType: 'HLS' })
    expect(other).not.toBe(playUrl)
    await add({ ...hls, name: 'Second' })
    const urls = (await listed()).map((one) => one.playUrl)
    expect(new Set(urls).size).toBe(2)

    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 2)
    const reed = await fleet.signedIn('reed')
    const follower = await fleet.follow(reed, [`channel.${uid}`])
    await fleet.pass()
    await follower.sees(`channel.${uid}`, { cdnName: 'Public' })
    const access = await reed.call(calls.mediaAccess, { body: { uniqueIds: [uid] } })
    expect(access[0]?.streamingDestinations).toMatchObject([{ url: 'hls://…' }, { url: 'hls://…' }])
    const keys = urls.map((url) => /hls\/([\w-]+)\//.exec(url ?? '')?.[1] ?? '')
    for (const one of keys) expect(JSON.stringify([follower.messages, access])).not.toContain(one)
  })

  it('are refused where the server cannot send or encode them', async () => {
    await expect(add(rtsp)).rejects.toMatchObject({ status: 409, message: 'The server cannot send RTSP.' })
    hub.report({ capabilities: { ...capabilities, encoders: [] } })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.encoders.length === 0)
    await expect(add({ ...rtmp, bitRate: 2000 })).rejects.toMatchObject({
      message: 'The server cannot encode.',
    })
    expect(await add(rtmp)).toMatchObject({ name: 'Web' })
  })
})
