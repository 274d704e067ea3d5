// Tunnels over real sockets, through relays that act as the networks in between.
import { createHash, randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { patientMs, until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { createLinkRelay, type LinkRelay, type LinkRelayOptions } from './testing/link-relay.ts'
import type { TunnelDatagram } from './tunnel.ts'
import { createTunnelCaller, type TunnelCaller } from './tunnel-caller.ts'
import { type AdmittedTunnel, openTunnelPort, type TunnelPort } from './tunnel-port.ts'

const key = new Uint8Array(32).fill(5)
const session = { sessionId: 'db-1', key }
const longMs = patientMs(60_000)
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

interface Seen {
  streams: { place: string; stream: Duplex }[]
  datagrams: TunnelDatagram[]
}

const seenBy = (): [
  Seen,
  { onStream(place: string, stream: Duplex): void; onDatagram(one: TunnelDatagram): void },
] => {
  const seen: Seen = { streams: [], datagrams: [] }
  return [
    seen,
    {
      onStream: (place, stream) => seen.streams.push({ place, stream }),
      onDatagram: (one) => seen.datagrams.push(one),
    },
  ]
}

async function openPort(port = 0): Promise<TunnelPort> {
  const opened = await until(() => openTunnelPort('127.0.0.1', port).catch(() => undefined))
  cleanUps.push(() => opened.close())
  return opened
}

function admit(port: TunnelPort, entry = session): { far: AdmittedTunnel; seen: Seen } {
  const [seen, use] = seenBy()
  return { far: port.admit({ ...entry, ...use }), seen }
}

function call(entry = session): { near: TunnelCaller; seen: Seen } {
  const [seen, use] = seenBy()
  const near = createTunnelCaller({ ...entry, ...use })
  cleanUps.push(() => near.close())
  return { near, seen }
}

async function relay(port: number, options: Partial<LinkRelayOptions> = {}): Promise<LinkRelay> {
  const opened = await createLinkRelay({ targetHost: '127.0.0.1', targetPort: port, ...options })
  cleanUps.push(() => opened.close())
  return opened
}

/** As many links as relays, named by their place. */
function addLinks(near: TunnelCaller, relays: readonly LinkRelay[]): void {
  for (const [at, { host, port }] of relays.entries())
    near.addLink({ id: `modem ${at + 1}`, remoteHost: host, remotePort: port })
}

const upOf = (near: TunnelCaller) => near.stats().links.map(({ up }) => up)
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Everything that comes until the end of the stream. */
function read(stream: Duplex): Promise<Buffer> {
  const parts: Buffer[] = []
  stream.on('data', (part: Buffer) => parts.push(part))
  return new Promise((resolve, reject) => {
    stream.on('end', () => resolve(Buffer.concat(parts)))
    stream.on('error', reject)
  })
}

test(
  'what goes in comes out in order and whole, in both directions, over links that delay and lose',
  async () => {
    const port = await openPort()
    const { seen } = admit(port)
    const { near } = call()
    const relays = await Promise.all(
      [1, 2].map((at) =>
        relay(port.port, {
          sourceAddress: `127.0.0.${10 + at}`,
          shape: { delayMs: at * 20, jitterMs: 10, lossPercent: 3, kbps: 4000 },
          seed: at,
        }),
      ),
    )
    addLinks(near, relays)
    await until(() => upOf(near).every(Boolean))
    const [up, down] = [randomBytes(600_000), randomBytes(400_000)]
    const stream = near.open('tcp 1')
    stream.end(up)
    const answer = read(stream)
    const opened = await until(() => seen.streams[0], longMs)
    expect(opened.place).toBe('tcp 1')
    const received = read(opened.stream)
    opened.stream.end(down)
    expect(sumOf(await received)).toBe(sumOf(up))
    expect(sumOf(await answer)).toBe(sumOf(down))
    await until(() => near.streams() === 0)
    // Both links carry: one alone would have needed most of it.
    for (const one of relays) expect(one.stats().up.passed).toBeGreaterThan(100)
  },
  longMs,
)

test(
  'a link that is cut while it carries loses nothing, and carries again',
  async () => {
    const port = await openPort()
    const { far, seen } = admit(port)
    const { near } = call()
    const relays = [
      await relay(port.port, { sourceAddress: '127.0.0.11', shape: { kbps: 6000 } }),
      await relay(port.port, { sourceAddress: '127.0.0.12', shape: { kbps: 6000 } }),
    ]
    addLinks(near, relays)
    await until(() => upOf(near).every(Boolean))
    const stream = near.open('tcp 1')
    const opened = await until(() => seen.streams[0], longMs)
    const parts: Buffer[] = []
    opened.stream.on('data', (part: Buffer) => parts.push(part))
    const bytes = () => parts.reduce((sum, { length }) => sum + length, 0)
    const sent = randomBytes(3_000_000)
    stream.write(sent)
    await until(() => bytes() > 100_000, longMs)
    relays[0]?.cut()
    await until(() => upOf(near)[0] === false && far.links().length === 1, longMs)
    const before = bytes()
    await until(() => bytes() > before + 300_000, longMs)
    relays[0]?.restore()
    await until(() => upOf(near).every(Boolean), longMs)
    await until(() => bytes() === sent.length, longMs)
    expect(sumOf(Buffer.concat(parts))).toBe(sumOf(sent))
  },
  longMs,
)

test(
  'a reader that stops reading holds up its own stream alone',
  async () => {
    const port = await openPort()
    const { seen } = admit(port)
    const { near } = call()
    addLinks(near, [await relay(port.port)])
    await until(() => upOf(near)[0])
    const [stuck, other] = [near.open('tcp 1'), near.open('tcp 1')]
    const large = randomBytes(3_000_000)
    stuck.end(large)
    other.end(large)
    await until(() => seen.streams.length === 2, longMs)
    const [first, second] = seen.streams.map(({ stream }) => stream)
    expect(sumOf(await read(second!))).toBe(sumOf(large))
    expect(first!.readableLength).toBeLessThan(1_500_000)
    expect(sumOf(await read(first!))).toBe(sumOf(large))
  },
  longMs,
)

test(
  'an end that has started again begins again, and earlier streams end at the other one',
  async () => {
    let port = await openPort()
    let { seen } = admit(port)
    const { near } = call()
    near.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: port.port })
    await until(() => upOf(near)[0])
    const stream = near.open('tcp 1')
    stream.write('before')
    await until(() => (seen.streams[0]?.stream.readableLength ?? 0) > 0, longMs)
    const ended = new Promise<string>((resolve) => stream.on('error', ({ message }) => resolve(message)))
    const place = port.port
    await port.close()
    port = await openPort(place)
    ;({ seen } = admit(port))
    // All earlier records may have been acknowledged: then this end notices only by later ones.
    stream.write('more')
    expect(await ended).toMatch(/started again|tunnel has ended/)
    await until(() => upOf(near)[0], longMs)
    near.open('tcp 2').end('after')
    const opened = await until(() => seen.streams.find((one) => one.place === 'tcp 2'), longMs)
    expect((await read(opened.stream)).toString()).toBe('after')
  },
  longMs,
)

