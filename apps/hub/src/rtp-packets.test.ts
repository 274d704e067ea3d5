import { expect, test } from 'vitest'
import { isPlayableAsIs, rtpArguments } from './previews/rtp-arguments.ts'
import { createCatchUp, createContinuity, isRtp, opensGroup, payloadTypeOf } from './rtp-packets.ts'

function rtp(sequence: number, stamp: number, payload: readonly number[]): Buffer {
  const packet = Buffer.alloc(12 + payload.length)
  packet[0] = 0x80
  packet[1] = 0x80 | 96
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(stamp, 4)
  packet.set(payload, 12)
  return packet
}

const plain = {
  codec: 'h264',
  width: 640,
  height: 360,
  fps: 25,
  profile: 66,
  isPlainSampling: true,
  isReordered: false,
} as const

test('sender reports on the same port are not taken for RTP', () => {
  expect(isRtp(rtp(1, 1, [0x41]))).toBe(true)
  expect(payloadTypeOf(rtp(1, 1, [0x41]))).toBe(96)
  const report = Buffer.alloc(28)
  report[0] = 0x80
  report[1] = 200
  expect(isRtp(report)).toBe(false)
})

test('a group opens with a parameter set, alone or in an aggregate', () => {
  expect(opensGroup(rtp(1, 1, [0x67, 0x42]))).toBe(true)
  expect(opensGroup(rtp(1, 1, [24, 0, 2, 0x09, 0xf0, 0, 2, 0x67, 0x42]))).toBe(true)
  expect(opensGroup(rtp(1, 1, [0x41, 0x9a]))).toBe(false)
})

test('when another program sends, sequence numbers continue by one and timestamps by the time that passed', () => {
  const continuity = createContinuity(90_000)
  const first = rtp(65_535, 4_294_967_295, [1])
  continuity.rewrite(first, 1000)
  continuity.begin()
  const next = rtp(700, 123_456, [1])
  continuity.rewrite(next, 3000)
  expect([next.readUInt16BE(2), next.readUInt32BE(4)]).toEqual([0, 179_999])
  const later = rtp(701, 127_056, [1])
  continuity.rewrite(later, 3040)
  expect([later.readUInt16BE(2), later.readUInt32BE(4)]).toEqual([1, 183_599])
})

test('only H.264 that every browser plays is left as it is', () => {
  expect(isPlayableAsIs(plain)).toBe(true)
  expect(isPlayableAsIs({ ...plain, codec: 'h265' })).toBe(false)
  expect(isPlayableAsIs({ ...plain, isReordered: true })).toBe(false)
  expect(isPlayableAsIs({ ...plain, isPlainSampling: false })).toBe(false)
  const coded = rtpArguments({ picture: { ...plain, codec: 'h265' }, hasAudio: false, port: 5000 })
  expect(coded).toContain('libx264')
  expect(coded).not.toContain('libopus')
  const soundAlone = rtpArguments({ picture: undefined, hasAudio: true, port: 5000 })
  expect(soundAlone).toContain('libopus')
  expect(soundAlone).not.toContain('libx264')
})

test('past sound that comes in a burst is held back until it comes in real time', () => {
  const catchUp = createCatchUp(48_000)
  const arrivals = [0, 1, 2, 3, 4, 24, 44, 66, 84]
  const over = arrivals.map((atMs, index) => catchUp.isOver(rtp(index, 1000 + index * 960, [1]), 5000 + atMs))
  expect(over).toEqual([false, false, false, false, false, false, false, true, true])
})
