import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { encodeCapturedArguments, firstStampTicks, frameBytes } from './encode-arguments.ts'
import { findFfmpeg, probeFfmpeg } from './find.ts'
import { createFrameTimes, readTimeUnit, timeUnit } from './frame-times.ts'
import { runFfmpeg } from './run.ts'
import { createContinuityCheck, hasPayload, packetBytes, pidOf, setContinuity } from './ts-packets.ts'
import type { VideoCodec } from './video-coders.ts'

const ffmpegPath = findFfmpeg()
const picture = { width: 320, height: 180, framesPerSecond: 25 }
const frames = 40
const begunMs = Date.UTC(2026, 10, 23, 12, 0, 0)

test('a time is read as it was written, to the microsecond', () => {
  for (const codec of ['h264', 'h265'] as const)
    for (const timeMs of [begunMs, begunMs + 0.125, 0, 2 ** 32])
      expect(readTimeUnit(timeUnit(codec, timeMs))).toBe(timeMs)
  expect(readTimeUnit(Buffer.alloc(50))).toBeUndefined()
})

/** A stream as an encoder makes it: flat frames that cost nothing, or noise of many packets. */
async function encoded(codec: VideoCodec, isNoise: boolean): Promise<Buffer> {
  const parts: Buffer[] = []
  const encoding = {
    codec,
    picture,
    videoKbps: 1500,
    audioKbps: 96,
    effort: 'ultrafast',
    label: '',
    provider: '',
  } as const
  const child = runFfmpeg({
    path: ffmpegPath!,
    args: encodeCapturedArguments(picture, encoding),
    sidePipe: {},
    backlogLimitBytes: 1 << 30,
    onStdout: (part) => parts.push(part),
  })
  for (let frame = 0; frame < frames; frame++) {
    const bytes = Buffer.alloc(frameBytes(picture), 40 + frame)
    if (isNoise)
      for (let at = 0; at < bytes.length; at++) bytes[at] = (at * 2_654_435_761 * (frame + 1)) >>> 24
    child.write(bytes)
  }
  child.writeSide(Buffer.alloc(48_000 * 4 * 2))
  child.endInput()
  await child.exited
  return Buffer.concat(parts)
}

/** As the splicer of an encoder writes the counters. */
function renumber(packets: Buffer): Buffer {
  const counters = new Map<number, number>()
  for (let at = 0; at < packets.length; at += packetBytes) {
    const pid = pidOf(packets, at)
    const before = counters.get(pid) ?? 15
    const counter = hasPayload(packets, at) ? (before + 1) & 15 : before
    setContinuity(packets, at, counter)
    counters.set(pid, counter)
  }
  return packets
}

const decodedBy = (args: string, input: Buffer) =>
  spawnSync(ffmpegPath!, args.split(' '), { input, maxBuffer: 1e9 })

describe.runIf(ffmpegPath)('the times of frames', () => {
  test.each([
    { codec: 'h264', isNoise: false },
    { codec: 'h264', isNoise: true },
    { codec: 'h265', isNoise: false },
    { codec: 'h265', isNoise: true },
  ] as const)('are read by ffmpeg in each frame, which is unchanged: %o', async ({ codec, isNoise }) => {
    const { encoders } = await probeFfmpeg(ffmpegPath!, ['encoders'])
    if (!encoders.includes(codec === 'h264' ? 'libx264' : 'libx265')) return
    const plain = await encoded(codec, isNoise)
    const times = createFrameTimes({ codec, timeOf: (pts) => begunMs + (pts - firstStampTicks) / 90 })
    const timed = renumber(times.push(Buffer.from(plain)))

    expect(timed.length % packetBytes).toBe(0)
    const check = createContinuityCheck()
    check.push(timed)
    expect(check.errors()).toBe(0)
    const raw = '-v error -f mpegts -i pipe:0 -an -f rawvideo pipe:1'
    const [before, after] = [plain, timed].map((stream) => decodedBy(raw, stream))
    expect(after?.stderr.toString()).toBe('')
    expect(after?.stdout.equals(before!.stdout)).toBe(true)
    expect(before!.stdout.length).toBe(frames * frameBytes(picture))

    const shown = decodedBy(
      '-hide_banner -f mpegts -i pipe:0 -an -vf showinfo -f null -',
      timed,
    ).stderr.toString()
    const found = [...shown.matchAll(/UUID=4d495350-6d69-6372-6f73-656374696d65\n.*User Data=([0-9a-f]+)/gi)]
    const sent = found.map(([, hex = '']) =>
      readTimeUnit(Buffer.concat([Buffer.from('MISPmicrosectime'), Buffer.from(hex, 'hex')])),
    )
    expect(sent).toEqual(Array.from({ length: frames }, (_, frame) => begunMs + frame * 40))
  })
})
