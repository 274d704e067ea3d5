// Inputs for standard encoders, with plain ffmpeg and handmade senders, some of which are hostile.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Output } from '@backhaul/contract/gateway/servers'
import { servePicture } from '@backhaul/ffmpeg/testing/picture-server'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hasEnhancedFlv } from '../capabilities.ts'
import type { HubSlot } from '../messages.ts'
import { freePort } from '../ports.ts'
import { encodeStream, sendHevc } from '../testing/hevc-sender.ts'
import {
  INPUT_KEY,
  type RunningHub,
  runHub,
  sendByFfmpeg,
  sendUnreadable,
  sendUntilMuted,
  wantedChannel,
} from '../testing/running-hub.ts'
import { writeAmf } from './rtmp/amf.ts'
import { messageTypes, writeMessage } from './rtmp/chunks.ts'

let hub: RunningHub
const srt = 'channel-of-srt-1'
const rtmp = 'channel-of-rtmp-1'
const channels = [wantedChannel('srt-1'), wantedChannel('rtmp-1')]
const apply = (wanted = channels, of = hub) =>
  void of.hardware.apply({ channels: wanted }, new AbortController().signal)
const ends: (() => void)[] = []

beforeAll(async () => {
  hub = await runHub({ bonded: 0, inputs: ['srt', 'rtmp'] })
  apply()
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await until(() => [srt, rtmp].every((id) => hub.channel(id)?.status === 'idle'))
})
afterAll(() => hub.stop())

const collects = (id: string) =>
  until(() => hub.channel(id)?.status === 'collecting' && hub.channel(id)?.video)
const refuses = (id: string) => until(() => hub.channel(id)?.inputProblem === 'wrongKey')

function send(...output: string[]): void {
  const sender = sendByFfmpeg(output)
  ends.push(sender.stop)
}

/** A sender that is stopped as a modem loses its network: its connection remains open, nothing arrives. */
function sendOnce(url: string): ChildProcess {
  const source = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25']
  const encoding = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-g',
    '25',
    '-f',
    'flv',
  ]
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...source, ...encoding, url], { stdio: 'ignore' })
  ends.push(() => child.kill('SIGKILL'))
  return child
}

/** Performs the handshake up to `publish`. */
async function publishByHand(streamKey: string): Promise<Socket> {
  const socket = connect(hub.inputPort('rtmp-1'), '127.0.0.1')
  ends.push(() => socket.destroy())
  let got = 0
  socket.on('data', (bytes) => {
    got += bytes.length
  })
  socket.on('error', () => {})
  socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(1536)]))
  await until(() => got >= 1 + 2 * 1536)
  socket.write(Buffer.alloc(1536))
  const command = (...values: Parameters<typeof writeAmf>) =>
    socket.write(writeMessage(messageTypes.command, writeAmf(...values)))
  command('connect', 1, { app: 'live' })
  command('createStream', 2, null)
  command('publish', 3, null, streamKey, 'live')
  return socket
}

/** The arguments of every program that this user may read. */
const allArguments = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })

test('an SRT sender without the passphrase, or with another, is refused and the channel reports it', async () => {
  const address = `srt://127.0.0.1:${hub.inputPort('srt-1')}`
  send('-f', 'mpegts', address)
  await refuses(srt)
  for (const end of ends.splice(0)) end()
  send('-f', 'mpegts', `${address}?passphrase=another-passphrase`)
  await refuses(srt)
  expect(hub.channel(srt)).toMatchObject({ status: 'idle', kbps: 0 })
})

test('an SRT sender with the passphrase is admitted, and the passphrase appears in no list of processes', async () => {
  // A key of this test alone: other hubs on this machine share the usual one.
  const inputKey = randomBytes(12).toString('hex')
  apply([wantedChannel('srt-1', { inputKey }), wantedChannel('rtmp-1')])
  send('-f', 'mpegts', hub.inputUrl('srt-1').replace(INPUT_KEY, inputKey))
  await collects(srt)
  // The arguments of the sender alone contain the key.
  const others = allArguments().filter((line) => line.includes(inputKey) && !line.includes('take.mkv'))
  expect(others).toEqual([])
  await until(() => hub.channel(srt)?.inputProblem === null)
  apply()
})

test('an SRT sender that falls silent is reported and disconnected although its connection is open, and the next one is admitted', async () => {
  const first = sendUntilMuted(['-f', 'mpegts', hub.inputUrl('srt-1')])
  ends.push(first.stop)
  await collects(srt)
  first.mute()
  await until(() => hub.channel(srt)?.inputProblem === 'silent')
  send('-f', 'mpegts', hub.inputUrl('srt-1'))
  await until(() => hub.channel(srt)?.inputProblem === null)
  await collects(srt)
})

