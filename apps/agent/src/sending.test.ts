import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createReceiver } from '@backhaul/bonding/receiver'
import type { Reason } from '@backhaul/contract/define/refusals'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import type { Source } from '@backhaul/ffmpeg/sources'
import { createTestClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { afterEach, expect, test } from 'vitest'
import { createRawSource } from './encoder/raw-source.ts'
import type { UnitLink } from './links.ts'
import { startSending } from './sending.ts'

const ffmpegPath = findFfmpeg()
const key = Buffer.alloc(32, 5)
const link: UnitLink = {
  id: 'Modem 1',
  kind: 'modem',
  address: '127.0.0.2',
  port: 0,
  enabled: true,
  present: true,
}
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const openReceiver = (sessionId = 'session') =>
  createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 500, sessionId, key })

/** An even port, as receivers have, that never answers. */
async function silentPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  cleanUps.push(() => socket.close())
  await once(socket, 'listening')
  const { port } = socket.address()
  return port % 2 === 0 ? port : await silentPort()
}

/** Sends to the port with a clock that the test moves, so that limits of many seconds are reached quickly. */
function send(port: number, source: Source = { kind: 'testPattern' }, speedTestMs?: number) {
  const clock = createTestClock()
  const losses: Reason[] = []
  const pictures: boolean[] = []
  const sending = startSending(
    {
      encoder: {
        ffmpegPath: ffmpegPath!,
        source: createRawSource({
          ffmpegPath: ffmpegPath!,
          source,
          picture: { width: 320, height: 180, framesPerSecond: 30 },
          clockStyle: undefined,
          onMessage: () => {},
        }),
        codec: 'h264',
        quality: {
          audioKbps: 64,
          effort: 'ultrafast',
          isAdaptive: true,
          hasMotion: false,
          label: '',
          provider: '',
          hasTimes: false,
        },
      },
      limits: { lowestKbps: 250, highestKbps: 500, audioKbps: 64 },
      clock,
      log: createLog({ name: 'test', format: 'json', level: 'silent' }),
      onLost: (why) => losses.push(why),
      onPicture: (isThere) => pictures.push(isThere),
      onFaults() {},
    },
    {
      id: 'session',
      channelId: 'channel',
      key: key.toString('base64'),
      targets: [{ host: '127.0.0.1', port }],
      ...(speedTestMs !== undefined && { speedTestMs }),
    },
    500,
    [link],
    { ranks: {}, limits: [] },
  )
  cleanUps.push(() => sending.stop())
  return { clock, sending, losses, pictures }
}

/** Lets real sockets and programs run while the test clock moves in small steps. */
async function moveUntil(clock: ReturnType<typeof createTestClock>, stepMs: number, done: () => boolean) {
  while (!done()) {
    clock.advance(stepMs)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test.runIf(ffmpegPath)('a receiver that does not answer is the reason of a failed start', async () => {
  const { clock, sending } = send(await silentPort())
  clock.advance(15_200)
  await expect(sending.begun).rejects.toThrow('The receiver does not answer on any link.')
})

test.runIf(ffmpegPath)('a source without a picture is the reason of a failed start', async () => {
  const receiver = await openReceiver()
  cleanUps.push(() => receiver.close())
  const { clock, sending } = send(receiver.port, { kind: 'file', path: '/no/such/clip.mp4' })
  await moveUntil(clock, 0, () => sending.stats().links.some(({ up }) => up))
  clock.advance(15_200)
  await expect(sending.begun).rejects.toThrow('The source sends no picture.')
})

test.runIf(ffmpegPath)('a transmission is lost when no link was answered for 10 s, not sooner', async () => {
  const receiver = await openReceiver()
  const { clock, sending, losses, pictures } = send(receiver.port)
  let isBegun = false
  void sending.begun.then(() => {
    isBegun = true
  })
  await moveUntil(clock, 20, () => isBegun)
  expect(pictures).toEqual([true])
  await receiver.close()
  await moveUntil(clock, 20, () => sending.stats().links.every(({ up }) => !up))
  clock.advance(9600)
  expect(losses).toEqual([])
  clock.advance(1000)
  await moveUntil(clock, 0, () => losses.length > 0)
  expect(losses).toEqual(['link.noneReaches'])
})

const placeAt = (port: number) => ({
  id: 'second',
  channelId: 'other',
  key: key.toString('base64'),
  targets: [{ host: '127.0.0.1', port }],
})

test.runIf(ffmpegPath)('a move serves both receivers until the new one has its first picture', async () => {
  const [old, fresh] = [await openReceiver(), await openReceiver('second')]
  cleanUps.push(
    () => old.close(),
    () => fresh.close(),
  )
  let oldBytes = 0
  let freshBytes = 0
  old.onData((bytes) => {
    oldBytes += bytes.length
  })
  fresh.onData((bytes) => {
    freshBytes += bytes.length
  })
  const { clock, sending } = send(old.port)
  await moveUntil(clock, 20, () => oldBytes > 0)
  await sending.begun
  let isMoved = false
  const move = sending.moveTo(placeAt(fresh.port), 500, new AbortController().signal).then(() => {
    isMoved = true
  })
  await moveUntil(clock, 20, () => freshBytes > 0)
  // The new one has begun, the old one continues.
  expect(isMoved).toBe(false)
  const before = oldBytes
  await moveUntil(clock, 0, () => oldBytes > before)
  await moveUntil(clock, 50, () => isMoved)
  await move
  const after = freshBytes
  await moveUntil(clock, 20, () => freshBytes > after)
})

test.runIf(ffmpegPath)('a move to a receiver that does not answer leaves the old one served', async () => {
  const receiver = await openReceiver()
  cleanUps.push(() => receiver.close())
  let bytes = 0
  receiver.onData((more) => {
    bytes += more.length
  })
  const { clock, sending } = send(receiver.port)
  await moveUntil(clock, 20, () => bytes > 0)
  await sending.begun
  const move = sending.moveTo(placeAt(await silentPort()), 500, new AbortController().signal)
  const refused = expect(move).rejects.toThrow('The new channel does not answer on any link.')
  clock.advance(15_200)
  await refused
  const before = bytes
  await moveUntil(clock, 20, () => bytes > before)
})

test('[STREAM-013] a speed test needs no source and fills the link with far more than a picture would', async () => {
  const receiver = await openReceiver()
  cleanUps.push(() => receiver.close())
  const { clock, sending, pictures } = send(
    receiver.port,
    { kind: 'file', path: '/no/such/clip.mp4' },
    10_000,
  )
  await moveUntil(clock, 20, () => (sending.stats().links[0]?.kbps ?? 0) > 5000)
  await sending.begun
  expect(pictures).toEqual([true])
  expect(receiver.stats().kbps).toBeGreaterThan(1000)
})
