import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { feedChild } from './child-feed.ts'
import { createTsBuilder, pids } from './testing/build-ts.ts'
import { createTsBus } from './ts-bus.ts'
import { createContinuityCheck, packetBytes } from './ts-packets.ts'

const frameTicks = 3600

/** Tables, then `frames` pictures of which every tenth is a key frame. */
function stream(frames: number, builder = createTsBuilder()): Buffer {
  const units = Array.from({ length: frames }, (_, index) =>
    builder.video(index * frameTicks, index % 10 === 0),
  )
  return Buffer.concat([builder.tables(), ...units])
}

const encode = (codec: string, size: string, more: readonly string[] = []) =>
  execFileSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      `testsrc=size=${size}:rate=25`,
      '-frames:v',
      '30',
      '-c:v',
      codec,
      '-preset',
      'ultrafast',
      ...more,
      '-f',
      'mpegts',
      'pipe:1',
    ],
    { maxBuffer: 64 << 20 },
  )

test('a reader begins with the tables and the newest key frame', () => {
  const bus = createTsBus()
  bus.push(stream(25))
  const pieces: [Buffer, boolean][] = []
  bus.subscribe((packets, startsAtKeyFrame) => pieces.push([packets, startsAtKeyFrame]))
  expect(pieces.map(([packets, startsAtKey]) => [packets.length / packetBytes, startsAtKey])).toEqual([
    [2, false],
    [5, true],
  ])
})

test('the counters of the tables continue without a break, wherever a reader begins', () => {
  const bus = createTsBus()
  const builder = createTsBuilder()
  const frame = (at: number) => [
    ...(at % 3 === 0 ? [builder.tables()] : []),
    builder.video(at, at % 10 === 0),
  ]
  const pushFrames = (from: number, to: number) =>
    bus.push(Buffer.concat(Array.from({ length: to - from }, (_, at) => frame(from + at)).flat()))
  const errorsOf = (fromNext: boolean) => {
    const check = createContinuityCheck()
    bus.subscribe((packets) => check.push(packets), { fromNext })
    return check.errors
  }
  pushFrames(0, 28)
  const errors = [errorsOf(false), errorsOf(true)]
  pushFrames(28, 60)
  expect(errors.map((read) => read())).toEqual([0, 0])
})

test('a reader that wants the next key frame gets nothing before it', () => {
  const bus = createTsBus()
  const builder = createTsBuilder()
  bus.push(stream(15, builder))
  const keys: boolean[] = []
  bus.subscribe((_packets, startsAtKeyFrame) => keys.push(startsAtKeyFrame), { fromNext: true })
  bus.push(builder.video(15 * frameTicks, false))
  expect(keys).toEqual([])
  bus.push(builder.video(16 * frameTicks, true))
  expect(keys).toEqual([false, true])
})

test('a reader that throws is dropped and the others continue', () => {
  const failures: unknown[] = []
  const bus = createTsBus({ onReaderFailed: (error) => failures.push(error) })
  bus.subscribe(() => {
    throw new Error('broken')
  })
  let packets = 0
  bus.subscribe((piece) => {
    packets += piece.length / packetBytes
  })
  bus.push(stream(20))
  expect(failures).toHaveLength(1)
  expect(packets).toBe(22)
})

test('lost packets are counted, and a reset starts the count again', () => {
  const bus = createTsBus()
  const builder = createTsBuilder()
  bus.push(stream(12, builder))
  builder.more(pids.video)
  bus.push(builder.video(13 * frameTicks, false))
  expect(bus.continuityErrors()).toBe(1)
  expect(bus.hasKeyFrame()).toBe(true)
  bus.reset()
  expect([bus.continuityErrors(), bus.hasKeyFrame(), bus.picture()]).toEqual([0, false, undefined])
})

test('size, rate and order of frames are read from H.264', () => {
  const bus = createTsBus()
  bus.push(encode('libx264', '854x480', ['-tune', 'zerolatency']))
  expect(bus.picture()).toMatchObject({ codec: 'h264', width: 854, height: 480, fps: 25, isReordered: false })
  const reordered = createTsBus()
  reordered.push(encode('libx264', '1920x1080', ['-bf', '2', '-pix_fmt', 'yuv422p']))
  expect(reordered.picture()).toMatchObject({
    width: 1920,
    height: 1080,
    isReordered: true,
    isPlainSampling: false,
  })
})

