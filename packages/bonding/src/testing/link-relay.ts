// A simulated link for tests: a UDP relay with rate, queue, delay, jitter and loss that can be cut and restored.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { bindPortPair, type PortPair } from '../port-pair.ts'
import { type LinkShape, LinkShaper, OPEN_SHAPE, seededRandom } from './link-shaper.ts'

const TICK_MS = 1

export type LinkRelayOptions = {
  /** The receiver behind the link; its control port is the next one. */
  targetHost: string
  targetPort: number
  /** Address the relay sends from, such as 127.0.0.11: the link's address as the receiver sees it. */
  sourceAddress?: string
  listenHost?: string
  /** Even; 0 takes any free pair. */
  listenPort?: number
  /** Towards the receiver. The way back has the same delay, jitter and loss, without a rate. */
  shape?: Partial<LinkShape>
  /** The same seed loses the same packets. */
  seed?: number
}

export type LinkRelay = {
  readonly host: string
  /** Where the sender sends to, as if it were the receiver. */
  readonly port: number
  setShape(shape: Partial<LinkShape>): void
  /** Nothing passes in either direction; what waits is lost. */
  cut(): void
  /** Drops packets to the receiver; those from it still pass. */
  blackHole(): void
  restore(): void
  stats(): { up: { passed: number; dropped: number }; down: { passed: number; dropped: number } }
  close(): Promise<void>
}

type Parcel = { atMs: number; deliver: () => void }

/** One direction: parcels leave in order when their time has come. */
class RelayLane {
  open = true
  readonly shaper: LinkShaper
  #parcels: Parcel[] = []

  constructor(shaper: LinkShaper) {
    this.shaper = shaper
  }

  offer(bytes: number, deliver: () => void): void {
    const atMs = this.open ? this.shaper.offer(bytes, performance.now()) : null
    if (atMs !== null) this.#parcels.push({ atMs, deliver })
  }

  run(nowMs: number): void {
    let due = 0
    for (const parcel of this.#parcels) {
      if (parcel.atMs > nowMs) break
      parcel.deliver()
      due++
    }
    if (due > 0) this.#parcels = this.#parcels.slice(due)
  }

  close(): void {
    this.open = false
    this.#parcels = []
    this.shaper.empty()
  }
}

async function bindUpstream(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address, port: 0 }, resolve)
  })
  socket.removeAllListeners('error')
  socket.on('error', () => {})
  return socket
}

/** Starts a relay for one sender: answers go to the last sender. */
export async function createLinkRelay(options: LinkRelayOptions): Promise<LinkRelay> {
  const host = options.listenHost ?? '127.0.0.1'
  const random = seededRandom(options.seed ?? 1)
  const shape = { ...OPEN_SHAPE, ...options.shape }
  const up = new RelayLane(new LinkShaper(shape, random))
  const down = new RelayLane(new LinkShaper({ ...shape, kbps: null }, random))
  const near = await bindPortPair(host, options.listenPort ?? 0)
  const far = await Promise.all([0, 1].map(() => bindUpstream(options.sourceAddress ?? '127.0.0.1')))
  const joined = [
    join(near, 'media', far[0]!, { host: options.targetHost, port: options.targetPort }, up, down),
    join(near, 'control', far[1]!, { host: options.targetHost, port: options.targetPort + 1 }, up, down),
  ]
  const timer = setInterval(() => {
    up.run(performance.now())
    down.run(performance.now())
  }, TICK_MS)
  return {
    host,
    port: near.port,
    setShape(change) {
      up.shaper.shape = { ...up.shaper.shape, ...change }
      down.shaper.shape = { ...down.shaper.shape, ...change, kbps: null }
    },
    cut() {
      up.close()
      down.close()
    },
    blackHole: () => up.close(),
    restore() {
      up.open = true
      down.open = true
    },
    stats: () => ({
      up: { passed: up.shaper.passed, dropped: up.shaper.dropped },
      down: { passed: down.shaper.passed, dropped: down.shaper.dropped },
    }),
    async close() {
      clearInterval(timer)
      await Promise.all(
        joined.flat().map((socket) => new Promise<void>((done) => socket.close(() => done()))),
      )
    },
  }
}

function join(
  near: PortPair,
  kind: 'media' | 'control',
  far: Socket,
  target: { host: string; port: number },
  up: RelayLane,
  down: RelayLane,
): Socket[] {
  const socket = near[kind]
  let client: RemoteInfo | null = null
  socket.on('error', () => {})
  socket.on('message', (datagram, from) => {
    client = from
    up.offer(datagram.length, () => far.send(datagram, target.port, target.host, () => {}))
  })
  far.on('message', (datagram) => {
    const to = client
    if (to) down.offer(datagram.length, () => socket.send(datagram, to.port, to.address, () => {}))
  })
  return [socket, far]
}
