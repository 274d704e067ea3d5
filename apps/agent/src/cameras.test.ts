// Several cameras of one real unit, each a file of one colour with noise, which fills any rate; the output of the receivers is decoded and checked.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReceiver } from '@backhaul/bonding/receiver'
import type { WantedFeed, WantedTransmission } from '@backhaul/contract/gateway/units'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { findFfmpeg, probeFfmpeg } from '@backhaul/ffmpeg/find'
import { readTimeUnit } from '@backhaul/ffmpeg/frame-times'
import { probePicture } from '@backhaul/ffmpeg/probe-picture'
import { servePicture } from '@backhaul/ffmpeg/testing/picture-server'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CameraSocket, CameraSockets } from './cameras.ts'
import { explicitInterfaces } from './hardware/interfaces.ts'
import { openPortAssignments } from './hardware/port-assignments.ts'
import { createRealUnit } from './real-unit.ts'
import { withScript } from './source-script.ts'

const ffmpegPath = findFfmpeg()
const key = Buffer.alloc(32, 5)
const folder = mkdtempSync(join(tmpdir(), 'backhaul-cameras-'))
const colours = ['red', 'lime', 'blue'] as const
const picture = { width: 320, height: 180, framesPerSecond: 30 }
const fileOf = (colour: string) => join(folder, `${colour}.mkv`)

beforeAll(() => {
  for (const colour of colours)
    ffmpeg(
      `-f lavfi -i color=${colour}:size=320x180:rate=30:duration=2,noise=alls=50:allf=t`,
      `-f lavfi -i sine=duration=2 -c:v libx264 -preset ultrafast -g 30 -c:a aac ${fileOf(colour)}`,
    )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** Words of the command line, none of which holds a space. */
function ffmpeg(...words: string[]): void {
  spawnSync(ffmpegPath!, ['-v', 'error', '-y', ...words.flatMap((text) => text.split(' '))])
}

const filesBelow = (below: string): string[] =>
  readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

const socketOf = (colour: string): CameraSocket => ({
  source: { kind: 'file', path: fileOf(colour) },
  picture,
  clockStyle: undefined,
})

function createUnit(
  settings: UnitSettings = {},
  sockets: CameraSockets = [socketOf('red'), socketOf('lime'), socketOf('blue')],
  codec: 'h264' | 'h265' = 'h264',
) {
  const log = createLog({ name: 'test', format: 'json', level: 'silent' })
  const unit = createRealUnit({
    mediaFolder: folder,
    clock: systemClock,
    log,
    scanInterfaces: () => explicitInterfaces(['127.0.0.2', '127.0.0.3']),
    portAssignments: openPortAssignments(join(folder, 'links.json'), log),
    dataCountsPath: join(folder, 'link-data.json'),
    position: { current: () => null, close: () => {} },
    capabilities: { hevc: codec === 'h265', tenBitHdr: codec === 'h265' },
    logs: () => '',
    encoderFault: undefined,
    limits: { lowestKbps: 250, highestKbps: 1500, audioKbps: 96 },
    encoder: { ffmpegPath: ffmpegPath!, codec },
    cameras: sockets,
    openUrl: (url) => withScript({ kind: 'url', url }, 'ip', folder),
    restart: () => {},
  })
  cleanUps.push(() => unit.close())
  void unit.applySettings(settings)
  return unit
}

/** A channel of a hub: what it received last, as colours of the picture, row by row. */
async function openChannel(sessionId: string) {
  const receiver = await createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 400, sessionId, key })
  cleanUps.push(() => receiver.close())
  let received: Uint8Array[] = []
  receiver.onData((payload) => received.push(Uint8Array.from(payload)))
  const decode = (size: number) => {
    const words = `-v quiet -f mpegts -i pipe:0 -an -vf format=rgb24,scale=${size}:${size}:flags=area`
    const args = `${words} -f rawvideo -pix_fmt rgb24 pipe:1`.split(' ')
    const raw = spawnSync(ffmpegPath!, args, { input: Buffer.concat(received), maxBuffer: 1e9 }).stdout
    const last = raw.subarray(-3 * size * size)
    return Array.from({ length: last.length / 3 }, (_, at) => colourOf(last.subarray(at * 3, at * 3 + 3)))
  }
  /** The description by ffmpeg of the data received from now on. */
  async function described() {
    received = []
    await until(() => Buffer.concat(received).length > 120_000)
    const input = Buffer.concat(received)
    return spawnSync(ffmpegPath!, ['-f', 'mpegts', '-i', 'pipe:0'], { input, encoding: 'utf8' }).stderr
  }
  return {
    target: { host: '127.0.0.1', port: receiver.port },
    kbps: () => receiver.stats().links.reduce((sum, link) => sum + link.kbps, 0),
    described,
    /** The name of the stream as shown by a receiver. */
    name: async () => /service_name\s*: (.*)/.exec(await described())?.[1],
    /** The times of the frames in what comes from now on, in milliseconds since 1970. */
    async times() {
      received = []
      await until(() => Buffer.concat(received).length > 120_000)
      const stream = Buffer.concat(received)
      const starts = [...stream.toString('latin1').matchAll(/MISPmicrosectime/g)].map(({ index }) => index)
      return starts.map((at) => readTimeUnit(stream.subarray(at, at + 40)) ?? 0)
    },
    /** The colour of the newest picture in the data since the last call. */
    async shows(size = 1) {
      received = []
      await until(() => Buffer.concat(received).length > 120_000)
      return decode(size)
    },
  }
}

