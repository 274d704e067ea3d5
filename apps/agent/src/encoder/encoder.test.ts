import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import type { Source } from '@backhaul/ffmpeg/sources'
import { standInNvenc } from '@backhaul/ffmpeg/testing/stand-in-nvenc'
import {
  createContinuityCheck,
  packetBytes,
  pcrOf,
  pidOf,
  ptsOf,
  stampDistance,
} from '@backhaul/ffmpeg/ts-packets'
import { soundBlockTicks } from '@backhaul/ffmpeg/ts-restamper'
import { createStreamFinder } from '@backhaul/ffmpeg/ts-streams'
import { superviseChild } from '@backhaul/runtime/child-process'
import { createLog } from '@backhaul/runtime/log'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { startEncoder } from './encoder.ts'
import { createChunker, createRawSource } from './raw-source.ts'

const ffmpegPath = findFfmpeg()
const picture = { width: 320, height: 180, framesPerSecond: 30 }
const frameTicks = 3000
const quality = {
  audioKbps: 64,
  effort: 'ultrafast',
  isAdaptive: true,
  hasMotion: false,
  label: '',
  provider: '',
  hasTimes: false,
} as const
const log = createLog({ name: 'test', format: 'json', level: 'silent' })

/** Runs the source at the first rate, changes to each of the others on air, and returns what a receiver would see. */
async function changeOnAir(source: Source, [startKbps, ...laterKbps]: [number, ...number[]], channels = 2) {
  const check = createContinuityCheck()
  const finder = createStreamFinder()
  const stamps = { video: [] as number[], clock: [] as number[] }
  /** The times of each sound track, by its PID. */
  const sounds = new Map<number, number[]>()
  const switches: number[] = []
  const switchedAt: { video: number; audio: ReadonlyMap<number, number> }[] = []
  const encoder = startEncoder(
    {
      ffmpegPath: ffmpegPath!,
      source: createRawSource({
        ffmpegPath: ffmpegPath!,
        source,
        picture,
        channels,
        clockStyle: {},
        onMessage: () => {},
      }),
      codec: 'h264',
      quality,
      log,
      onSwitch(videoKbps) {
        switches.push(videoKbps)
        const audio = new Map([...sounds].map(([pid, list]) => [pid, list.length]))
        switchedAt.push({ video: stamps.video.length, audio })
      },
      onPackets: (packets) => {
        check.push(packets)
        for (let at = 0; at < packets.length; at += packetBytes) {
          finder.push(packets, at)
          const pts = ptsOf(packets, at)
          const pcr = pcrOf(packets, at)
          if (pcr !== undefined) stamps.clock.push(pcr)
          if (pts === undefined) continue
          const pid = pidOf(packets, at)
          if (pid === finder.video()?.pid) stamps.video.push(pts)
          if (finder.isAudio(pid)) sounds.set(pid, [...(sounds.get(pid) ?? []), pts])
        }
      },
    },
    startKbps,
  )
  await until(() => stamps.video.length > 20)
  for (const videoKbps of laterKbps) {
    const before = switches.length
    encoder.changeRate(videoKbps)
    expect(encoder.isChanging()).toBe(true)
    await until(() => switches.length > before)
    const atSwitch = stamps.video.length
    await until(() => stamps.video.length > atSwitch + 20)
  }
  await encoder.stop()
  const steps = (list: readonly number[]) =>
    list.slice(1).map((stamp, index) => stampDistance(list[index]!, stamp))
  // A busy machine may drop frames anywhere: only what a change of the rate costs is counted.
  const around = (list: readonly number[], at: number) => steps(list.slice(Math.max(0, at - 8), at + 8))
  return {
    switches,
    errors: check.errors(),
    video: switchedAt.slice(1).flatMap(({ video }) => around(stamps.video, video)),
    tracks: sounds.size,
    audio: switchedAt
      .slice(1)
      .flatMap(({ audio }) => [...sounds].flatMap(([pid, list]) => around(list, audio.get(pid) ?? 0))),
    clock: steps(stamps.clock),
  }
}

/** No gap and no repetition: each frame and each block of sound follows the one before. */
function expectUnbroken(seen: Awaited<ReturnType<typeof changeOnAir>>): void {
  expect(seen.errors).toBe(0)
  expect(Math.max(...seen.video)).toBeLessThan(frameTicks * 1.5)
  expect(Math.min(...seen.video)).toBeGreaterThan(frameTicks * 0.5)
  expect(Math.max(...seen.audio)).toBeLessThan(soundBlockTicks * 1.5)
  expect(Math.min(...seen.audio)).toBeGreaterThan(soundBlockTicks * 0.5)
  expect(Math.min(...seen.clock)).toBeGreaterThan(0)
}