test(
  'datagrams come as they are sent, to their place and back',
  async () => {
    const port = await openPort()
    const { far, seen } = admit(port)
    const { near, seen: back } = call()
    addLinks(near, [await relay(port.port), await relay(port.port, { sourceAddress: '127.0.0.12' })])
    await until(() => upOf(near).every(Boolean))
    near.sendDatagram({ place: 3, flow: 77, bytes: Buffer.from('question') })
    const [one] = await until(() => (seen.datagrams.length > 0 ? seen.datagrams : undefined), longMs)
    expect([one?.place, one?.flow, one?.bytes.toString()]).toEqual([3, 77, 'question'])
    await until(() => far.links().length === 2)
    far.sendDatagram({ place: 3, flow: 77, bytes: Buffer.from('answer') })
    await until(() => back.datagrams[0]?.bytes.toString() === 'answer', longMs)
  },
  longMs,
)

test(
  'without the key of a session nothing is answered, carried or opened',
  async () => {
    const port = await openPort()
    const { seen } = admit(port)
    const wrong = call({ ...session, key: new Uint8Array(32).fill(6) }).near
    const other = call({ ...session, sessionId: 'db-2' }).near
    const right = call().near
    for (const near of [wrong, other, right])
      near.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: port.port })
    for (const near of [wrong, other]) near.open('stranger').end('stranger')
    right.open('tcp 1').end('known')
    await until(() => seen.streams.length > 0, longMs)
    expect(seen.streams.map(({ place }) => place)).toEqual(['tcp 1'])
    expect([upOf(wrong), upOf(other)]).toEqual([[false], [false]])
  },
  longMs,
)
