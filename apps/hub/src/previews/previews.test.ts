import { execFileSync } from 'node:child_process'
import type { WantedChannel } from '@backhaul/contract/gateway/servers'
import { decodeWallStill } from '@backhaul/contract/nouns/previews'
import { packetBytes } from '@backhaul/ffmpeg/ts-packets'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { peerConfig } from '../peer-config.ts'
import { type RunningHub, runHub, type Sender, sendByFfmpeg, wantedChannel } from '../testing/running-hub.ts'
import { playWhep } from '../testing/whep-client.ts'

const channelId = 'channel-of-srt-1'
let hub: RunningHub
let sender: Sender

beforeAll(async () => {
  hub = await runHub({ bonded: 0, inputs: ['srt'], loops: 1 })
  void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
  sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
  await until(() => hub.channel(channelId)?.status === 'collecting')
})

afterAll(async () => {
  sender.stop()
  await hub.stop()
})

const open = (path: string) =>
  new WebSocket(hub.previewUrl(path).replace('http', 'ws'), { headers: hub.headers(path) })

const play = (id = channelId) => {
  const path = `/channels/${id}/whep`
  return playWhep(hub.previewUrl(path), hub.headers(path, 'POST'))
}

test('a WebRTC viewer gets picture from a key frame and sound, and leaves by DELETE', async () => {
  const viewer = await play()
  await until(() => viewer.packets('video') > 50 && viewer.packets('audio') > 20)
  // 7 is a sequence parameter set, 24 an aggregate that begins with one.
  expect([7, 24]).toContain(viewer.firstVideoType())
  const headers = hub.headers(new URL(viewer.location).pathname, 'DELETE')
  const response = await fetch(viewer.location, { method: 'DELETE', headers })
  expect(response.status).toBe(200)
  const again = await fetch(viewer.location, { method: 'DELETE', headers })
  expect(again.status).toBe(404)
  await viewer.close()
})

test('WebRTC names only addresses of this machine and contacts no server for others', async () => {
  const viewer = await play()
  const candidates = viewer.answer.split('\r\n').filter((line) => line.startsWith('a=candidate'))
  expect(candidates.length).toBeGreaterThan(0)
  for (const line of candidates) expect(line).toContain('typ host')
  expect(viewer.answer).toContain('a=ice-lite')
  expect(peerConfig([])).toMatchObject({ iceLite: true, iceServers: [] })
  await viewer.close()
})

test('two viewers share one program for the sound', async () => {
  const viewers = await Promise.all([play(), play()])
  for (const viewer of viewers) await until(() => viewer.packets('video') > 20)
  const children = ['-P', String(process.pid), '-fc', '--', '-payload_type 97 rtp://127.0.0.1']
  expect(execFileSync('pgrep', children, { encoding: 'utf8' }).trim()).toBe('1')
  for (const viewer of viewers) await viewer.close()
})

test('picture and sound are in streams of their own, so that a browser holds neither back for the other', async () => {
  const viewer = await play()
  const streams = viewer.answer.split('\r\n').filter((line) => line.startsWith('a=msid:'))
  expect(streams.map((line) => line.split(' ')[0]).sort()).toEqual(['a=msid:audio', 'a=msid:video'])
  await viewer.close()
})

test('an invalid offer is refused with the name of the field', async () => {
  const path = `/channels/${channelId}/whep`
  const response = await fetch(hub.previewUrl(path), {
    method: 'POST',
    headers: hub.headers(path, 'POST'),
    body: 'hello',
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ message: 'offer: must be SDP' })
})

test('the stream begins with the tables and a key frame, in whole packets', async () => {
  const socket = open(`/channels/${channelId}/stream`)
  const bytes: Buffer[] = []
  socket.on('message', (data) => bytes.push(data as Buffer))
  const stream = await until(() => {
    const all = Buffer.concat(bytes)
    return all.length > 100_000 ? all : undefined
  })
  socket.close()
  expect(stream[0]).toBe(0x47)
  expect(stream[packetBytes]).toBe(0x47)
  expect((stream[1]! & 0x1f) | stream[2]!).toBe(0)
  // The third packet carries the random access flag of a key frame.
  expect(stream[2 * packetBytes + 5]! & 0x40).toBe(0x40)
})

test('the wall sends the newest still immediately and further ones as they come, of channels and loops', async () => {
  await until(() => hub.hardware.facts().loops[0] === 'loop-1', 60_000)
  const socket = open('/wall')
  const stills: { channelId: string; timeMs: number; jpeg: Uint8Array }[] = []
  socket.on('message', (data) => {
    const still = decodeWallStill(data as Buffer)
    if (still) stills.push(still)
  })
  socket.on('open', () => socket.send(JSON.stringify({ watch: [channelId, 'loop-1', 'unknown'] })))
  const count = (id: string) => stills.filter((still) => still.channelId === id).length
  await until(() => count(channelId) >= 2 && count('loop-1') >= 2)
  expect([...stills[0]!.jpeg.subarray(0, 2)]).toEqual([0xff, 0xd8])
  socket.send(JSON.stringify({ watch: ['loop-1'] }))
  socket.close()
})

test('the wall sends stills of a channel that core names later, as after a restart of the hub', async () => {
  const apply = (channels: WantedChannel[]) => hub.hardware.apply({ channels }, new AbortController().signal)
  const later = 'named-later'
  const socket = open('/wall')
  const seen = new Set<string>()
  socket.on('message', (data) => seen.add(decodeWallStill(data as Buffer)?.channelId ?? ''))
  socket.on('open', () => socket.send(JSON.stringify({ watch: [later, channelId] })))
  await until(() => seen.has(channelId))
  await apply([wantedChannel('srt-1', { channelId: later })])
  await until(() => seen.has(later))
  socket.close()
  await apply([wantedChannel('srt-1')])
  await until(() => hub.channel(channelId)?.status === 'collecting')
})

test('an invalid request closes the wall with the reason', async () => {
  const socket = open('/wall')
  socket.on('open', () => socket.send('{"watch":"all"}'))
  const reason = await new Promise<string>((done) => socket.on('close', (_code, why) => done(why.toString())))
  expect(reason).toContain('expected {"watch"')
})

test('sockets without the key are refused', async () => {
  const socket = new WebSocket(hub.previewUrl('/wall').replace('http', 'ws'))
  const error = await new Promise<Error>((done) => socket.on('error', done))
  expect(error.message).toContain('401')
})

test('a loop plays for a WebRTC viewer without end', async () => {
  await until(() => hub.hardware.facts().loops.length > 0, 60_000)
  const viewer = await play('loop-1')
  await until(() => viewer.packets('video') > 15 && viewer.packets('audio') > 20)
  await viewer.close()
})
