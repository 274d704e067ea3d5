import { execFileSync } from 'node:child_process'
import {
  createContinuityCheck,
  packetBytes,
  pidOf,
  ptsOf,
  stampDistance,
  startsUnit,
} from '@backhaul/ffmpeg/ts-packets'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { playClip, readClip } from './ts-player.ts'

const CLIP_MS = 400
const clip = readClip(
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=160x90:rate=25',
    '-frames:v',
    '10',
    '-c:v',
    'libx264',
    '-bf',
    '2',
    '-g',
    '5',
    '-muxdelay',
    '0',
    '-muxpreload',
    '0',
    '-f',
    'mpegts',
    'pipe:1',
  ]),
  CLIP_MS,
)

/** The time stamps of the frames that begin in the stream. */
function stampsOf(stream: Buffer): number[] {
  const stamps: number[] = []
  for (let at = 0; at < stream.length; at += packetBytes) {
    const pts = startsUnit(stream, at) && pidOf(stream, at) === 0x100 ? ptsOf(stream, at) : undefined
    if (pts !== undefined) stamps.push(pts)
  }
  return stamps
}

test('rounds follow each other as one unbroken stream in real time', async () => {
  const pieces: Buffer[] = []
  const startedMs = performance.now()
  const stop = playClip(clip, 0, (packets) => pieces.push(packets))
  // Three rounds of ten frames.
  await until(() => stampsOf(Buffer.concat(pieces)).length > 30)
  stop()
  const playedMs = performance.now() - startedMs
  const stream = Buffer.concat(pieces)
  const check = createContinuityCheck()
  check.push(stream)
  expect(check.errors()).toBe(0)
  const stamps = stampsOf(stream)
  // The stop may fall between a frame and those that are shown before it: the last three are not compared.
  const sorted = [...stamps].sort((a, b) => a - b).slice(0, -3)
  const distances = sorted.slice(1).map((stamp, index) => stampDistance(sorted[index]!, stamp))
  expect(new Set(distances)).toEqual(new Set([3600]))
  expect(stamps.length * 40).toBeLessThan(playedMs + CLIP_MS)
})

test('play begins at the key frame before the requested time and catches up immediately', () => {
  const pieces: Buffer[] = []
  const stop = playClip(clip, 300, (packets) => pieces.push(packets))
  stop()
  expect(pidOf(pieces[0]!, 0)).toBe(0x100)
  expect(clip.keyFrames).toHaveLength(2)
  expect(clip.keyFrames[1]!.dueMs).toBeLessThanOrEqual(300)
})
