import { expect, test } from 'vitest'
import { createTsBuilder, pids } from './testing/build-ts.ts'
import {
  createContinuityCheck,
  createPacketAligner,
  isRandomAccess,
  pcrOf,
  pidOf,
  ptsOf,
  stampDistance,
  stampModulus,
} from './ts-packets.ts'
import { createStreamFinder, startsKeyFrame } from './ts-streams.ts'

test('stamps of 33 bits are read exactly and distances work across the wrap', () => {
  const build = createTsBuilder()
  for (const pts of [0, 1, 90_000, 2 ** 32 + 5, stampModulus - 1]) {
    expect(ptsOf(build.video(pts, true), 0)).toBe(pts)
  }
  expect(stampDistance(stampModulus - 10, 20)).toBe(30)
  expect(stampDistance(20, stampModulus - 10)).toBe(-30)
})

test('a clock reference is read from the adaptation field', () => {
  const packet = Buffer.alloc(188, 0xff)
  packet.set([0x47, 0x01, 0x00, 0x20, 183, 0x50, 0x80, 0x00, 0x00, 0x01, 0xfe, 0x00])
  expect(pcrOf(packet, 0)).toBe(0x80000001 * 2 + 1)
  expect(isRandomAccess(packet, 0)).toBe(true)
})

test('the aligner passes on whole packets from pieces of any size and skips foreign bytes', () => {
  const build = createTsBuilder()
  const stream = Buffer.concat([build.tables(), build.video(0, true), build.audio(0), build.more(pids.video)])
  const dirty = Buffer.concat([Buffer.from([1, 2, 0x47, 3]), stream])
  for (const step of [1, 7, 187, 188, 189, 1000]) {
    const out: Buffer[] = []
    const aligner = createPacketAligner((packets) => out.push(Buffer.from(packets)))
    for (let at = 0; at < dirty.length; at += step) aligner.push(dirty.subarray(at, at + step))
    expect(Buffer.concat(out).equals(stream)).toBe(true)
    expect(aligner.skippedBytes()).toBe(4)
  }
})

test('a lost packet is one continuity error, a single repeat is none', () => {
  const build = createTsBuilder()
  const packets = Array.from({ length: 40 }, () => build.more(pids.video))
  const check = createContinuityCheck()
  check.push(Buffer.concat([...packets.slice(0, 20), packets[19]!, ...packets.slice(20)]))
  expect(check.errors()).toBe(0)
  const lossy = createContinuityCheck()
  lossy.push(Buffer.concat([...packets.slice(0, 10), ...packets.slice(11)]))
  expect(lossy.errors()).toBe(1)
  expect(lossy.errorsByPid().get(pids.video)).toBe(1)
  expect(lossy.packets()).toBe(39)
})

test('tables show which PID carries picture and sound, and key frames are recognised', () => {
  const build = createTsBuilder()
  const tables = build.tables()
  const finder = createStreamFinder()
  finder.push(tables, 0)
  finder.push(tables, 188)
  expect(finder.video()).toEqual({ pid: pids.video, kind: 'video', codec: 'h264' })
  expect(finder.audio()).toEqual({ pid: pids.audio, kind: 'audio', codec: 'aac' })
  const key = build.video(0, true)
  expect(startsKeyFrame(key, 0, finder.video()!)).toBe(true)
  key[5] = 0 // without the flag the slice type decides
  expect(startsKeyFrame(key, 0, finder.video()!)).toBe(true)
  expect(startsKeyFrame(build.video(0, false), 0, finder.video()!)).toBe(false)
  expect(pidOf(key, 0)).toBe(pids.video)
})
