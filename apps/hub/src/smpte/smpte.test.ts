// A channel in the networks of a studio: what another program receives by the description that the hub writes.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SmpteServer, SmpteStreams } from '@backhaul/contract/nouns/smpte'
import { findFfmpeg, probeFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs, until } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningHub, runHub, type Sender, sendByFfmpeg, wantedChannel } from '../testing/running-hub.ts'
import { receivePicture, receiveSound } from '../testing/st2110-receiver.ts'
import { exactRate, smpteDescription } from './smpte-streams.ts'

const ffmpegPath = findFfmpeg()
const hasTenBits = ffmpegPath !== undefined && (await probeFfmpeg(ffmpegPath, ['tenBits'])).tenBits
const longMs = patientMs(90_000)
const side = (address: string) => ({ address, subnetMask: '255.0.0.0', gateway: '' })
const lastUpdate = '2026-11-21T10:00:00.000Z'
const networks = (first: string, second?: string): SmpteServer => ({
  lastUpdate,
  configuration: { ptpDomain: 127, primary: side(first), secondary: second ? side(second) : null },
})
/** Groups and ports of this process alone. */
const group = `239.${100 + (process.pid % 100)}.${(process.pid >> 8) % 250}`
const port = 20_000 + 2 * (process.pid % 10_000)
const streams: SmpteStreams = {
  flavor: 'ST 2110-20',
  video: { address: `${group}.1`, port },
  audio: { address: `${group}.2`, port },
  audio2: { address: `${group}.2`, port: port + 2 },
  ancillary: null,
}
const highest = (samples: Iterable<number>) =>
  Iterator.from(samples).reduce((most, sample) => Math.max(most, sample), 0)
const lowest = (samples: Iterable<number>) =>
  Iterator.from(samples).reduce((least, sample) => Math.min(least, sample), Number.POSITIVE_INFINITY)
const picture = { width: 640, height: 360, fps: 25 }

test('the description names both networks and the exact rate, and no pace that the sender does not keep', () => {
  expect([25, 29.97, 59.94, 50].map(exactRate)).toEqual(['25', '30000/1001', '60000/1001', '50'])
  const { configuration } = networks('10.1.1.20', '10.2.1.20')
  const text = smpteDescription('Harbour\nLive', { networks: configuration, streams }, picture, 8)
  expect(text.split('\r\n').slice(0, 5)).toEqual([
    'v=0',
    'o=- 1 1 IN IP4 10.1.1.20',
    's=Harbour Live',
    't=0 0',
    'a=group:DUP video-primary video-secondary',
  ])
  expect(text.match(/^m=.*$/gm)).toEqual([
    `m=video ${port} RTP/AVP 96`,
    `m=video ${port} RTP/AVP 96`,
    `m=audio ${port} RTP/AVP 97`,
    `m=audio ${port} RTP/AVP 97`,
    `m=audio ${port + 2} RTP/AVP 97`,
    `m=audio ${port + 2} RTP/AVP 97`,
  ])
  expect(text.match(/^a=rtpmap:97 .*$/gm)).toEqual(Array(4).fill('a=rtpmap:97 L24/48000/8'))
  expect(text.match(/^a=(group|mid):.*audio-2.*$/gm)).toEqual([
    'a=group:DUP audio-2-primary audio-2-secondary',
    'a=mid:audio-2-primary',
    'a=mid:audio-2-secondary',
  ])
  expect(text).toContain(`a=source-filter: incl IN IP4 ${group}.1 10.2.1.20`)
  expect(text).toContain(
    'a=fmtp:96 sampling=YCbCr-4:2:2; width=640; height=360; exactframerate=25; depth=10; TCS=SDR; colorimetry=BT709; PM=2110GPM; SSN=ST2110-20:2017\r\n',
  )
})

test.for([
  [undefined, 'TCS=SDR; colorimetry=BT709'],
  [[1, 1, 1], 'TCS=SDR; colorimetry=BT709'],
  [[5, 6, 6], 'TCS=SDR; colorimetry=BT601'],
  [[9, 14, 9], 'TCS=SDR; colorimetry=BT2020'],
  [[9, 16, 9], 'TCS=PQ; colorimetry=BT2100'],
  [[9, 18, 9], 'TCS=HLG; colorimetry=BT2100'],
  [[2, 16, 2], 'TCS=PQ; colorimetry=BT2100'],
  [[1, 8, 9], 'TCS=UNSPECIFIED; colorimetry=UNSPECIFIED'],
] as const)('of primaries, transfer and matrix %j the description contains %s', ([codes, words]) => {
  const colours = codes && { primaries: codes[0], transfer: codes[1], matrix: codes[2] }
  const { configuration } = networks('10.1.1.20')
  expect(
    smpteDescription('Live', { networks: configuration, streams }, { ...picture, colours }, 1),
  ).toContain(`; ${words}; PM=2110GPM`)
})

