// HLS as players get it from a real hub: what ffmpeg decodes, what the rules require, and what a stranger gets.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { english } from '@backhaul/contract/define/refusals'
import type { Output } from '@backhaul/contract/gateway/servers'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attributesOf, faultsBetween, faultsIn, readPlaylist } from '../testing/playlist-rules.ts'
import { type RunningHub, runHub, type Sender, sendByFfmpeg, wantedChannel } from '../testing/running-hub.ts'

const channel = 'channel-of-srt-1'
const keys = { low: 'low-latency-key-0123456789', plain: 'ordinary-key-0123456789' }
const low: Output = { id: 'low', protocol: 'hls', url: `hls://${keys.low}`, lowLatency: true }
const plain: Output = {
  id: 'plain',
  protocol: 'hls',
  url: `hls://${keys.plain}`,
  encoding: { videoKbps: 500, resolution: '640x360' },
}
let hub: RunningHub
let sender: Sender

function send(outputs: Output[]): void {
  const channels = [wantedChannel('srt-1', { outputs })]
  void hub.hardware.apply({ channels }, new AbortController().signal)
}
const stateOf = (id: string) => hub.channel(channel)?.outputs.find((output) => output.id === id)
const at = (key: string, file: string) => hub.webUrl(`/hls/${key}/${file}`)

async function read(key: string, file = 'live.m3u8?reader=test'): Promise<string> {
  const response = await fetch(at(key, file))
  expect(response.status, file).toBe(200)
  return await response.text()
}

beforeAll(async () => {
  hub = await runHub({ bonded: 0, inputs: ['srt'], web: true })
  send([low, plain])
  sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
  await until(() => stateOf('low')?.state === 'sending' && stateOf('plain')?.state === 'sending')
})
afterAll(async () => {
  sender?.stop()
  await hub?.stop()
})

