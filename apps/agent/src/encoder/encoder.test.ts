import { findFfmpeg } from '@backhaul/ffmpeg/find'
import type { Source } from '@backhaul/ffmpeg/sources'
import { createContinuityCheck, packetBytes, ptsOf, stampDistance } from '@backhaul/ffmpeg/ts-packets'
import { createStreamFinder } from '@backhaul/ffmpeg/ts-streams'
import { superviseChild } from '@backhaul/runtime/child-process'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { createChunker } from './capture.ts'
import { startEncoder } from './encoder.ts'

const ffmpegPath = findFfmpeg()
const picture = { width: 640, height: 360, framesPerSecond: 30 }
const log = createLog({ name: 'test', format: 'json', level: 'silent' })

/** Runs the source at 900 kbit/s, changes to 500 on air, and answers what a receiver would see. */
async function changeOnAir(source: Source) {
  const check = createContinuityCheck()
  const finder = createStreamFinder()
  const stamps: number[] = []
  const switches: number[] = []
  const encoder = startEncoder(
    {
      ffmpegPath: ffmpegPath!,
      source,
      codec: 'h264',
      picture,
      quality: { audioKbps: 64, effort: 'ultrafast', isAdaptive: true },
      clockStyle: {},
      log,
      onSwitch: (videoKbps) => switches.push(videoKbps),
      onPackets: (packets) => {
        check.push(packets)
        for (let at = 0; at < packets.length; at += packetBytes) {
          finder.push(packets, at)
          const isVideo = finder.video() && ptsOf(packets, at) !== undefined && packets[at + 1] === 0x41
          if (isVideo && (packets[at + 2] ?? 0) === 0) stamps.push(ptsOf(packets, at)!)
        }
      },
    },
    900,
  )
  await until(() => stamps.length > 20)
  encoder.changeRate(500)
  expect(encoder.isChanging()).toBe(true)
  await until(() => switches.length === 2)
  const atSwitch = stamps.length
  await until(() => stamps.length > atSwitch + 10)
  await encoder.stop()
  const gaps = stamps.slice(1).map((stamp, index) => stampDistance(stamps[index]!, stamp))
  return { switches, errors: check.errors(), shortest: Math.min(...gaps), longest: Math.max(...gaps) }
}

test.runIf(ffmpegPath)('the rate of the test pattern changes on air without an error or a gap', async () => {
  const seen = await changeOnAir({ kind: 'testPattern' })
  expect(seen.switches).toEqual([900, 500])
  expect(seen.errors).toBe(0)
  // Frames are 3000 ticks apart; at the switch the two programs agree about the clock to half a frame.
  expect(seen.shortest).toBeGreaterThan(0)
  expect(seen.longest).toBeLessThan(9000)
})

test.runIf(ffmpegPath)(
  'a source that only one program may open changes its rate by way of raw frames',
  async () => {
    const graph = 'testsrc2=size=640x360:rate=30[out0];sine[out1]'
    const port = 20_000 + Math.floor(Math.random() * 20_000)
    const url = `udp://127.0.0.1:${port}`
    const camera = superviseChild({
      command: ffmpegPath!,
      args: [
        '-v',
        'error',
        '-re',
        '-f',
        'lavfi',
        '-i',
        graph,
        '-preset',
        'ultrafast',
        '-g',
        '15',
        '-f',
        'mpegts',
        url,
      ],
    })
    const seen = await changeOnAir({ kind: 'url', url })
    await camera.stop()
    expect(seen.switches).toEqual([900, 500])
    expect(seen.errors).toBe(0)
    expect(seen.shortest).toBeGreaterThan(0)
  },
)

test('raw frames are cut to size whatever the pieces are, and a cut frame does not shift later ones', () => {
  const chunks: string[] = []
  const chunker = createChunker(4, (chunk) => chunks.push(chunk.toString()))
  for (const piece of ['ab', 'cdef', 'ghijkl', 'xy']) chunker.push(Buffer.from(piece))
  chunker.reset()
  chunker.push(Buffer.from('mnop'))
  expect(chunks).toEqual(['abcd', 'efgh', 'ijkl', 'mnop'])
})
