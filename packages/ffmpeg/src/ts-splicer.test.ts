import { expect, test } from 'vitest'
import { createTsBuilder, pids } from './testing/build-ts.ts'
import { createContinuityCheck, packetBytes, pidOf, ptsOf } from './ts-packets.ts'
import { createSplicer } from './ts-splicer.ts'

const frameTicks = 3000
const frames = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

/** Two encoders whose frame n is stamped n × 33 ms with a key frame each 30 frames. */
function rig() {
  const out: Buffer[] = []
  const switches: number[] = []
  const splicer = createSplicer(
    (packets) => out.push(Buffer.from(packets)),
    (id) => switches.push(id),
  )
  const encoders = [createTsBuilder(), createTsBuilder()]
  const prepare = (id: number, firstFrame: number) =>
    splicer.prepare(id, (pts) => pts > firstFrame * frameTicks && (pts / frameTicks - firstFrame) % 30 === 0)
  /** Sound may come later than the picture of the same moment. */
  const send = (id: number, frame: number, firstFrame: number, soundFrame = frame) => {
    const build = encoders[id]!
    const pts = frame * frameTicks
    const isKey = (frame - firstFrame) % 30 === 0
    const tables = isKey ? [build.tables()] : []
    splicer.push(
      id,
      Buffer.concat([
        ...tables,
        build.audio(soundFrame * frameTicks),
        build.more(pids.audio),
        build.video(pts, isKey),
        build.more(pids.video),
      ]),
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
  return { splicer, prepare, send, switches, stamps, errors }
}

test('the first encoder is on air from its first key frame', () => {
  const { prepare, send, switches, stamps } = rig()
  prepare(0, 0)
  for (const frame of frames(0, 3)) send(0, frame, 0)
  expect(switches).toEqual([0])
  expect(stamps(pids.video)).toEqual([0, 1, 2])
})

test('a successor whose key frame comes in time takes over there, without a frame lost or doubled', () => {
  const { prepare, send, switches, stamps, errors } = rig()
  prepare(0, 0)
  for (const frame of frames(0, 10)) send(0, frame, 0)
  prepare(1, 10)
  for (const frame of frames(10, 20)) {
    send(1, frame, 10)
    send(0, frame, 0)
  }
  expect(switches).toEqual([0, 1])
  expect(stamps(pids.video)).toEqual(frames(0, 30))
  expect(stamps(pids.audio)).toEqual(frames(0, 30))
  expect(errors()).toBe(0)
})

test('a successor that is late by some frames takes over at its next key frame, for which the picture waits', () => {
  const { prepare, send, switches, stamps, errors } = rig()
  prepare(0, 0)
  for (const frame of frames(0, 13)) send(0, frame, 0)
  prepare(1, 10)
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
  const { splicer, prepare, send, switches, stamps, errors } = rig()
  prepare(0, 0)
  for (const frame of frames(0, 20)) send(0, frame, 0)
  splicer.end(0)
  prepare(1, 25)
  for (const frame of frames(25, 10)) send(1, frame, 25)
  expect(switches).toEqual([0, 1])
  expect(stamps(pids.video)).toEqual([...frames(0, 20), ...frames(25, 10)])
  expect(errors()).toBe(0)
})

test('a successor that ends while it warms up leaves the active encoder on air', () => {
  const { splicer, prepare, send, switches, stamps, errors } = rig()
  prepare(0, 0)
  for (const frame of frames(0, 5)) send(0, frame, 0)
  prepare(1, 3)
  send(1, 3, 3)
  splicer.end(1)
  for (const frame of frames(5, 60)) send(0, frame, 0)
  expect(switches).toEqual([0])
  expect(stamps(pids.video)).toEqual(frames(0, 65))
  expect(errors()).toBe(0)
})

test('a successor that is later than the picture may wait does not hold it up, and takes over once it has caught up', () => {
  const { prepare, send, switches, stamps, errors } = rig()
  prepare(0, 0)
  for (const frame of frames(0, 10)) send(0, frame, 0)
  prepare(1, 5)
  for (const frame of frames(10, 60)) send(0, frame, 0)
  expect(switches).toEqual([0])
  expect(stamps(pids.video)).toEqual(frames(0, 65))
  for (const frame of frames(5, 65)) send(1, frame, 5)
  for (const frame of frames(70, 60)) {
    send(0, frame, 0)
    send(1, frame, 5)
  }
  expect(switches).toEqual([0, 1])
  expect(stamps(pids.video)).toEqual(frames(0, 130))
  expect(errors()).toBe(0)
})

test('sound of a successor that comes after the change, of a time that was on air, is left out', () => {
  const { prepare, send, switches, stamps, errors } = rig()
  prepare(0, 0)
  for (const frame of frames(0, 40)) send(0, frame, 0)
  prepare(1, 40)
  for (const frame of frames(40, 60)) {
    send(1, frame, 40, frame - 6)
    send(0, frame, 0)
  }
  expect(switches).toEqual([0, 1])
  expect(stamps(pids.audio)).toEqual(frames(0, 94))
  expect(errors()).toBe(0)
})

test('a successor whose sound begins too late leaves its key frame to the active encoder', () => {
  const { splicer, prepare, send, switches, stamps } = rig()
  prepare(0, 0)
  for (const frame of frames(0, 20)) send(0, frame, 0)
  prepare(1, 20)
  for (const frame of frames(20, 40)) {
    send(1, frame, 20, frame + 35)
    send(0, frame, 0)
  }
  expect(switches).toEqual([0])
  splicer.end(1)
  expect(stamps(pids.audio)).toEqual(frames(0, 60))
})

test.each([
  { title: 'earlier', activeLag: 1, successorLag: 0 },
  { title: 'later', activeLag: 0, successorLag: 3 },
])(
  'of two tracks of sound each passes once, also where the successor has the second one $title',
  ({ activeLag, successorLag }) => {
    const out: Buffer[] = []
    const switches: number[] = []
    const splicer = createSplicer(
      (packets) => out.push(Buffer.from(packets)),
      (id) => switches.push(id),
    )
    const encoders = [createTsBuilder({ audioTracks: 2 }), createTsBuilder({ audioTracks: 2 })]
    const firstFrames = [0, 10]
    const lags = [activeLag, successorLag]
    const send = (id: number, frame: number) => {
      const [build, firstFrame, lag] = [encoders[id]!, firstFrames[id]!, lags[id]!]
      const isKey = (frame - firstFrame) % 30 === 0
      const second = frame - lag
      splicer.push(
        id,
        Buffer.concat([
          ...(isKey ? [build.tables()] : []),
          build.audio(frame * frameTicks),
          ...(second >= firstFrame ? [build.audio(second * frameTicks, pids.secondAudio)] : []),
          build.video(frame * frameTicks, isKey),
        ]),
      )
    }
    splicer.prepare(0, () => false)
    for (const frame of frames(0, 10)) send(0, frame)
    splicer.prepare(1, (pts) => pts > 10 * frameTicks && (pts / frameTicks - 10) % 30 === 0)
    for (const frame of frames(10, 60)) {
      send(1, frame)
      send(0, frame)
    }
    expect(switches).toEqual([0, 1])
    const stream = Buffer.concat(out)
    const stampsOf = (pid: number) =>
      Array.from({ length: stream.length / packetBytes }, (_, at) => at * packetBytes)
        .flatMap((at) => (pidOf(stream, at) === pid ? (ptsOf(stream, at) ?? []) : []))
        .map((pts) => Math.floor(pts / frameTicks))
    expect(stampsOf(pids.audio)).toEqual(frames(0, 70))
    expect(stampsOf(pids.secondAudio)).toEqual(frames(0, 70 - successorLag))
    const check = createContinuityCheck()
    check.push(stream)
    expect(check.errors()).toBe(0)
  },
)