/** Frames of picture and sound that ffmpeg decodes within two seconds of the stream. */
async function decode(url: string): Promise<{ video: number; audio: number; size: string | undefined }> {
  const args = ['-v', 'error', '-i', url, '-map', '0:v', '-map', '0:a', '-t', '2', '-fps_mode', 'passthrough']
  const { stdout } = await promisify(execFile)('ffmpeg', [...args, '-f', 'framecrc', '-'], {
    timeout: 90_000,
  })
  const count = (stream: number) => stdout.split('\n').filter((line) => line.startsWith(`${stream},`)).length
  return { video: count(0), audio: count(1), size: /#dimensions 0: (\S+)/.exec(stdout)?.[1] }
}

test.for(['low', 'plain'] as const)('ffmpeg decodes picture and sound of the %s stream', async (kind) => {
  const decoded = await decode(at(keys[kind], 'index.m3u8'))
  expect(decoded.size).toBe('640x360')
  expect(decoded.video).toBeGreaterThan(45)
  expect(decoded.audio).toBeGreaterThan(80)
})

test('the first list names the codecs, the size and the rate', async () => {
  const first = await read(keys.low, 'index.m3u8')
  const attributes = attributesOf(/#EXT-X-STREAM-INF:(.*)/.exec(first)?.[1])
  expect(attributes.CODECS).toMatch(/^avc1\.42[0-9A-F]{4},mp4a\.40\.2$/)
  expect(attributes.RESOLUTION).toBe('640x360')
  expect(Number(attributes.BANDWIDTH)).toBeGreaterThan(100_000)
  expect(Number(attributes.BANDWIDTH)).toBeLessThan(4_000_000)
})

test('the lists of a running stream follow the rules, and a held request is answered with what it waited for', async () => {
  let before = await read(keys.low)
  for (let turn = 0; turn < 20; turn++) {
    const { segments, openParts } = readPlaylist(before)
    const [segment, part] = [segments.at(-1)!.number + 1, openParts.length]
    const after = await read(keys.low, `live.m3u8?reader=test&_HLS_msn=${segment}&_HLS_part=${part}`)
    const next = readPlaylist(after)
    const last = next.segments.at(-1)!.number
    expect(last > segment - 1 || next.openParts.length > part, after).toBe(true)
    expect(faultsIn(after), after).toEqual([])
    expect(faultsBetween(before, after), after).toEqual([])
    before = after
  }
  const ordinary = await read(keys.plain)
  expect(faultsIn(ordinary), ordinary).toEqual([])
})

test('an announced part is held until it is there, and parts are the bytes of their segment', async () => {
  const { hint } = readPlaylist(await read(keys.low))
  const early = await fetch(at(keys.low, hint!))
  expect(early.status).toBe(200)
  const bytes = Buffer.from(await early.arrayBuffer())
  expect(bytes.toString('latin1', 4, 8)).toBe('moof')
  const [segment] = readPlaylist(await read(keys.low))
    .segments.filter(({ parts }) => parts.length > 0)
    .slice(-1)
  const whole = await bytesOf(keys.low, segment!.uri)
  const parts = await Promise.all(segment!.parts.map(({ uri }) => bytesOf(keys.low, uri)))
  expect(Buffer.concat(parts).equals(whole)).toBe(true)
})

const bytesOf = async (key: string, file: string) =>
  Buffer.from(await (await fetch(at(key, file))).arrayBuffer())

test('requests that no player makes are refused', async () => {
  const { segments } = readPlaylist(await read(keys.low))
  const last = segments.at(-1)!.number
  for (const [query, status] of [
    ['_HLS_part=0', 400],
    ['_HLS_msn=x', 400],
    [`_HLS_msn=${last + 50}`, 400],
  ] as const)
    expect((await fetch(at(keys.low, `live.m3u8?${query}`))).status, query).toBe(status)
  expect((await fetch(at(keys.low, 's1.m4s'))).status).toBe(404)
  expect((await fetch(at(keys.low, 'index.m3u8'), { method: 'POST' })).status).toBe(405)
})

test('another key, and another path, gets nothing; pages of any origin may read what they have the address of', async () => {
  for (const key of ['wrong-key-012345678901234', keys.low.slice(0, -1), `${keys.low}x`, '__proto__'])
    for (const file of ['index.m3u8', 'live.m3u8', 's1.m4s'])
      expect((await fetch(at(key, file))).status, key).toBe(404)
  for (const path of ['/', '/hls', '/hls/', '/channels/x/still.jpg', '/constructor/', '/files/a/b'])
    expect((await fetch(hub.webUrl(path))).status, path).toBe(404)
  const asked = await fetch(at(keys.low, 'index.m3u8'), { method: 'OPTIONS' })
  expect(asked.status).toBe(204)
  for (const response of [asked, await fetch(at(keys.low, 'index.m3u8'))])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

test('players are counted, each by the address of its list', async () => {
  const first = await read(keys.plain, 'index.m3u8')
  const [, list = ''] = /^(live\.m3u8\?reader=\S+)$/m.exec(first) ?? []
  expect(list).not.toBe(/^(live\S+)$/m.exec(await read(keys.plain, 'index.m3u8'))?.[1])
  await until(() => stateOf('plain')?.readers === 0)
  const play = setInterval(() => void read(keys.plain, list), 1000)
  try {
    await until(() => stateOf('plain')?.readers === 1)
    await read(keys.plain, 'live.m3u8?reader=another')
    await until(() => stateOf('plain')?.readers === 2)
    await until(() => stateOf('plain')?.readers === 1)
  } finally {
    clearInterval(play)
  }
})

test('a stream continues with the same numbers when its source comes back, and its address is void once it is removed', async () => {
  const before = await read(keys.low)
  sender.stop()
  await until(() => hub.channel(channel)?.status !== 'collecting')
  sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
  await until(() => stateOf('low')?.state === 'sending')
  await until(async () => (await read(keys.low)).includes('#EXT-X-DISCONTINUITY\n'))
  const after = await read(keys.low)
  expect(faultsBetween(before, after), after).toEqual([])
  send([plain])
  await until(async () => (await fetch(at(keys.low, 'index.m3u8'))).status === 404)
  expect((await fetch(at(keys.plain, 'index.m3u8'))).status).toBe(200)
})

test('a hub whose owner has opened no door for players does not claim HLS, and fails an output that is wanted nevertheless', async () => {
  const closed = await runHub({ bonded: 0, inputs: ['srt'] })
  const encoder = sendByFfmpeg(['-f', 'mpegts', closed.inputUrl('srt-1')])
  try {
    const { capabilities, webAddress } = closed.hardware.facts()
    expect([capabilities.protocolsOut.includes('hls'), webAddress]).toEqual([false, null])
    expect(hub.hardware.facts().capabilities.protocolsOut).toContain('hls')
    const channels = [wantedChannel('srt-1', { outputs: [low] })]
    void closed.hardware.apply({ channels }, new AbortController().signal)
    const reason = () => closed.channel(channel)?.outputs[0]?.reason
    await until(() => reason() === english('output.notServed'))
  } finally {
    encoder.stop()
    await closed.stop()
  }
})
