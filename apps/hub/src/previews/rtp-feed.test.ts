import { spawn } from 'node:child_process'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { createRtpFeed } from './rtp-feed.ts'

const log = createLog({ name: 'hub', format: 'json', level: 'silent' })
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

/** A bus with a live picture in it. */
function liveBus(video: readonly string[]) {
  const bus = createTsBus()
  const input = ['-v', 'error', '-nostdin', '-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25']
  const args = [...input, '-pix_fmt', 'yuv420p', ...video, '-g', '25', '-f', 'mpegts', 'pipe:1']
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.on('data', bus.push)
  endings.push(() => child.kill('SIGKILL'))
  return bus
}

function feedOf(video: readonly string[], lingerMs?: number) {
  const bus = liveBus(video)
  const options = { ffmpegPath: 'ffmpeg', hasOpus: true, bus, log }
  const feed = createRtpFeed(lingerMs === undefined ? options : { ...options, lingerMs })
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
  const feed = feedOf(['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency'], 200)
  expect(feed.pid()).toBeUndefined()
  const leave = feed.join(() => {})
  const pid = await until(() => feed.pid())
  const leaveToo = feed.join(() => {})
  leave()
  expect(feed.pid()).toBe(pid)
  leaveToo()
  await until(() => feed.pid() === undefined)
})
