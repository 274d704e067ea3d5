import { expect, test } from 'vitest'
import { createTsBuilder, pids } from './testing/build-ts.ts'
import { createContinuityCheck, packetBytes, pidOf, ptsOf } from './ts-packets.ts'
import { createSplicer } from './ts-splicer.ts'

const frameTicks = 3000
const frames = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

/** Two encoders whose frame n is stamped n × 33 ms (the second one a little off) with a key frame each 30 frames. */
function rig() {
  const out: Buffer[] = []
  const switches: number[] = []
  const splicer = createSplicer(
    (packets) => out.push(Buffer.from(packets)),
    (id) => switches.push(id),
  )
  const encoders = [createTsBuilder(), createTsBuilder()]
  const send = (id: number, frame: number, firstFrame: number) => {
    const build = encoders[id]!
    const pts = frame * frameTicks + id * 400
    const isKey = (frame - firstFrame) % 30 === 0
    const tables = isKey ? [build.tables()] : []
    splicer.push(
      id,
      Buffer.concat([...tables, build.audio(pts), build.video(pts, isKey), build.more(pids.video)]),
    )
  }
  const stamps = (pid: number) => {
    const stream = Buffer.concat(out)
    const found: number[] = []
    for (let at = 0; at < stream.length; at += packetBytes) {
      const pts = pidOf(stream, at) === pid ? ptsOf(stream, at) : undefined
      if (pts !== undefined) found.push(Math.floor(pts / frameTicks))
    }
    return found
  }
  const errors = () => {
    const check = createContinuityCheck()
    for (const packets of out) check.push(packets)
    return check.errors()
  }
  return { splicer, send, switches, stamps, errors }
}

test('the first encoder is on air from its first key frame', () => {
  const { splicer, send, switches, stamps } = rig()
  splicer.prepare(0)
  for (const frame of frames(0, 3)) send(0, frame, 0)
  expect(switches).toEqual([0])
  expect(stamps(pids.video)).toEqual([0, 1, 2])
})

test('a successor whose key frame comes in time takes over there, without a frame lost or doubled', () => {
  const { splicer, send, switches, stamps, errors } = rig()
  splicer.prepare(0)
  for (const frame of frames(0, 10)) send(0, frame, 0)
  splicer.prepare(1)
  for (const frame of frames(10, 20)) {
    send(1, frame, 10)
    send(0, frame, 0)
  }
  expect(switches).toEqual([0, 1])
  expect(stamps(pids.video)).toEqual(frames(0, 30))
  expect(stamps(pids.audio)).toEqual(frames(0, 30))
  expect(errors()).toBe(0)
})

test('a successor that is late by some frames takes over at its next key frame', () => {
  const { splicer, send, switches, stamps, errors } = rig()
  splicer.prepare(0)
  for (const frame of frames(0, 13)) send(0, frame, 0)
  splicer.prepare(1)
  for (const frame of frames(10, 60)) {
    send(0, frame + 3, 0)
    send(1, frame, 10)
  }
  expect(switches).toEqual([0, 1])
  expect(stamps(pids.video)).toEqual(frames(0, 70))
  expect(stamps(pids.audio)).toEqual(frames(0, 70))
  expect(errors()).toBe(0)
})

test('when the active encoder dies the successor takes over at its first usable key frame', () => {
  const { splicer, send, switches, stamps, errors } = rig()
  splicer.prepare(0)
  for (const frame of frames(0, 20)) send(0, frame, 0)
  splicer.end(0)
  splicer.prepare(1)
  for (const frame of frames(25, 10)) send(1, frame, 25)
  expect(switches).toEqual([0, 1])
  expect(stamps(pids.video)).toEqual([...frames(0, 20), ...frames(25, 10)])
  expect(errors()).toBe(0)
})

test('a successor that ends while it warms up leaves the active encoder on air', () => {
  const { splicer, send, switches, stamps, errors } = rig()
  splicer.prepare(0)
  for (const frame of frames(0, 5)) send(0, frame, 0)
  splicer.prepare(1)
  send(1, 3, 3)
  splicer.end(1)
  for (const frame of frames(5, 60)) send(0, frame, 0)
  expect(switches).toEqual([0])
  expect(stamps(pids.video)).toEqual(frames(0, 65))
  expect(errors()).toBe(0)
})
