// WHIP at the door for the public, with a sender that follows RFC 9725 and some that do not.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Output } from '@backhaul/contract/gateway/servers'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../ports.ts'
import { INPUT_KEY, type RunningHub, runHub, wantedChannel } from '../../testing/running-hub.ts'
import { sendByWhip, type WhipSender } from '../../testing/whip-sender.ts'

let hub: RunningHub
const id = 'channel-of-webrtc-1'
const bearer = { authorization: `Bearer ${INPUT_KEY}` }
const senders: WhipSender[] = []
const want = (more: Parameters<typeof wantedChannel>[1] = {}) =>
  hub.hardware.apply({ channels: [wantedChannel('webrtc-1', more)] }, new AbortController().signal)
const channel = () => hub.channel(id)
const address = () => hub.webUrl('/whip/webrtc-1')
const isReported = (problem: string | null) => until(() => channel()?.inputProblem === problem, 60_000)
const becomes = (status: string) => until(() => channel()?.status === status, 60_000)

async function send(headers: Record<string, string> = bearer, video?: 'vp8'): Promise<WhipSender> {
  const sender = await sendByWhip(address(), headers, video)
  senders.push(sender)
  return sender
}

beforeAll(async () => {
  hub = await runHub({ bonded: 0, inputs: ['webrtc'], web: true })
  await want()
})
afterEach(async () => {
  for (const sender of senders.splice(0)) {
    await fetch(sender.location, { method: 'DELETE', headers: bearer }).catch(() => {})
    await sender.stop()
  }
  await becomes('idle')
})
afterAll(() => hub.stop())

test('the hub names the address of the input, and that it receives WebRTC', () => {
  const { capabilities, ports } = hub.hardware.facts()
  expect(capabilities.protocolsIn).toContain('webrtc')
  expect(ports).toMatchObject([
    { slot: 'webrtc-1', inputAddress: expect.stringMatching(/^http:\/\/{host}:\d+\/whip\/webrtc-1$/) },
  ])
})

test('a sender with the key is received, its picture and sound are passed on, and DELETE ends its session', async () => {
  const port = await freePort('srt')
  const outputs: Output[] = [{ id: 'ts', protocol: 'mpegts', url: `udp://127.0.0.1:${port}` }]
  await want({ outputs })
  const { response, location } = await send()
  expect(response.status).toBe(201)
  expect(response.headers.get('content-type')).toBe('application/sdp')
  expect(location).toMatch(/\/whip\/webrtc-1\/[\w-]{36}$/)
  await until(() => channel()?.status === 'collecting' && channel()?.video, 60_000)
  expect(channel()).toMatchObject({
    source: 'webrtc',
    inputProblem: null,
    video: { codec: 'h264', width: 640 },
  })
  const listening = `-v error -i udp://127.0.0.1:${port}?timeout=60000000 -map 0:v -map 0:a -t 2 -f framecrc -`
  const { stdout } = await promisify(execFile)('ffmpeg', listening.split(' '), { encoding: 'utf8' })
  const framesOf = (stream: number) =>
    stdout.split('\n').filter((line) => line.startsWith(`${stream},`)).length
  expect(framesOf(0)).toBeGreaterThan(20)
  expect(framesOf(1)).toBeGreaterThan(20)
  expect((await fetch(location, { method: 'DELETE' })).status).toBe(401)
  expect(channel()?.status).toBe('collecting')
  expect((await fetch(location, { method: 'DELETE', headers: bearer })).status).toBe(200)
  await becomes('idle')
  expect((await fetch(location, { method: 'DELETE', headers: bearer })).status).toBe(404)
  await want()
})

test('a sender with another key, or without one, is refused and the channel reports it', async () => {
  const { response } = await send({ authorization: 'Bearer another-key' })
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  await isReported('wrongKey')
  expect((await send({})).response.status).toBe(401)
  expect(channel()?.status).toBe('idle')
})

test('a codec that the hub does not receive is named in the answer, and the channel reports it', async () => {
  const { response } = await send(bearer, 'vp8')
  expect(response.status).toBe(422)
  expect(await response.json()).toEqual({ message: 'offer: must have H.264 for video and Opus for sound' })
  await isReported('codec')
})

test('a second sender is refused while the first sends, and has the input once the first is silent', async () => {
  const first = await send()
  await becomes('collecting')
  expect((await send()).response.status).toBe(409)
  expect(channel()?.status).toBe('collecting')
  first.mute()
  await isReported('silent')
  await isReported(null)
  const { response } = await send()
  expect(response.status).toBe(201)
  await becomes('collecting')
})

test('a new key disconnects the sender with the old one', async () => {
  await send()
  await becomes('collecting')
  await want({ inputKey: 'anotherkey234567890abcdef' })
  await becomes('idle')
  expect((await send()).response.status).toBe(401)
  await want()
})

test('a body that is no offer is refused by its status, and the accepted type is named', async () => {
  const post = (type: string, body: string) =>
    fetch(address(), { method: 'POST', headers: { ...bearer, 'content-type': type }, body })
  expect((await post('application/json', '{}')).status).toBe(415)
  expect((await post('application/sdp', 'nothing')).status).toBe(400)
  expect((await post('application/sdp', `v=0\r\n${'a'.repeat(70_000)}`)).status).toBe(400)
  const asked = await fetch(address(), { method: 'OPTIONS' })
  expect([asked.status, asked.headers.get('accept-post')]).toEqual([204, 'application/sdp'])
  const change = await fetch(`${address()}/some-session`, { method: 'PATCH', headers: bearer })
  expect([change.status, change.headers.get('allow')]).toEqual([405, 'DELETE, OPTIONS'])
  expect((await fetch(address(), { headers: bearer })).status).toBe(405)
  expect((await fetch(hub.webUrl('/whip/srt-9'), { method: 'POST', headers: bearer })).status).toBe(404)
})
