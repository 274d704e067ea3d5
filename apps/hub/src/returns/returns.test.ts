// The video return of a real hub: what a unit gets that calls with the key of its return, as the channel is set.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallingReceiver, createCallingReceiver } from '@backhaul/bonding/calling-receiver'
import type { WantedReturn } from '@backhaul/contract/gateway/servers'
import { defaultVrServer, defaultVrSettings, type VrSettings } from '@backhaul/contract/nouns/video-return'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { createTsBus, type TsBus } from '@backhaul/ffmpeg/ts-bus'
import { killProcesses, processesWith } from '@backhaul/runtime/testing/processes'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { InputProtocol, ReturnSource } from '../messages.ts'
import { type RunningHub, runHub, sendByFfmpeg, wantedChannel } from '../testing/running-hub.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'hub-returns-'))
const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(1).toReversed()) await cleanUp()
})

/** The time in seconds since 1970. */
const filmedAt = 1_700_000_000
const sessionOf = (id: string) => ({
  id,
  unitId: `unit-of-${id}`,
  key: Buffer.alloc(32, id).toString('base64'),
  input: null,
})

/** A film with a picture that needs many bits, and sound. */
function film(name: string): string {
  const path = join(folder, name)
  const picture = 'testsrc2=size=320x180:rate=25:duration=3,noise=alls=60:allf=t'
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', 'sine=duration=3']
  const coders = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
  spawnSync(ffmpegPath!, ['-v', 'error', '-y', ...inputs, ...coders, path])
  return path
}

async function openHub(returnSources: readonly ReturnSource[], inputs: InputProtocol[] = []) {
  const hub = await runHub({ bonded: 0, inputs, returnSources })
  cleanUps.push(() => hub.stop())
  return { hub, ...returnsOf(hub) }
}

function returnsOf(hub: RunningHub) {
  const server = hub.returns!
  const signal = new AbortController().signal
  const apply = (settings: Partial<VrSettings>, session: WantedReturn['session'] = null) => {
    const { description: _, ...all } = { ...defaultVrSettings, ...settings }
    const channel = wantedChannel('return-1', { videoReturn: { settings: all, session } })
    void server.apply({ channels: [channel], returns: { ...defaultVrServer, latencyMs: 1000 } }, signal)
  }
  const ports = () => server.facts().ports[0]
  return { server, apply, ports, now: () => server.sample().channels[0] }
}

/** A unit that calls with the key of the session. */
function call(id: string, port: number): { bus: TsBus; receiver: CallingReceiver } {
  const receiver = createCallingReceiver({ sessionId: id, key: Buffer.alloc(32, id), bufferMs: 1000 })
  cleanUps.push(() => receiver.close())
  const bus = createTsBus()
  receiver.onData((payload) => bus.push(Buffer.from(payload)))
  receiver.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: port })
  return { bus, receiver }
}

const openPort = (ports: () => { returnPort?: number | undefined } | undefined) =>
  until(() => ports()?.returnPort)