test('an SRT sender that never sends anything keeps no other one out, and is reported', async () => {
  // Reads where it should send.
  const reading = ['-v', 'error', '-i', `${hub.inputUrl('srt-1')}&mode=caller`, '-f', 'null', '-']
  const reader = spawn('ffmpeg', reading, { stdio: 'ignore' })
  ends.push(() => reader.kill('SIGKILL'))
  const isGone = new Promise((done) => reader.once('exit', done))
  await until(() => hub.channel(srt)?.inputProblem === 'silent')
  await isGone
  send('-f', 'mpegts', hub.inputUrl('srt-1'))
  await collects(srt)
  expect(hub.channel(srt)?.inputProblem).toBeNull()
})

test('an RTMP sender with another stream key, or for another application, is refused and the channel reports it', async () => {
  const port = hub.inputPort('rtmp-1')
  send('-f', 'flv', `rtmp://127.0.0.1:${port}/live/another-key`)
  await refuses(rtmp)
  send('-f', 'flv', `rtmp://127.0.0.1:${port}/other/${INPUT_KEY}`)
  const socket = await publishByHand(`${INPUT_KEY}x`)
  await new Promise((closed) => socket.once('close', closed))
  expect(hub.channel(rtmp)).toMatchObject({ status: 'idle', inputProblem: 'wrongKey' })
})

test('silent connections do not take the input from a sender', async () => {
  for (let count = 0; count < 3; count++) {
    const mute = connect(hub.inputPort('rtmp-1'), '127.0.0.1')
    mute.on('error', () => {})
    ends.push(() => mute.destroy())
  }
  const mute = connect(hub.inputPort('rtmp-1'), '127.0.0.1')
  const closed = new Promise((done) => mute.once('close', done))
  send('-f', 'flv', hub.inputUrl('rtmp-1'))
  await collects(rtmp)
  expect(hub.channel(rtmp)).toMatchObject({ inputProblem: null, video: { width: 640 } })
  await closed
})

test('a sender that fell silent is replaced by the next, and an active one is not', async () => {
  const first = sendOnce(hub.inputUrl('rtmp-1'))
  await until(() => hub.channel(rtmp)?.video?.width === 320)
  const late = sendOnce(hub.inputUrl('rtmp-1'))
  await new Promise((done) => late.once('exit', done))
  expect(hub.channel(rtmp)).toMatchObject({ status: 'collecting', video: { width: 320 } })
  first.kill('SIGSTOP')
  ends.push(() => first.kill('SIGCONT'))
  send('-f', 'flv', hub.inputUrl('rtmp-1'))
  await until(() => hub.channel(rtmp)?.video?.width === 640)
})

test('a sender that sends nothing is reported as silent and disconnected', async () => {
  const socket = await publishByHand(INPUT_KEY)
  const isClosed = new Promise((done) => socket.once('close', done))
  await until(() => hub.channel(rtmp)?.inputProblem === 'silent')
  await isClosed
  await until(() => hub.channel(rtmp)?.inputProblem === null)
})

test('HEVC by enhanced RTMP, with pictures out of order and sound, is received and can be decoded', async () => {
  const port = await freePort('srt')
  const outputs: Output[] = [{ id: 'ts', protocol: 'mpegts', url: `udp://127.0.0.1:${port}` }]
  apply([wantedChannel('srt-1'), wantedChannel('rtmp-1', { outputs })])
  const stream = encodeStream()
  ends.push(sendHevc(await publishByHand(INPUT_KEY), stream), () => apply())
  await collects(rtmp)
  expect(hub.channel(rtmp)).toMatchObject({ inputProblem: null, video: { width: 320, height: 180 } })
  const decoded = await promisify(execFile)(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      `udp://127.0.0.1:${port}?timeout=20000000`,
      '-map',
      '0:v',
      '-map',
      '0:a',
      '-t',
      '2',
      '-fps_mode',
      'passthrough',
      '-f',
      'framecrc',
      '-',
    ],
    { encoding: 'utf8' },
  )
  const framesOf = (stream: number) =>
    decoded.stdout.split('\n').filter((line) => line.startsWith(`${stream},`)).length
  expect(framesOf(0)).toBeGreaterThan(20)
  expect(framesOf(1)).toBeGreaterThan(20)
})

const version =
  /^ffmpeg version (\S+)/.exec(execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }))?.[1] ?? ''

test.skipIf(hasEnhancedFlv(version))(
  'AV1 by enhanced RTMP, which this ffmpeg cannot read, is reported as such',
  async () => {
    const socket = await publishByHand(INPUT_KEY)
    const keyFrame = Buffer.concat([Buffer.from([0x90]), Buffer.from('av01'), Buffer.alloc(64)])
    socket.write(writeMessage(messageTypes.video, keyFrame, 1))
    await until(() => hub.channel(rtmp)?.inputProblem === 'codec')
    socket.destroy()
    await until(() => hub.channel(rtmp)?.inputProblem === null)
  },
)