test('the rate of frames in another order is steady', () => {
  const bytes = encode('libx264', '320x180', ['-frames:v', '120', '-bf', '3', '-x264-params', 'keyint=50'])
  const bus = createTsBus()
  const rates = new Set<number | undefined>()
  for (let at = 0; at < bytes.length; at += packetBytes) {
    bus.push(bytes.subarray(at, at + packetBytes))
    if (at > bytes.length / 4) rates.add(bus.picture()?.fps)
  }
  expect([...rates]).toEqual([25])
})

const named = (format: string, primaries: string, transfer: string, matrix: string) => [
  '-vf',
  `format=${format},setparams=color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`,
]
const x265 = (...more: string[]) => ['-x265-params', ['log-level=error', ...more].join(':')]

test.for([
  ['H.264 that names none', 'libx264', ['-pix_fmt', 'yuv420p'], undefined],
  ['H.264 of BT.601', 'libx264', named('yuv420p', 'bt470bg', 'smpte170m', 'bt470bg'), [5, 6, 5]],
  ['H.264 of HLG', 'libx264', named('yuv420p10le', 'bt2020', 'arib-std-b67', 'bt2020nc'), [9, 18, 9]],
  ['H.265 that names none', 'libx265', ['-pix_fmt', 'yuv420p', ...x265()], undefined],
  ['H.265 of BT.709', 'libx265', [...named('yuv420p', 'bt709', 'bt709', 'bt709'), ...x265()], [1, 1, 1]],
  [
    'H.265 of PQ, with layers, scaling lists and an aspect ratio',
    'libx265',
    [
      ...named('yuv420p10le', 'bt2020', 'smpte2084', 'bt2020nc'),
      ...x265('temporal-layers=1', 'scaling-list=default', 'sar=2', 'overscan=show'),
    ],
    [9, 16, 9],
  ],
  [
    'H.265 of HLG that other receivers show as SDR',
    'libx265',
    [...named('yuv420p10le', 'bt2020', 'bt2020-10', 'bt2020nc'), ...x265('atc-sei=18')],
    [9, 18, 9],
  ],
] as const)('the colours are those that the stream names: %s', ([, codec, more, codes]) => {
  const bus = createTsBus()
  bus.push(encode(codec, '320x180', more))
  const colours = bus.picture()?.colours
  expect(bus.picture()).toMatchObject({ width: 320, height: 180 })
  expect(colours && [colours.primaries, colours.transfer, colours.matrix]).toEqual(codes)
})

test('size and rate are read from H.265', () => {
  const bus = createTsBus()
  bus.push(encode('libx265', '1280x720', ['-pix_fmt', 'yuv420p', '-x265-params', 'log-level=error']))
  expect(bus.picture()).toMatchObject({
    codec: 'h265',
    width: 1280,
    height: 720,
    fps: 25,
    isPlainSampling: true,
  })
})

test('a child that falls behind continues with a whole group of pictures', () => {
  const bus = createTsBus()
  const builder = createTsBuilder()
  const written: Buffer[] = []
  let room = true
  let behind = 0
  const end = feedChild({
    bus,
    child: {
      write(packets) {
        if (room) written.push(Buffer.from(packets))
        return room
      },
      backlogBytes: () => (room ? 0 : 1),
    },
    onBehind: () => behind++,
  })
  bus.push(stream(12, builder))
  room = false
  bus.push(builder.video(12 * frameTicks, false))
  bus.push(builder.video(13 * frameTicks, false))
  room = true
  const before = written.length
  bus.push(builder.video(14 * frameTicks, false))
  expect(written).toHaveLength(before)
  bus.push(builder.video(20 * frameTicks, true))
  expect(written).toHaveLength(before + 1)
  expect(behind).toBe(3)
  end()
  const check = createContinuityCheck()
  check.push(Buffer.concat(written))
  expect(check.errors()).toBe(1)
})
