// The lists of a stream while it grows, checked against the rules of RFC 8216bis at every step; no program runs.
import { describe, expect, test } from 'vitest'
import { faultsBetween, faultsIn, readPlaylist } from '../testing/playlist-rules.ts'
import { createHlsStream, type HlsStream } from './hls-stream.ts'
import type { Mp4Tracks } from './mp4-boxes.ts'
import { mediaPlaylist, multivariantPlaylist } from './playlist.ts'

const START_MS = Date.UTC(2026, 10, 23, 12)
const tracks: Mp4Tracks = []

interface Source {
  fps: number
  /** Pictures from one key frame to the next. */
  keyEvery: number
  /** Pictures in a fragment. */
  pictures?: number
  bytes?: number
}

function start(isLowLatency = true): HlsStream {
  const stream = createHlsStream({ firstNumber: 1000, nowMs: () => START_MS })
  stream.setLowLatency(isLowLatency)
  stream.begin(Buffer.from('header'), tracks)
  return stream
}

/** The lists as they change, as soon as there is one. */
function feed(
  stream: HlsStream,
  { fps, keyEvery, pictures = 1, bytes = 10 }: Source,
  seconds: number,
): string[] {
  const lists: string[] = []
  const shared = Buffer.alloc(bytes)
  for (let picture = 0; picture < seconds * fps; ) {
    const toKey = keyEvery - (picture % keyEvery)
    const count = Math.min(pictures, toKey)
    stream.push({ bytes: shared, seconds: count / fps, isKey: picture % keyEvery === 0 })
    picture += count
    const listed = stream.listed()
    const list = listed && mediaPlaylist(listed)
    if (list && list !== lists.at(-1)) lists.push(list)
  }
  return lists
}

function check(lists: readonly string[]): void {
  expect(lists.length).toBeGreaterThan(5)
  for (const [at, list] of lists.entries()) {
    expect(faultsIn(list), list).toEqual([])
    if (at > 0) expect(faultsBetween(lists[at - 1]!, list), list).toEqual([])
  }
}

const sources: Record<string, Source> = {
  'a key frame each second': { fps: 25, keyEvery: 25 },
  'a key frame each two seconds, at 29.97': { fps: 30_000 / 1001, keyEvery: 60, pictures: 2 },
  'a key frame each five seconds': { fps: 50, keyEvery: 250, pictures: 2 },
  'a key frame each twenty seconds': { fps: 25, keyEvery: 500 },
  'only key frames': { fps: 24, keyEvery: 1 },
}

describe.for(Object.entries(sources))('the lists of a stream with %s', ([, source]) => {
  test.for([true, false])('follow the rules, with low latency: %s', (isLowLatency) => {
    check(feed(start(isLowLatency), source, 80))
  })
})

test('a source that comes back, or is another one, is a discontinuity, and is counted once it is removed', () => {
  const stream = start()
  const source = sources['a key frame each second']!
  const lists = feed(stream, source, 21)
  for (let again = 0; again < 3; again++) {
    const announced = readPlaylist(lists.at(-1)!).hint!
    stream.end()
    stream.begin(Buffer.from(`header ${again}`), tracks)
    // Players that wait for the announced part get it, or an answer: it cannot need another header than they have.
    expect(stream.file(announced)).not.toBe('soon')
    lists.push(...feed(stream, source, 9.5))
  }
  lists.push(...feed(stream, source, 40))
  check(lists)
  expect(lists.some((list) => list.includes('#EXT-X-DISCONTINUITY\n'))).toBe(true)
  expect(lists.at(-1)).not.toContain('#EXT-X-DISCONTINUITY\n')
  expect(readPlaylist(lists.at(-1)!).tags.get('EXT-X-DISCONTINUITY-SEQUENCE')).toBe('1003')
})

test('nothing is listed before a key frame, and what was listed can be fetched until players need it no more', () => {
  const stream = start()
  stream.push({ bytes: Buffer.from('torn'), seconds: 0.04, isKey: false })
  const seen = new Map<string, number>()
  for (let second = 0; second < 60; second++) {
    const [list] = feed(stream, sources['a key frame each second']!, 1).slice(-1)
    if (!list) continue
    expect(list).not.toContain('torn')
    const { segments, openParts } = readPlaylist(list)
    for (const { uri, parts, map } of segments)
      for (const name of [uri, map!, ...parts.map((part) => part.uri)]) seen.set(name, second)
    for (const { uri } of openParts) seen.set(uri, second)
    // A list of eight seconds is in use for as long again.
    for (const [name, at] of seen) if (at >= second - 8) expect(stream.file(name), name).not.toBeUndefined()
  }
  expect(stream.file('s1000.m4s')).toBeUndefined()
})

test('memory has a limit that no rate exceeds', () => {
  const stream = start()
  // 400 Mbit/s with a key frame each ten seconds.
  feed(stream, { fps: 25, keyEvery: 250, bytes: 2_000_000 }, 60)
  expect(stream.bytes()).toBeLessThan(170 << 20)
  const ordinary = start()
  feed(ordinary, { fps: 25, keyEvery: 50, bytes: 40_000 }, 120)
  // 8 Mbit/s: the list of 8 s, and as long again with one segment more.
  expect(ordinary.bytes()).toBeLessThanOrEqual((8_000_000 / 8) * 21)
  ordinary.close()
  expect(ordinary.bytes()).toBe(0)
})

test('who waits for a part gets it when it comes, and an answer when the stream ends', async () => {
  const stream = start()
  feed(stream, sources['a key frame each second']!, 3)
  const { hint } = readPlaylist(mediaPlaylist(stream.listed()!))
  expect(stream.file(hint!)).toBe('soon')
  const waiting = stream.when(() => stream.file(hint!) !== 'soon', 60_000)
  feed(stream, sources['a key frame each second']!, 1)
  expect(await waiting).toBe(true)
  expect(stream.file(hint!)).not.toBe('soon')
  const never = stream.when(() => stream.has(5000, 0), 60_000)
  stream.close()
  expect(await never).toBe(false)
  expect(await start().when(() => false, 1)).toBe(false)
})

test('the first list names the codecs of all streams or none', () => {
  const video = {
    id: 1,
    isVideo: true,
    timescale: 1,
    width: 640,
    height: 360,
    sampleDuration: 0,
    sampleFlags: 0,
  }
  const sound = { ...video, id: 2, isVideo: false, codec: 'mp4a.40.2' }
  expect(multivariantPlaylist([{ ...video, codec: 'avc1.42C01E' }, sound], 900, 'r')).toBe(
    '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="avc1.42C01E,mp4a.40.2",RESOLUTION=640x360\nlive.m3u8?reader=r\n',
  )
  expect(multivariantPlaylist([{ ...video, codec: undefined }, sound], 0, 'r')).not.toContain('CODECS')
})