test.runIf(ffmpegPath)(
  'several changes of the rate of the test pattern cost neither picture nor sound',
  async () => {
    const rates: [number, ...number[]] = [900, 500, 1500, 300, 800]
    const seen = await changeOnAir({ kind: 'testPattern' }, rates)
    expect(seen.switches).toEqual(rates)
    expectUnbroken(seen)
  },
)

test.runIf(ffmpegPath)(
  'no track of eight channels loses or repeats sound when the rate changes',
  async () => {
    const seen = await changeOnAir({ kind: 'testPattern' }, [900, 500, 1200], 8)
    expect(seen.switches).toEqual([900, 500, 1200])
    expect(seen.tracks).toBe(4)
    expectUnbroken(seen)
  },
)

test.runIf(ffmpegPath)('a network source changes its rate without losing picture or sound', async () => {
  const graph = 'testsrc2=size=320x180:rate=30[out0];sine[out1]'
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const url = `udp://127.0.0.1:${port}`
  const quiet = ['-v', 'error', '-re', '-f', 'lavfi', '-i', graph]
  const camera = superviseChild({
    command: ffmpegPath!,
    args: [...quiet, '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '15', '-f', 'mpegts', url],
  })
  const seen = await changeOnAir({ kind: 'url', url }, [900, 500, 1200])
  await camera.stop()
  expect(seen.switches).toEqual([900, 500, 1200])
  expectUnbroken(seen)
})

test.runIf(ffmpegPath)(
  'a file continues where it was when the rate changes, with silence where it has no sound',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backhaul-clip-'))
    const path = join(folder, 'clip.mp4')
    const input = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30', '-t', '3']
    spawnSync(ffmpegPath!, [...input, '-preset', 'ultrafast', path])
    const seen = await changeOnAir({ kind: 'file', path }, [900, 500])
    await rm(folder, { recursive: true })
    expect(seen.switches).toEqual([900, 500])
    expectUnbroken(seen)
    expect(seen.audio.length).toBeGreaterThan(0)
  },
)

test.runIf(ffmpegPath)(
  'hardware that ends on air is replaced by software, and the reason is reported',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backhaul-hardware-'))
    const nvenc = standInNvenc(ffmpegPath!, folder, 'ffmpeg')
    const received: Buffer[] = []
    let switches = 0
    const source = createRawSource({
      ffmpegPath: ffmpegPath!,
      source: { kind: 'testPattern' },
      picture,
      channels: 2,
      clockStyle: {},
      onMessage: () => {},
    })
    const encoder = startEncoder(
      {
        ffmpegPath: nvenc.path,
        source,
        codec: 'h264',
        coder: 'nvenc',
        quality: { ...quality, effort: 'veryfast' },
        log,
        onSwitch: () => switches++,
        onPackets: (packets) => received.push(Buffer.from(packets)),
      },
      600,
    )
    /** The mark that the newest coder wrote into the stream, and the pictures received from now on. */
    async function seen() {
      const before = received.length
      const newest = () => Buffer.concat(received.slice(before))
      await until(() => newest().length > 100_000)
      const decoding = '-f mpegts -i pipe:0 -an -vf scale=2:2 -f rawvideo -pix_fmt gray pipe:1'
      const args = ['-v', 'quiet', ...decoding.split(' ')]
      const { stdout } = spawnSync(ffmpegPath!, args, { input: newest() })
      const texts = [
        ...Buffer.concat(received)
          .toString('latin1')
          .matchAll(/subme=(\d)/g),
      ]
      return { subme: texts.at(-1)?.[1], pictures: stdout.length / 4 }
    }
    await until(() => switches === 1)
    expect(await seen()).toMatchObject({ subme: '0' })
    expect(encoder.faults().hardwareFault).toBeUndefined()
    signalProcess(nvenc.pid(), 'SIGKILL')
    await until(() => switches === 2)
    const after = await seen()
    const { hardwareFault } = encoder.faults()
    await encoder.stop()
    await rm(folder, { recursive: true })
    expect(after.subme).toBe('2')
    expect(after.pictures).toBeGreaterThan(10)
    expect(hardwareFault).toEqual({
      reason: 'The hardware encoder h264_nvenc ended (SIGKILL): software encodes the picture.',
      cause: { code: 'unit.hardwareEnded', params: { coder: 'h264_nvenc', error: 'SIGKILL' } },
    })
  },
)

test('raw frames are cut to size regardless of the size of the pieces, and a cut frame does not shift later ones', () => {
  const chunks: string[] = []
  const chunker = createChunker(4, (chunk) => chunks.push(chunk.toString()))
  for (const piece of ['ab', 'cdef', 'ghijkl', 'xy']) chunker.push(Buffer.from(piece))
  chunker.reset()
  chunker.push(Buffer.from('mnop'))
  expect(chunks).toEqual(['abcd', 'efgh', 'ijkl', 'mnop'])
})
