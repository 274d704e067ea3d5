// Sixteen channels of sound of a unit, each with a tone of its own, in what a hub makes of its channel: meters, streams for a
// studio, video return, and a recording that is played.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCallingReceiver } from '@backhaul/bonding/calling-receiver'
import { createSender } from '@backhaul/bonding/sender'
import { defaultVrServer, defaultVrSettings } from '@backhaul/contract/nouns/video-return'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { makeTones, tonesIn, tonesInSound, tonesOf } from '@backhaul/ffmpeg/testing/tones'
import { superviseChild } from '@backhaul/runtime/child-process'
import { patientMs, until } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningHub, runHub, wantedChannel } from '../testing/running-hub.ts'

const ffmpegPath = findFfmpeg()
const longMs = patientMs(120_000)
const folder = mkdtempSync(join(tmpdir(), 'hub-sound-'))
const key = Buffer.alloc(32, 4)
const base64Key = key.toString('base64')
const intake = { transmissionId: 't-1', unitId: 'u-1', key: base64Key, bufferMs: 300 }
const [sending, idle] = ['bonded-1', 'bonded-2'].map((slot) => `channel-of-${slot}`)
const lastUpdate = '2026-11-21T10:00:00.000Z'
const side = { address: '127.0.0.1', subnetMask: '255.0.0.0', gateway: '' }
/** Groups and ports of this process alone. */
const group = `239.${100 + (process.pid % 100)}.${(process.pid >> 8) % 250}`
const port = 20_000 + 4 * (process.pid % 8000)
const streams = {
  flavor: 'ST 2110-20',
  video: { address: `${group}.3`, port },
  audio: { address: `${group}.4`, port },
  audio2: { address: `${group}.5`, port },
  ancillary: null,
} as const
const never = new AbortController().signal

describe.runIf(ffmpegPath)('sixteen channels of sound of a unit', () => {
  let hub: RunningHub
  const cleanUps: (() => unknown)[] = []
  const apply = (recording: boolean) =>
    hub.hardware.apply(
      {
        channels: [
          wantedChannel('bonded-1', { intake, recording, smpte: { lastUpdate, configuration: streams } }),
          wantedChannel('bonded-2'),
        ],
        smpte: { lastUpdate, configuration: { ptpDomain: 127, primary: side, secondary: null } },
      },
      never,
    )
  /** A tone of an eighth of the full scale has its peak 18 dB below it. */
  const areMeasured = (id = '') => {
    const of = hub.hardware.levels().find(({ channelId }) => channelId === id)?.levels ?? []
    return of.length === 16 && of.every(({ peakDb }) => peakDb > -22)
  }

  beforeAll(async () => {
    const film = join(folder, 'sixteen.mkv')
    makeTones(ffmpegPath!, film, Array<number>(8).fill(2))
    hub = await runHub({
      bonded: 2,
      smpte: true,
      returnSources: [
        { kind: 'slot', slot: 'bonded-1' },
        { kind: 'file', path: film },
      ],
    })
    cleanUps.push(() => hub.stop())
    await apply(false)
    const link = { id: 'modem', remoteHost: '127.0.0.1', remotePort: hub.ristPort('bonded-1') }
    const unit = createSender({ sessionId: 't-1', links: [link], bufferMs: 300, key })
    cleanUps.push(() => unit.close())
    const words = `-v quiet -re -stream_loop -1 -i ${film} -map 0 -c:v copy -c:a aac -f mpegts pipe:1`
    const source = superviseChild({
      command: ffmpegPath!,
      args: words.split(' '),
      onStdout: (chunk) => unit.push(chunk),
    })
    cleanUps.push(() => source.stop())
    await until(() => hub.channel(sending!)?.status === 'collecting', longMs)
  }, longMs)
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp()
    rmSync(folder, { recursive: true, force: true })
  })

  test('all are measured', async () => {
    await until(() => areMeasured(sending), longMs)
  })

  test(
    'a studio receives them as two streams of eight',
    async () => {
      const state = () => hub.channel(sending!)?.outputs.find(({ id }) => id === 'smpte')?.state
      await until(() => state() === 'sending', longMs)
      const description = join(hub.folder, 'sdp', 'bonded-1.sdp')
      const words = `-v error -y -protocol_whitelist file,udp,rtp -localaddr 127.0.0.1 -buffer_size 4194304 -i ${description}`
      const files = [0, 1].map((stream) => join(folder, `stream-${stream}`))
      const outputs = files.flatMap((file, stream) => `-map 0:a:${stream} -t 2 -f s16le ${file}`.split(' '))
      await once(spawn(ffmpegPath!, [...words.split(' '), ...outputs]), 'exit')
      expect(files.flatMap((file) => tonesInSound(readFileSync(file), 8))).toEqual(tonesOf(16))
    },
    2 * longMs,
  )

  test(
    'each packet of them is a millisecond',
    async () => {
      const socket = createSocket('udp4').bind(port, streams.audio2.address)
      await once(socket, 'listening')
      socket.addMembership(streams.audio2.address, side.address)
      const sizes: number[] = []
      socket.on('message', (packet) => sizes.push(packet.length))
      await until(() => sizes.length > 500, longMs)
      socket.close()
      const header = 12
      expect(new Set(sizes)).toEqual(new Set([header + 48 * 8 * 3]))
    },
    longMs,
  )

  test.for(['sdi-1', 'sdi-2'] as const)(
    'a unit gets as many of input %s as its return channel is set to',
    { timeout: 2 * longMs },
    async (input) => {
      const id = `return-of-${input}`
      const inputs = defaultVrSettings.inputs.map((one) => ({ ...one, enabled: one.id === input }))
      const { description: _, ...settings } = {
        ...defaultVrSettings,
        inputs,
        audio: { channels: 8 as const },
      }
      const session = { id, unitId: 'u-2', key: base64Key, input: null }
      const channel = wantedChannel('return-1', { videoReturn: { settings, session } })
      await hub.returns!.apply(
        { channels: [channel], returns: { ...defaultVrServer, latencyMs: 1000 } },
        never,
      )
      const returnPort = await until(() => hub.returns!.facts().ports[0]?.returnPort, longMs)
      const receiver = createCallingReceiver({ sessionId: id, key, bufferMs: 1000 })
      const parts: Buffer[] = []
      receiver.onData((payload) => parts.push(Buffer.from(payload)))
      receiver.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: returnPort })
      try {
        await until(() => Buffer.concat(parts).length > 1_500_000, longMs)
        expect(tonesIn(ffmpegPath!, Buffer.concat(parts))).toEqual(tonesOf(8))
      } finally {
        receiver.close()
        await hub.returns!.apply({ channels: [], returns: { ...defaultVrServer, latencyMs: 1000 } }, never)
      }
    },
  )

  test(
    'a recording is played with all of them',
    async () => {
      await apply(true)
      // Longer than a busy machine needs to begin measuring.
      const isLong = () => hub.hardware.files.all().some(({ sizeBytes }) => sizeBytes > 3_000_000)
      await until(isLong, longMs)
      await apply(false)
      const file = await until(
        () => hub.hardware.files.all().find(({ isTransferring, media }) => !isTransferring && media),
        longMs,
      )
      await until(async () => {
        if (hub.channel(idle!)?.playing.length === 0) await hub.hardware.files.play(file, idle!)
        return areMeasured(idle)
      }, longMs)
    },
    2 * longMs,
  )
})
