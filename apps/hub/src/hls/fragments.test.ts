// Fragmented MP4 as this ffmpeg writes it: durations, key frames and codecs.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hlsArguments } from '../outputs/output-arguments.ts'
import { createFragmentCutter, type Fragment } from './fragments.ts'
import type { Mp4Tracks } from './mp4-boxes.ts'

const SECONDS = 4
const picture = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${SECONDS}`]
const sound = ['-f', 'lavfi', '-i', `sine=sample_rate=48000:duration=${SECONDS}`]

/** The fragments that the hub makes of a stream, cut in pieces of an odd size. */
function fragmentsOf(source: readonly string[], isHevc = false) {
  const options = { maxBuffer: 64 << 20 }
  const stream = execFileSync('ffmpeg', ['-v', 'error', ...source, '-f', 'mpegts', '-'], options)
  const output = { id: 'hls', protocol: 'hls' as const, url: 'hls://0123456789abcdef' }
  const mp4 = execFileSync('ffmpeg', hlsArguments(output, undefined, isHevc), {
    ...options,
    input: stream,
    stdio: 'pipe',
  })
  const headers: { bytes: Buffer; tracks: Mp4Tracks }[] = []
  const fragments: Fragment[] = []
  const cutter = createFragmentCutter({
    onHeader: (bytes, tracks) => headers.push({ bytes, tracks }),
    onFragment: (fragment) => fragments.push(fragment),
  })
  for (let at = 0; at < mp4.length; at += 997) cutter.push(mp4.subarray(at, at + 997))
  expect(headers).toHaveLength(1)
  return { ...headers[0]!, fragments }
}

const lengthOf = (fragments: readonly Fragment[]) => fragments.reduce((sum, { seconds }) => sum + seconds, 0)
const h264 = ['-c:v', 'libx264', '-profile:v', 'high', '-level', '3.1', '-g', '50', '-c:a', 'aac']

test('H.264 with sound: each key frame begins a fragment, and the durations add up to the stream', () => {
  const { tracks, fragments, bytes } = fragmentsOf([...picture, ...sound, ...h264])
  expect(tracks).toMatchObject([
    { codec: 'avc1.64001F', width: 320, height: 180, isVideo: true },
    { codec: 'mp4a.40.2', isVideo: false },
  ])
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
  expect(fragments.filter(({ isKey }) => isKey)).toHaveLength(SECONDS / 2)
  expect(Math.abs(lengthOf(fragments) - SECONDS)).toBeLessThan(0.1)
  expect(Math.max(...fragments.map(({ seconds }) => seconds))).toBeLessThan(0.25)
})

test('HEVC is named as players expect it', () => {
  const { tracks } = fragmentsOf(
    [...picture, '-c:v', 'libx265', '-x265-params', 'log-level=error', '-g', '50'],
    true,
  )
  expect(tracks[0]?.codec).toMatch(/^hvc1\.1\.6\.L\d+(\.[0-9A-F]+)+$/)
})

test('sound alone is a stream too, in which all fragments are key', () => {
  const { tracks, fragments } = fragmentsOf([...sound, '-c:a', 'aac'])
  expect(tracks).toHaveLength(1)
  expect(fragments.every(({ isKey }) => isKey)).toBe(true)
  expect(Math.abs(lengthOf(fragments) - SECONDS)).toBeLessThan(0.1)
})

test('data that are no MP4 are refused before it fills the memory', () => {
  const cutter = createFragmentCutter({ onHeader: () => {}, onFragment: () => {} })
  expect(() => cutter.push(Buffer.alloc(64, 0x7f))).toThrow(RangeError)
})