describe.runIf(ffmpegPath)('SMPTE 2110 of a hub', () => {
  let hub: RunningHub
  let sender: Sender
  const apply = (smpte: SmpteServer | undefined) =>
    hub.hardware.apply(
      {
        channels: [wantedChannel('srt-1', { smpte: { lastUpdate, configuration: streams } })],
        ...(smpte && { smpte }),
      },
      new AbortController().signal,
    )
  const state = () => hub.channel('channel-of-srt-1')?.outputs.find(({ id }) => id === 'smpte')
  const description = () => join(hub.folder, 'sdp', 'srt-1.sdp')

  beforeAll(async () => {
    hub = await runHub({ bonded: 0, inputs: ['srt'], smpte: true })
    await apply(networks('127.0.0.1'))
    sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
  }, longMs)
  afterAll(async () => {
    await sender?.stop()
    await hub?.stop()
  })

  /** The stream as decoded by another program, by the description. */
  async function received(words: string): Promise<Buffer> {
    const args = `-v error -protocol_whitelist file,udp,rtp -localaddr 127.0.0.1 -buffer_size 4194304 -i ${description()} ${words} pipe:1`
    const receiver = spawn(ffmpegPath!, args.split(' '), { stdio: ['ignore', 'pipe', 'inherit'] })
    const parts: Buffer[] = []
    receiver.stdout.on('data', (part: Buffer) => parts.push(part))
    const ended = new Promise((resolve) => receiver.once('exit', resolve))
    const timer = setTimeout(() => receiver.kill('SIGKILL'), longMs)
    await ended
    clearTimeout(timer)
    return Buffer.concat(parts)
  }

  test(
    'another program gets pictures of 10 bit and 4:2:2, and the tone',
    async () => {
      await until(() => state()?.state === 'sending', longMs)
      expect(readFileSync(description(), 'utf8')).toContain('width=640; height=360; exactframerate=25')
      const frame = await received('-an -frames:v 1 -f rawvideo -pix_fmt yuv422p10le')
      expect(frame.length).toBe(picture.width * picture.height * 4)
      // The test pattern has all colours: its samples use the range of 10 bit.
      const samples = new Uint16Array(frame.buffer, frame.byteOffset, frame.length / 2)
      expect(highest(samples.subarray(0, picture.width * picture.height))).toBeGreaterThan(700)
      const sound = await received('-vn -t 1 -ac 1 -ar 8000 -f s16le')
      const loudest = highest(new Int16Array(sound.buffer, sound.byteOffset, sound.length / 2))
      expect(loudest).toBeGreaterThan(1000)
      // Each packet has one millisecond of two channels.
      const packets = await receiveSound(streams.audio!, 100, longMs)
      expect(packets.map(({ length }) => length)).toEqual(Array(100).fill(2 * 48))
      expect(highest(packets.flatMap((samples) => [...samples])) / 2 ** 23).toBeGreaterThan(0.03)
    },
    3 * longMs,
  )

  test(
    'an address that the machine does not have is the reason that is reported, and without networks nothing is sent',
    async () => {
      await apply(networks('10.255.255.254'))
      await until(() => state()?.state === 'failed', longMs)
      expect(state()?.reason).toBeTruthy()
      await apply(undefined)
      await until(() => state() === undefined, longMs)
      expect(existsSync(description())).toBe(false)
      await apply(networks('127.0.0.1'))
      await until(() => state()?.state === 'sending', longMs)
    },
    3 * longMs,
  )

  /** Another picture comes in. */
  async function send(...coding: string[]): Promise<void> {
    sender.stop()
    await until(() => state() === undefined, longMs)
    const coder = '-c:v libx264 -preset ultrafast -tune zerolatency -g 25'.split(' ')
    sender = sendByFfmpeg([...coder, ...coding, '-f', 'mpegts', hub.inputUrl('srt-1')])
    await until(() => state()?.state === 'sending', longMs)
  }

  /** The mean of each plane. The receiver joins in the middle of a picture: the newest of several is whole. */
  async function receivedColour(): Promise<number[]> {
    const frames = await received('-an -frames:v 5 -f rawvideo -pix_fmt yuv422p10le')
    const size = picture.width * picture.height
    const samples = new Uint16Array(frames.buffer, frames.byteOffset, frames.length / 2).subarray(-2 * size)
    const planes = [
      samples.subarray(0, size),
      samples.subarray(size, 1.5 * size),
      samples.subarray(1.5 * size),
    ]
    return planes.map((plane) => plane.reduce((sum, sample) => sum + sample, 0) / plane.length)
  }

  /** On a busy machine packets of a burst are lost. */
  const isReceived = (colour: readonly number[]) =>
    until(async () => {
      const planes = await receivedColour()
      return colour.every((sample, at) => Math.abs(sample - (planes[at] ?? 0)) < 5)
    }, longMs)

  test(
    'a picture whose frames are stored in another order is sent without a new start',
    async () => {
      await send('-profile:v', 'main', '-bf', '3')
      const starts = new Set<number | undefined>()
      const endMs = performance.now() + 8000
      while (performance.now() < endMs) {
        starts.add(state()?.since)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect([...starts]).toEqual([state()?.since])
    },
    3 * longMs,
  )

  test.runIf(hasTenBits)(
    'a picture of HDR keeps its samples, and the description names its colours',
    async () => {
      const filters = [
        'format=yuv420p10le',
        'lutyuv=y=700:u=400:v=600',
        'setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc',
      ]
      const coder = ['-c:v', 'libx265', '-profile:v', 'main10', '-x265-params', 'log-level=error']
      await send('-vf', filters.join(), ...coder)
      expect(readFileSync(description(), 'utf8')).toContain('; depth=10; TCS=PQ; colorimetry=BT2100; ')
      await isReceived([700, 400, 600])
      const { y, cb, cr } = await receivePicture(streams.video!, picture, longMs)
      for (const [plane, sample] of [
        [y, 700],
        [cb, 400],
        [cr, 600],
      ] as const)
        expect([lowest(plane), highest(plane)].map((one) => Math.abs(one - sample) < 5)).toEqual([true, true])
    },
    3 * longMs,
  )

  test(
    'a picture of full range is sent with the narrow one, which receivers expect',
    async () => {
      await send('-vf', 'format=yuvj420p,lutyuv=y=255:u=128:v=128', '-color_range', 'pc')
      await isReceived([940, 512, 512])
    },
    3 * longMs,
  )
})
