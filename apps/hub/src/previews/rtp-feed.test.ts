import { spawn, spawnSync } from 'node:child_process'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { opensGroup } from '../rtp-packets.ts'
import { createRtpFeed } from './rtp-feed.ts'

const log = createLog({ name: 'hub', format: 'json', level: 'silent' })
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

/** A bus with a live picture in it. */
function liveBus(video: readonly string[], group = 25) {
  const bus = createTsBus()
  const input = ['-v', 'error', '-nostdin', '-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25']
  const args = [...input, '-pix_fmt', 'yuv420p', ...video, '-g', String(group), '-f', 'mpegts', 'pipe:1']
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.on('data', bus.push)
  endings.push(() => child.kill('SIGKILL'))
  return bus
}

const playable = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency']

function feedOf(video: readonly string[], { lingerMs = 10_000, group = 25 } = {}) {
  const bus = liveBus(video, group)
  const feed = createRtpFeed({ ffmpegPath: 'ffmpeg', hasOpus: true, bus, log, lingerMs })
  const refreshing = setInterval(feed.refresh, 50)
  endings.unshift(() => {
    clearInterval(refreshing)
    return feed.stop()
  })
  return feed
}

test.for([
  ['H.265', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:bframes=0']],
  ['H.264 with frames out of order', ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2']],
] as const)('%s becomes H.264 that browsers play', async ([, video]) => {
  const feed = feedOf(video)
  const types = new Set<number>()
  let profile: number | undefined
  feed.join((_kind, packet) => {
    types.add(packet[12]! & 0x1f)
    // The profile follows the header of a parameter set, here the first one of an aggregate.
    if ((packet[12]! & 0x1f) === 24) profile ??= packet[16]
  })
  await until(() => types.size >= 2 && profile !== undefined)
  expect(profile).toBe(66)
})

test('the program runs from the first viewer to some time after the last', async () => {
  const feed = feedOf(['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2'], { lingerMs: 200 })
  expect(feed.pid()).toBeUndefined()
  const leave = feed.join(() => {})
  const pid = await until(() => feed.pid())
  const leaveToo = feed.join(() => {})
  leave()
  expect(feed.pid()).toBe(pid)
  leaveToo()
  await until(() => feed.pid() === undefined)
})

/** The packets as a player reads them: a byte stream (RFC 6184 §5.6, §5.8). */
function byteStreamOf(packets: readonly Buffer[]): Buffer {
  const startCode = Buffer.from([0, 0, 0, 1])
  return Buffer.concat(
    packets.flatMap((packet) => {
      const payload = packet.subarray(12)
      if ((payload[0]! & 0x1f) !== 28) return [startCode, payload]
      const rest = payload.subarray(2)
      const isFirst = (payload[1]! & 0x80) !== 0
      return isFirst ? [startCode, Buffer.from([(payload[0]! & 0xe0) | (payload[1]! & 0x1f)]), rest] : [rest]
    }),
  )
}

/** The number of pictures found by a decoder that ends at the first error. */
function decoded(byteStream: Buffer): number {
  const args = ['-v', 'error', '-xerror', '-err_detect', 'explode', '-f', 'h264', '-i', 'pipe:0']
  const { status, stderr, stdout } = spawnSync('ffmpeg', [...args, '-f', 'framemd5', 'pipe:1'], {
    input: byteStream,
  })
  expect(stderr.toString()).toBe('')
  expect(status).toBe(0)
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')).length
}

test('H.264 that browsers play becomes RTP without a program, and every picture of it can be decoded', async () => {
  const feed = feedOf(playable)
  const packets: Buffer[] = []
  feed.join((_kind, packet) => packets.push(packet))
  const pictures = () => packets.filter((packet) => (packet[1]! & 0x80) !== 0).length
  await until(() => pictures() > 60)
  expect(feed.pid()).toBeUndefined()
  expect(
    packets.every(
      (packet, index) => packet.readUInt16BE(2) === ((packets[0]!.readUInt16BE(2) + index) & 0xffff),
    ),
  ).toBe(true)
  const whole = packets.slice(0, packets.findLastIndex((packet) => (packet[1]! & 0x80) !== 0) + 1)
  expect(decoded(byteStreamOf(whole))).toBe(whole.filter((packet) => (packet[1]! & 0x80) !== 0).length)
})

test('who joins in the middle of a group of pictures gets all of it from the key frame on', async () => {
  const feed = feedOf(playable, { group: 1000 })
  const packets: Buffer[] = []
  feed.join((_kind, packet) => packets.push(packet))
  await until(() => packets.length > 60)
  const group = feed.group()
  expect(opensGroup(group[0]!)).toBe(true)
  expect(group).toEqual(packets)
  const some = packets[40]!
  expect(feed.find('video', some.readUInt16BE(2))).toBe(some)
  expect(feed.find('video', (packets.at(-1)!.readUInt16BE(2) + 1) & 0xffff)).toBeUndefined()
})
