// The sound that ffmpeg gives of a source for 2 to 16 channels, found by the tone of each channel.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { captureArguments, encodeCapturedArguments, recordCapturedArguments } from './encode-arguments.ts'
import { findFfmpeg } from './find.ts'
import { probeSource } from './probe-picture.ts'
import { runFfmpeg } from './run.ts'
import { fittingChannels, saysTrackMissing, soundBytesOf } from './sound-arguments.ts'
import { parseSource, type Source, soundChannelsOf, withTracks } from './sources.ts'
import { makeTones, tonesInSound, tonesOf } from './testing/tones.ts'

const ffmpegPath = findFfmpeg()
const picture = { width: 160, height: 90, framesPerSecond: 25 }
const file = { kind: 'file', path: 'a.mkv' } as const
const encoding = {
  codec: 'h264',
  picture,
  videoKbps: 500,
  audioKbps: 96,
  effort: 'ultrafast',
  label: '',
  provider: '',
} as const

function newFilm(tracks: readonly number[]): Source & { kind: 'file' } {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-tones-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'tones.mkv')
  makeTones(ffmpegPath!, path, tracks)
  return { kind: 'file', path }
}

/** The tones in two seconds of what is captured. */
async function captured(source: Source, channels: number): Promise<number[]> {
  const enough = 2 * soundBytesOf(channels)
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const pieces: Buffer[] = []
  const child = runFfmpeg({
    path: ffmpegPath!,
    args: captureArguments(source, picture, undefined, true, channels),
    sidePipe: {
      onData(chunk) {
        pieces.push(chunk)
        if (pieces.reduce((sum, { length }) => sum + length, 0) >= enough) resolve(Buffer.concat(pieces))
      },
    },
    onStdout() {},
  })
  onTestFinished(() => child.stop())
  return tonesInSound(await promise, channels)
}

test('two channels are the first track as ffmpeg mixes it down, in one track', () => {
  const source = withTracks(file, [8, 2])
  const usual = '-map 0:a:0? -ar 48000 -ac 2 -f s16le -flush_packets 1 pipe:3'
  expect(captureArguments(source, picture).join(' ')).toContain(usual)
  expect(captureArguments(source, picture, undefined, true, 2)).toEqual(captureArguments(file, picture))
  const two = { ...encoding, audioChannels: 2 }
  expect(encodeCapturedArguments(picture, two)).toEqual(encodeCapturedArguments(picture, encoding))
  const recording = { ...encoding, path: '/a.mp4', labels: {} }
  expect(recordCapturedArguments(picture, { ...recording, audioChannels: 2 })).toEqual(
    recordCapturedArguments(picture, recording),
  )
})

test('what a source gives is known by its tracks, and of a microphone by what the operator says', () => {
  const counts = [2, 4, 8, 16] as const
  const fitting = (source: Source) => [soundChannelsOf(source), fittingChannels(source, counts)]
  expect(fitting(file)).toEqual([2, 2])
  expect(fitting(withTracks(file, [1]))).toEqual([1, 2])
  expect(fitting(withTracks(file, [2, 2, 2]))).toEqual([6, 8])
  expect(fitting(withTracks(file, [24]))).toEqual([24, 16])
  expect(fitting({ kind: 'testPattern' })).toEqual([16, 16])
  const camera = parseSource('/dev/video0,hw:1,0,8ch')
  expect(camera).toEqual({
    kind: 'camera',
    device: '/dev/video0',
    microphone: 'hw:1,0',
    microphoneChannels: 8,
  })
  expect(fitting(camera)).toEqual([8, 8])
  expect(captureArguments(camera, picture).join(' ')).toContain('-channels 8 -i hw:1,0')
  expect(captureArguments(camera, picture).join(' ')).toContain('pan=2c|c0=c0|c1=c1')
})

test('a message about a track that is not there is known from one about a picture', () => {
  const about = (specifier: string) =>
    `Stream specifier '${specifier}' in filtergraph description X matches no streams.`
  expect([':a:3', 'a:3', ':v:0', 'v:0'].map((one) => saysTrackMissing(about(one)))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test.runIf(ffmpegPath)(
  'the channels of one track keep their order, regardless of the name of their layout',
  async () => {
    const film = newFilm([8])
    const { tracks } = await probeSource(ffmpegPath!, film)
    expect(tracks).toEqual([8])
    expect(await captured(withTracks(film, tracks), 8)).toEqual(tonesOf(8))
    expect(await captured(withTracks(film, tracks), 4)).toEqual(tonesOf(4))
  },
)

test.runIf(ffmpegPath)('several tracks follow each other, and what is missing is silent', async () => {
  const film = newFilm([1, 2, 4])
  const { tracks } = await probeSource(ffmpegPath!, film)
  expect(tracks).toEqual([1, 2, 4])
  expect(await captured(withTracks(film, tracks), 8)).toEqual([...tonesOf(7), 0])
  // Its tracks are not known: the first is taken, as stereo.
  expect(await captured(film, 4)).toEqual([220, 220, 0, 0])
})

test.runIf(ffmpegPath)('the test pattern has a tone on each of 16 channels', async () => {
  expect(await captured({ kind: 'testPattern' }, 16)).toEqual(tonesOf(16))
})