test('[CHAN-007] sources by SRT, RTMP, RTSP and MPEG-TS are fetched, and their picture is that of the channel', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sources-'))
  ends.push(
    () => rmSync(folder, { recursive: true }),
    () => apply(),
  )
  /** A film of one colour. */
  function film(colour: string, width: number): string {
    const path = join(folder, `${colour}.mkv`)
    const picture = `color=${colour}:size=${width}x90:rate=25:duration=4`
    const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', 'sine=duration=4']
    const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac']
    execFileSync('ffmpeg', ['-v', 'error', ...inputs, ...coding, path])
    return path
  }
  const red = { path: film('red', 160), width: 160, isShown: ([r = 0, , b = 0]: Uint8Array) => r > 2 * b }
  const blue = { path: film('blue', 320), width: 320, isShown: ([r = 0, , b = 0]: Uint8Array) => b > 2 * r }
  const still = `/channels/${srt}/still.jpg`
  async function shown(): Promise<Uint8Array> {
    const answer = await fetch(hub.previewUrl(still), { headers: hub.headers(still) })
    if (answer.headers.get('content-type') !== 'image/jpeg') return new Uint8Array()
    const input = new Uint8Array(await answer.arrayBuffer())
    const pixel = '-v error -i pipe:0 -vf scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 pipe:1'
    return execFileSync('ffmpeg', pixel.split(' '), { input })
  }
  for (const [protocol, { path, width, isShown }] of [
    ['srt', red],
    ['rtmp', blue],
    ['rtsp', red],
    ['mpegts', blue],
  ] as const) {
    const server = await servePicture('ffmpeg', path, protocol)
    const url = `${protocol === 'mpegts' ? 'udp' : protocol}://127.0.0.1:${server.port}${server.path}`
    apply([wantedChannel('srt-1', { sources: [{ id: protocol, url }] })])
    await until(() => hub.channel(srt)?.video?.width === width)
    await until(async () => isShown(await shown()))
    await until(() => hub.hardware.levels().some(({ levels }) => (levels[0]?.peakDb ?? -100) > -30))
    expect(hub.channel(srt), protocol).toMatchObject({ status: 'collecting', inputFailure: null })
    await server.stop()
  }
})

test('an SRT sender of something that no channel can have is reported as such', async () => {
  const sender = sendUnreadable(hub.inputUrl('srt-1'))
  ends.push(() => sender.kill('SIGKILL'))
  await until(() => hub.channel(srt)?.inputProblem === 'codec')
  expect(hub.channel(srt)?.status).toBe('idle')
})

test('a new key disconnects a sender with the old one, for SRT and RTMP', async () => {
  send('-f', 'mpegts', hub.inputUrl('srt-1'))
  send('-f', 'flv', hub.inputUrl('rtmp-1'))
  await Promise.all([collects(srt), collects(rtmp)])
  const inputKey = 'anotherkey234567890abcdef'
  apply(channels.map((channel) => ({ ...channel, inputKey })))
  await Promise.all([refuses(srt), refuses(rtmp)])
  apply()
  await Promise.all([collects(srt), collects(rtmp)])
})

test('a channel whose port another program has taken receives on another one, and reports it', async () => {
  const held: (() => void)[] = []
  let chosen: readonly HubSlot[] = []
  const other = await runHub({
    bonded: 1,
    inputs: ['srt', 'rtmp'],
    async beforeStart(slots) {
      chosen = slots
      for (const { intake, port } of slots) {
        if (intake === 'rtmp') {
          const server = createServer()
          await new Promise<void>((done) => server.listen(port, '0.0.0.0', done))
          held.push(() => server.close())
          continue
        }
        const socket = createSocket('udp4')
        await new Promise<void>((done) => socket.bind({ port, address: '0.0.0.0', exclusive: true }, done))
        held.push(() => socket.close())
      }
    },
  })
  try {
    apply(channels, other)
    const portOf = (slot: string) => (slot === 'bonded-1' ? other.ristPort(slot) : other.inputPort(slot))
    for (const { slot, port } of chosen) await until(() => portOf(slot) !== port)
    send('-f', 'mpegts', other.inputUrl('srt-1'))
    send('-f', 'flv', other.inputUrl('rtmp-1'))
    await until(() => [srt, rtmp].every((id) => other.channel(id)?.status === 'collecting'))
  } finally {
    for (const release of held) release()
    await other.stop()
  }
})

test('the ports of bonded channels are held while nothing is received', async () => {
  const other = await runHub({ bonded: 2 })
  try {
    for (const slot of ['bonded-1', 'bonded-2']) {
      await until(async () => {
        const socket = createSocket('udp4')
        return await new Promise<boolean>((done) => {
          socket.once('error', () => done(true))
          socket.bind({ port: other.ristPort(slot), exclusive: true }, () => socket.close(() => done(false)))
        })
      })
    }
  } finally {
    await other.stop()
  }
})
