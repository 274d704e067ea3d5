// More than two channels of sound of a real unit, each with a tone of its own: what is sent and recorded is decoded.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReceiver } from '@backhaul/bonding/receiver'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import type { Source } from '@backhaul/ffmpeg/sources'
import { makeTones, tonesIn, tonesOf } from '@backhaul/ffmpeg/testing/tones'
import { superviseChild } from '@backhaul/runtime/child-process'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { explicitInterfaces } from './hardware/interfaces.ts'
import { openPortAssignments } from './hardware/port-assignments.ts'
import { createRealUnit } from './real-unit.ts'

const ffmpegPath = findFfmpeg()
const key = Buffer.alloc(32, 6)
const folder = mkdtempSync(join(tmpdir(), 'backhaul-channels-'))
const eight = join(folder, 'eight.mkv')
const pairs = join(folder, 'pairs.mkv')
const picture = { width: 160, height: 90, framesPerSecond: 25 }
const never = new AbortController().signal

beforeAll(() => {
  if (!ffmpegPath) return
  makeTones(ffmpegPath, eight, [8])
  makeTones(ffmpegPath, pairs, [2, 2], 'aac')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

function createUnit(source: Source) {
  const mediaFolder = mkdtempSync(join(folder, 'media-'))
  const log = createLog({ name: 'test', format: 'json', level: 'silent' })
  const unit = createRealUnit({
    mediaFolder,
    clock: systemClock,
    log,
    scanInterfaces: () => explicitInterfaces(['127.0.0.2', '127.0.0.3']),
    portAssignments: openPortAssignments(join(mediaFolder, 'links.json'), log),
    dataCountsPath: join(mediaFolder, 'link-data.json'),
    position: { current: () => null, close: () => {} },
    capabilities: {},
    logs: () => '',
    encoderFault: undefined,
    limits: { lowestKbps: 250, highestKbps: 500, audioKbps: 96 },
    encoder: { ffmpegPath: ffmpegPath!, codec: 'h264' },
    cameras: [{ source, picture, clockStyle: undefined }],
    openUrl: (url) => ({ kind: 'url', url }),
    restart: () => {},
  })
  cleanUps.push(() => unit.close())
  return { unit, mediaFolder }
}

async function openChannel(sessionId: string) {
  const receiver = await createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 400, sessionId, key })
  cleanUps.push(() => receiver.close())
  let received: Uint8Array[] = []
  receiver.onData((payload) => received.push(Uint8Array.from(payload)))
  const next = async (bytes: number) => {
    received = []
    await until(() => Buffer.concat(received).length > bytes)
    return Buffer.concat(received)
  }
  return {
    wanted: {
      id: sessionId,
      channelId: 'one',
      key: key.toString('base64'),
      targets: [{ host: '127.0.0.1', port: receiver.port }],
    },
    /** All that came since the last call of forget. */
    soFar: () => Buffer.concat(received),
    forget() {
      received = []
    },
    /** The tones in the data received from now on. */
    tones: async () => tonesIn(ffmpegPath!, await next(200_000)),
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => void socket.close(resolve))
  return port
}

describe.runIf(ffmpegPath)('channels of sound', () => {
  test('[CONF-016] eight of a source are four tracks, also of the encoder that follows', async () => {
    const channel = await openChannel('eight')
    const { unit } = createUnit({ kind: 'file', path: eight, tracks: [8] })
    expect(unit.facts().camera).toMatchObject({ audioChannels: 8 })
    await unit.applySettings({ audioChannels: 8 })
    await unit.startTransmission(channel.wanted, 400, never)
    expect(await channel.tones()).toEqual(tonesOf(8))
    channel.forget()
    // Another name is that of another encoder.
    await unit.applySettings({ multiCameraLabels: ['Second'] })
    await until(() => channel.soFar().includes('Second'))
    expect(await channel.tones()).toEqual(tonesOf(8))
  })

  test('their number changes with a start: on air it is refused, with the reason', async () => {
    const channel = await openChannel('fewer')
    const { unit } = createUnit({ kind: 'file', path: eight, tracks: [8] })
    await unit.startTransmission(channel.wanted, 400, never)
    expect(await channel.tones()).toHaveLength(2)
    await expect(unit.applySettings({ audioChannels: 4 })).rejects.toThrow(
      'The number of audio channels cannot be changed while the unit transmits or records.',
    )
    expect(unit.facts().settings).toMatchObject({ audioChannels: 2 })
    await unit.stopTransmission()
    await unit.applySettings({ audioChannels: 4 })
    const next = await openChannel('next')
    await unit.startTransmission(next.wanted, 400, never)
    expect(await next.tones()).toEqual(tonesOf(4))
  })

  test('all sixteen are in a recording', async () => {
    const { unit, mediaFolder } = createUnit({ kind: 'testPattern' })
    await unit.applySettings({ audioChannels: 16, sendMode: 'storeAndForward' })
    await until(() => unit.facts().activities?.store?.state === 'running')
    await expect(unit.applySettings({ audioChannels: 2 })).rejects.toThrow('while the unit transmits')
    await new Promise((resolve) => setTimeout(resolve, 4000))
    await unit.applySettings({ sendMode: 'live' })
    const [name] = readdirSync(mediaFolder, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.mp4'),
    )
    expect(tonesIn(ffmpegPath!, join(mediaFolder, name ?? ''))).toEqual(tonesOf(16))
  })

  test('of an IP input that is set on air they are those that it has when it is opened', async () => {
    const channel = await openChannel('switched')
    const { unit } = createUnit({ kind: 'file', path: eight, tracks: [8] })
    await unit.applySettings({ audioChannels: 8 })
    await unit.startTransmission(channel.wanted, 400, never)
    const port = await freePort()
    const words = `-v quiet -re -stream_loop -1 -i ${pairs} -map 0 -c copy -f mpegts udp://127.0.0.1:${port}`
    const sender = superviseChild({ command: ffmpegPath!, args: words.split(' ') })
    cleanUps.push(() => sender.stop())
    await unit.applySettings({ ipInput: { protocol: 'mpegts', url: '127.0.0.1', port, enabled: true } })
    await until(() => unit.facts().camera?.audioChannels === 4, 60_000)
    // The others of the eight that are sent are silent.
    const tones = [...tonesOf(4), 0, 0, 0, 0].join()
    await until(async () => (await channel.tones()).join() === tones, 60_000)
  })

  test('of an IP input they are known when it has been seen, and its tracks follow each other', async () => {
    const channel = await openChannel('network')
    const { unit } = createUnit({ kind: 'file', path: eight, tracks: [8] })
    const port = await freePort()
    const words = `-v quiet -re -stream_loop -1 -i ${pairs} -map 0 -c copy -f mpegts udp://127.0.0.1:${port}`
    const sender = superviseChild({ command: ffmpegPath!, args: words.split(' ') })
    cleanUps.push(() => sender.stop())
    const ipInput = { protocol: 'mpegts', url: '127.0.0.1', port, enabled: true } as const
    await unit.applySettings({ ipInput })
    expect(unit.facts().camera).toMatchObject({ kind: 'url', audioChannels: 2 })
    await until(() => unit.facts().camera?.audioChannels === 4, 60_000)
    await unit.applySettings({ audioChannels: 4 })
    await unit.startTransmission(channel.wanted, 400, never)
    await until(async () => (await channel.tones()).join() === tonesOf(4).join(), 60_000)
    await unit.stopTransmission()
    await unit.applySettings({ ipInput: { ...ipInput, enabled: false } })
    expect(unit.facts().camera).toMatchObject({ kind: 'file', audioChannels: 8 })
  })
})
