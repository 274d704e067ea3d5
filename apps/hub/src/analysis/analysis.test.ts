import { createJpegSplitter } from '@backhaul/ffmpeg/jpeg-splitter'
import { createTsBuilder, pids } from '@backhaul/ffmpeg/testing/build-ts'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import { packetBytes, pidOf } from '@backhaul/ffmpeg/ts-packets'
import { expect, test } from 'vitest'
import { createMeasureParser, type PictureMeasure } from './measured-lines.ts'
import { createHealthJudge } from './picture-health.ts'
import { thinned } from './thinned.ts'

test('figures of sound and picture are told apart line by line', () => {
  const pictures: PictureMeasure[] = []
  const sounds: unknown[] = []
  const parser = createMeasureParser({
    onPicture: (measure) => pictures.push(measure),
    onLevels: (levels) => sounds.push(levels),
  })
  const lines = [
    'frame:0    pts:1920    pts_time:0.0213333',
    'lavfi.signalstats.YAVG=128.1',
    'lavfi.astats.1.Peak_level=-11.775338',
    'lavfi.signalstats.YHIGH=226',
    'lavfi.astats.1.RMS_level=-21.816033',
    'lavfi.astats.2.Peak_level=-inf',
    'lavfi.astats.2.RMS_level=-inf',
    'lavfi.signalstats.YDIF=3.72049',
    'lavfi.astats.1.Peak_level=-3.0',
  ]
  for (const line of lines) parser.push(line)
  expect(pictures).toEqual([{ averageBrightness: 128.1, highBrightness: 226, change: 3.72049 }])
  expect(sounds).toEqual([
    [
      { peakDb: -11.8, rmsDb: -21.8 },
      { peakDb: -100, rmsDb: -100 },
    ],
  ])
})

test('a picture is black at once, frozen and silent after five seconds, and recovers at once', () => {
  const judge = createHealthJudge()
  const lively = { averageBrightness: 120, highBrightness: 200, change: 4 }
  judge.picture(lively, 0)
  judge.levels([{ peakDb: -12, rmsDb: -20 }], 0)
  expect(judge.verdict(0)).toEqual({ black: false, frozen: false, silent: false })
  judge.picture({ averageBrightness: 1, highBrightness: 2, change: 0 }, 1000)
  expect(judge.verdict(1000).black).toBe(true)
  judge.picture(lively, 1500)
  judge.picture({ ...lively, change: 0.05 }, 2000)
  judge.levels([{ peakDb: -100, rmsDb: -100 }], 2000)
  expect(judge.verdict(6900)).toEqual({ black: false, frozen: false, silent: false })
  expect(judge.verdict(7000)).toEqual({ black: false, frozen: true, silent: true })
  judge.picture(lively, 7100)
  judge.levels([{ peakDb: -30, rmsDb: -40 }], 7100)
  expect(judge.verdict(7100)).toEqual({ black: false, frozen: false, silent: false })
})

test('a stream without sound is not called silent', () => {
  const judge = createHealthJudge()
  expect(judge.verdict(60_000).silent).toBe(false)
})

test('JPEG files are cut wherever the pieces break', () => {
  const files: Buffer[] = []
  const splitter = createJpegSplitter((jpeg) => files.push(jpeg))
  const file = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9])
  const bytes = Buffer.concat([file, file, file])
  for (let at = 0; at < bytes.length; at += 5) splitter.push(bytes.subarray(at, at + 5))
  expect(files).toEqual([file, file, file])
})

test('of a thinned stream the wanted key frames pass with what ends them, and all sound', () => {
  const builder = createTsBuilder()
  const bus = createTsBus()
  const seen: number[] = []
  let keyFrames = 0
  thinned(bus, (isKeyFrame) => isKeyFrame && ++keyFrames % 2 === 1).subscribe((packets) => {
    for (let at = 0; at < packets.length; at += packetBytes) seen.push(pidOf(packets, at))
  })
  const picture = (at: number) => [
    builder.video(at * 3600, at % 10 === 0),
    builder.more(pids.video),
    builder.audio(at * 3600),
  ]
  bus.push(
    Buffer.concat(
      [builder.tables(), ...Array.from({ length: 40 }, (_, at) => picture(at)), builder.tables()].flat(),
    ),
  )
  const count = (pid: number) => seen.filter((one) => one === pid).length
  // Two of four, with both of their packets, and the first packet of each of the two pictures behind them.
  expect(count(pids.video)).toBe(8)
  expect(count(pids.audio)).toBe(40)
})