function colourOf([red = 0, green = 0, blue = 0]: Uint8Array): string {
  if (Math.max(red, green, blue) < 60) return 'black'
  return red > green && red > blue ? 'red' : green > blue ? 'lime' : 'blue'
}

type Channel = Awaited<ReturnType<typeof openChannel>>

const wanted = (
  id: string,
  { target }: Channel,
  rest: Pick<WantedTransmission, 'activity' | 'feeds'>,
): WantedTransmission => ({ id, channelId: 'one', key: key.toString('base64'), targets: [target], ...rest })

const feedTo = (camera: number | null, { target }: Channel): WantedFeed => ({
  camera,
  channelId: `channel of ${camera}`,
  key: key.toString('base64'),
  targets: [target],
})

const never = new AbortController().signal

describe.runIf(ffmpegPath)('the cameras of a real unit', () => {
  test('each is sent to a channel of its own, and a limit cuts those of lower priority', async () => {
    const [one, two, three] = await Promise.all(['all', 'all', 'all'].map(openChannel))
    const unit = createUnit({ cameraMode: 'highQuality' })
    expect(unit.facts().cameras?.map(({ connected, height }) => [connected, height])).toEqual([
      [true, 180],
      [true, 180],
      [true, 180],
    ])
    const feeds = [feedTo(2, two!), feedTo(3, three!)]
    await unit.startTransmission(wanted('all', one!, { activity: 'multiCamera', feeds }), 400, never)
    expect(await Promise.all([one!.shows(), two!.shows(), three!.shows()])).toEqual([
      ['red'],
      ['lime'],
      ['blue'],
    ])
    await until(() => unit.sample().links.every(({ up, kbps }) => up && kbps > 100))
    await unit.applySettings({ multiCameraLabels: ['Goal', 'Bench'] })
    await until(async () => (await two!.name()) === 'Bench')
    expect(await one!.name()).toBe('Goal')
    await unit.applySettings({ totalLimitKbps: 3000, cameraPriorities: [1, 9, 9] })
    await until(() => one!.kbps() > 1000 && two!.kbps() < 800 && three!.kbps() < 800)
    await expect(unit.applySettings({ cameraMode: 'single' })).rejects.toThrow('mode')
    await unit.stopTransmission()
  })

  test('the switcher shows the camera that is chosen, on air, and all of them on the second channel', async () => {
    const [main, proxy] = await Promise.all(['switched', 'switched'].map(openChannel))
    const unit = createUnit({ cameraMode: 'switcherAndProxy', cameraInput: 2 })
    const feeds = [feedTo(null, proxy!)]
    await unit.startTransmission(
      wanted('switched', main!, { activity: 'switcherAndProxy', feeds }),
      400,
      never,
    )
    expect(await main!.shows()).toEqual(['lime'])
    await unit.applySettings({ cameraInput: 3 })
    await until(async () => (await main!.shows()).includes('blue'))
    await unit.applySettings({ cameraInput: 1 })
    await until(async () => (await main!.shows()).includes('red'))
    expect(await proxy!.shows(2)).toEqual(['red', 'lime', 'blue', 'black'])
    await unit.stopTransmission()
  })

  test('store and forward records the one that the switcher showed at its start, and the first one without a switcher', async () => {
    const unit = createUnit({ cameraMode: 'switcher', cameraInput: 2 })
    const bytesRecorded = () =>
      filesBelow(join(folder, '.recording')).reduce((sum, path) => sum + statSync(path).size, 0)
    /** The colour of the last picture in the file. */
    async function recorded(filenamePrefix: string): Promise<string> {
      await unit.applySettings({ filenamePrefix, sendMode: 'storeAndForward' })
      await until(() => bytesRecorded() > 100_000)
      await unit.applySettings({ cameraInput: 3 })
      const before = bytesRecorded()
      await until(() => bytesRecorded() > before + 100_000)
      await unit.applySettings({ sendMode: 'live' })
      const path = filesBelow(folder).find((one) => one.includes(`/${filenamePrefix}`))
      const words = `-v quiet -i ${path} -an -vf format=rgb24,scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 pipe:1`
      return colourOf(spawnSync(ffmpegPath!, words.split(' '), { maxBuffer: 1e9 }).stdout.subarray(-3))
    }
    expect(await recorded('shown-')).toBe('lime')
    await unit.applySettings({ cameraMode: 'single' })
    expect(await recorded('first-')).toBe('red')
  })

  test('frames carry the time of day while that is set, from the next picture group on', async () => {
    const channel = await openChannel('timed')
    const unit = createUnit()
    await unit.startTransmission(wanted('timed', channel, {}), 400, never)
    expect(await channel.times()).toEqual([])
    await unit.applySettings({ ntp: true })
    await until(async () => (await channel.times()).length > 10)
    const times = await channel.times()
    expect(Math.abs(Date.now() - times.at(-1)!)).toBeLessThan(60_000)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    await unit.applySettings({ ntp: false })
    await until(async () => (await channel.times()).length === 0)
    await unit.stopTransmission()
  })

  test('the first one is replaced by what comes over the network, by MPEG-TS, SRT, RTMP and RTSP, on air, and is back when that is switched off', async () => {
    const channel = await openChannel('ip')
    const unit = createUnit()
    await unit.startTransmission(wanted('ip', channel, {}), 400, never)
    expect(await channel.shows()).toEqual(['red'])
    const inputs = [
      ['mpegts', 'blue'],
      ['srt', 'lime'],
      ['rtmp', 'blue'],
      ['rtsp', 'lime'],
    ] as const
    for (const [protocol, colour] of inputs) {
      const server = await servePicture(ffmpegPath!, fileOf(colour), protocol)
      cleanUps.push(server.stop)
      const { port, path } = server
      await unit.applySettings({ ipInput: { protocol, url: `127.0.0.1${path}`, port, enabled: true } })
      await until(async () => (await channel.shows()).includes(colour), 60_000)
      expect(unit.facts().camera, protocol).toMatchObject({ kind: 'url', connected: true })
    }
    const ipInput = { protocol: 'rtsp', url: '127.0.0.1', port: 554, enabled: false } as const
    await unit.applySettings({ ipInput })
    await until(async () => (await channel.shows()).includes('red'), 60_000)
    expect(unit.facts().camera).toMatchObject({ kind: 'file' })
  })
})