describe.runIf(ffmpegPath)('a return channel', () => {
  test('[VR-003] sends its picture in the codec, at the rate and with the sound that are set, records it, and reports why its encoder ends', async () => {
    const path = film('a.mkv')
    utimesSync(path, filmedAt, filmedAt)
    const { hub, apply, ports, now } = await openHub([{ kind: 'file', path }])
    apply({})
    await until(() => now()?.status === 'videoReturnInputConnected')
    expect(ports()?.inputs).toEqual([{ id: 'sdi-1', name: 'a.mkv', connected: true, standard: '180p25' }])
    const video = { codec: 'H.264', bitrateKbps: 3000 } as const
    apply({ video, store: true }, sessionOf('a'))
    await until(() => now()?.status === 'connecting')
    const { bus, receiver } = call('a', await openPort(ports))
    await until(() => now()?.status === 'collecting' && bus.picture())
    expect(bus.picture()).toMatchObject({ codec: 'h264', width: 320, height: 180 })
    expect(bus.audio()?.codec).toBe('aac')
    await until(() => receiver.stats().kbps > 2000)
    expect(now()).toMatchObject({ transmissionId: 'a', input: 'sdi-1', video: { codec: 'h264' } })
    const still = '/channels/channel-of-return-1/still.jpg'
    const seeStill = () => fetch(hub.previewUrl(still), { headers: hub.headers(still) })
    await until(async () => (await seeStill()).headers.get('content-type') === 'image/jpeg')
    await until(() => now()?.health)
    await until(() => now()?.recording)
    const recordings = join(hub.folder, 'returns', 'recordings')
    await until(() => /unit-of-a.*\.mp4/.test(readdirSync(recordings, { recursive: true }).join()))

    apply({ video: { codec: 'H.265', bitrateKbps: 500 }, audio: { channels: 0 } }, sessionOf('a'))
    await until(() => bus.video()?.codec === 'h265' && !bus.audio())
    await until(() => receiver.stats().kbps < 1200 && now()?.recording === false)
    expect(now()?.status).toBe('collecting')

    // The disk loses the film, and the encoder ends: the file looks the same.
    const whole = readFileSync(path)
    writeFileSync(path, Buffer.alloc(whole.length))
    utimesSync(path, filmedAt, filmedAt)
    killProcesses(processesWith(`file:${path}`))
    await until(() => /Invalid data/.test(now()?.failures?.[0]?.reason ?? ''))
    expect(now()?.failures).toEqual([
      { type: 'returnFailed', reason: 'a.mkv: Invalid data found when processing input' },
    ])
    writeFileSync(path, whole)
    const before = bus.lastDataMs()
    await until(() => now()?.failures?.length === 0 && bus.lastDataMs() > before)
  })

  test('keeps the limits that the unit sets for its links, at a lower rate and without holes', async () => {
    const { apply, ports } = await openHub([{ kind: 'file', path: film('limited.mkv') }])
    apply({ video: { codec: 'H.264', bitrateKbps: 3000 } }, sessionOf('a'))
    const { receiver, bus } = call('a', await openPort(ports))
    const kbps = () => receiver.stats().kbps
    await until(() => kbps() > 2000)
    receiver.setTerms({ ranks: {}, limits: [{ links: ['modem'], kbps: 1000 }] })
    await until(() => kbps() > 300 && kbps() < 1000)
    await until(() => bus.hasKeyFrame())
    const { lost } = receiver.stats().totals
    const from = performance.now()
    await until(() => bus.lastDataMs() > from + 5000)
    expect(receiver.stats().totals.lost).toBe(lost)
    expect(kbps()).toBeLessThan(1000)
    receiver.setTerms({ ranks: {}, limits: [] })
    await until(() => kbps() > 2000)
  })

  test('[VR-005] makes its picture for a page that shows it, without a unit and for no unit', async () => {
    const { hub, apply, ports, now } = await openHub([{ kind: 'file', path: film('page.mkv') }])
    apply({})
    await until(() => now()?.status === 'videoReturnInputConnected')
    const path = '/channels/channel-of-return-1/stream'
    const watch = () => {
      const socket = new WebSocket(hub.previewUrl(path).replace('http', 'ws'), { headers: hub.headers(path) })
      cleanUps.push(() => socket.terminate())
      const bus = createTsBus()
      socket.on('message', (data: Buffer) => bus.push(data))
      return { socket, bus }
    }
    const page = watch()
    await until(() => page.bus.picture() && page.bus.audio())
    expect(page.bus.picture()).toMatchObject({ codec: 'h264', width: 320, height: 180 })
    // Nothing of it goes to a unit without a session, and the channel is still free.
    const stranger = call('a', await openPort(ports))
    expect(now()).toMatchObject({ status: 'videoReturnInputConnected', transmissionId: null, kbps: 0 })
    expect(stranger.receiver.stats().links.every(({ up }) => !up)).toBe(true)
    apply({}, sessionOf('b'))
    const unit = call('b', await openPort(ports))
    await until(() => now()?.status === 'collecting' && unit.bus.picture())
    // The page still receives, and so does the unit after the page has closed.
    const seen = page.bus.lastDataMs()
    await until(() => page.bus.lastDataMs() > seen)
    page.socket.terminate()
    const sent = unit.bus.lastDataMs()
    // On a busy machine a link may count as lost for a moment.
    await until(() => unit.bus.lastDataMs() > sent && now()?.status === 'collecting')
  })

  test('[VR-001] is for one unit: another session, or none, ends the picture of the first', async () => {
    const { apply, ports, now } = await openHub([{ kind: 'file', path: film('b.mkv') }])
    apply({}, sessionOf('a'))
    const port = await openPort(ports)
    const [first, second] = [call('a', port), call('b', port)]
    await until(() => first.bus.picture())
    expect(second.receiver.stats().links).toMatchObject([{ up: false, kbps: 0 }])
    apply({}, sessionOf('b'))
    await until(() => second.bus.picture() && now()?.transmissionId === 'b')
    await until(() => first.receiver.stats().links.every(({ up }) => !up))
    apply({})
    await until(() => now()?.status === 'videoReturnInputConnected')
    await until(() => second.receiver.stats().links.every(({ up }) => !up))
  })

  test('[VR-004] takes the next input while the first has no picture, and reports when none has one', async () => {
    const path = join(folder, 'later.mkv')
    const { hub, apply, ports, now } = await openHub(
      [{ kind: 'file', path }, { kind: 'slot', slot: 'srt-1' }, { kind: 'testPattern' }],
      ['srt'],
    )
    apply({})
    await until(() => now()?.input === 'sdi-3')
    const inputs = defaultVrSettings.inputs.map((one) => ({ ...one, enabled: one.id !== 'sdi-3' }))
    apply({ inputs }, sessionOf('a'))
    await until(() => now()?.input === null)
    expect(now()).toMatchObject({ input: null, video: null, kbps: 0 })
    // A standard encoder sends to an input of the hub: the unit sees its picture.
    void hub.hardware.apply({ channels: [wantedChannel('srt-1')] }, new AbortController().signal)
    const sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
    cleanUps.push(sender.stop)
    const { bus } = call('a', await openPort(ports))
    await until(() => now()?.input === 'sdi-2' && bus.picture() && bus.audio())
    expect(bus.picture()).toMatchObject({ codec: 'h264', width: 640, height: 360 })
    renameSync(film('c.mkv'), path)
    await until(() => now()?.input === 'sdi-1' && bus.picture()?.width === 320)
    expect(ports()?.inputs?.map(({ connected }) => connected)).toEqual([true, true, true])
  })

  test('[VR-003] waits for a port that is set for it and in use, and moves to another one', async () => {
    const taken = createSocket('udp4').bind(0, '0.0.0.0')
    await once(taken, 'listening')
    const { port } = taken.address()
    const { apply, ports, now } = await openHub([{ kind: 'testPattern' }])
    apply({ destinationPort: port })
    await until(() => ports())
    expect(ports()).not.toHaveProperty('returnPort')
    await until(() => now()?.failures?.length === 1)
    expect(now()?.failures).toMatchObject([
      { type: 'returnFailed', cause: { code: 'server.portTaken', params: { port } } },
    ])
    taken.close()
    await until(() => ports()?.returnPort === port)
    await until(() => now()?.failures?.length === 0)
    apply({})
    await until(() => ports()?.returnPort !== port && ports()?.returnPort !== undefined)
  })
})