const hasTenBits = ffmpegPath !== undefined && (await probeFfmpeg(ffmpegPath, ['tenBits'])).tenBits

describe.runIf(hasTenBits)('10 bits and HDR', () => {
  const hlg = { matrix: 'bt2020nc', primaries: 'bt2020', transfer: 'arib-std-b67' }

  test('are in what an encoder of H.265 sends and records, from the next start on, with the colours of the source', async () => {
    const hdrFile = fileOf('hdr')
    ffmpeg(
      '-f lavfi -i color=red:size=320x180:rate=30:duration=2,noise=alls=50:allf=t,format=yuv420p10le',
      '-f lavfi -i sine=duration=2 -c:v libx265 -preset ultrafast -x265-params log-level=error',
      `-color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc ${hdrFile}`,
    )
    const seen = await probePicture(ffmpegPath!, { kind: 'file', path: hdrFile })
    expect(seen).toEqual({ ...picture, colours: hlg })
    const hdr: CameraSocket = { ...socketOf('hdr'), picture: seen! }
    const unit = createUnit({ cameraMode: 'switcherAndProxy' }, [hdr, socketOf('lime')], 'h265')
    expect(unit.facts().settings).toMatchObject({ colorDepth: '8-bit' })
    const [main, proxy] = await Promise.all(['deep', 'deep'].map(openChannel))
    const start = async () =>
      await unit.startTransmission(
        wanted('deep', main!, { activity: 'switcherAndProxy', feeds: [feedTo(null, proxy!)] }),
        400,
        never,
      )
    await start()
    expect(await main!.described()).toMatch(/Video: hevc \(Main\).*yuv420p\(/)
    await expect(unit.applySettings({ colorDepth: '10-bit/HDR' })).rejects.toThrow(
      'The color depth cannot be changed while the unit transmits or records.',
    )
    await unit.stopTransmission()
    await unit.applySettings({ colorDepth: '10-bit/HDR' })
    await start()
    expect(await main!.described()).toMatch(
      /Video: hevc \(Main 10\).*yuv420p10le\(tv, bt2020nc\/bt2020\/arib-std-b67/,
    )
    expect((await proxy!.shows(4)).slice(4, 8)).toEqual(['red', 'red', 'lime', 'lime'])
    await unit.applySettings({ cameraInput: 2 })
    await until(async () => (await main!.shows()).includes('lime'))
    await unit.stopTransmission()
    const encoder = { storeAndForwardEncoder: 'H.265/HEVC', sendMode: 'storeAndForward' } as const
    await unit.applySettings(encoder)
    await expect(unit.applySettings({ colorDepth: '8-bit' })).rejects.toThrow('while the unit transmits')
    await unit.applySettings({ sendMode: 'live' })
  })
})

test.runIf(ffmpegPath)(
  'size and rate are those of the source, and unknown of one that gives nothing',
  async () => {
    expect(await probePicture(ffmpegPath!, { kind: 'file', path: fileOf('red') })).toEqual(picture)
    expect(await probePicture(ffmpegPath!, { kind: 'file', path: join(folder, 'none.mkv') })).toBeUndefined()
  },
)
