import { createSocket, type Socket } from 'node:dgram'
import { bindPortPair } from '../port-pair.ts'
import { type LinkShape, LinkShaper, OPEN_SHAPE, seededRandom } from './link-shaper.ts'

/** A relay in front of a receiver for tests: every local address that sends through it is a link of its own. */
export interface LinkGate {
  /** The port that the unit sends to; control is the port above. */
  readonly port: number
  /** From now on nothing of the link passes in either direction. */
  cut(address: string): void
  restore(address: string): void
  setShape(shape: Partial<LinkShape>): void
  /** Datagrams of all links so far, towards the receiver and back. */
  passed(): { up: number; down: number }
  /** Bytes of the link so far that came back from the receiver. */
  bytesBack(address: string): number
  close(): Promise<void>
}

interface GateAddresses {
  /** The address that the unit sends to; port 0 takes any free pair. */
  host: string
  port: number
  receiverHost: string
}

export async function openLinkGate(
  receiverPort: number,
  shape: Partial<LinkShape> = {},
  { host, port, receiverHost }: GateAddresses = { host: '127.0.0.1', port: 0, receiverHost: '127.0.0.1' },
): Promise<LinkGate> {
  const near = await bindPortPair(host, port)
  const cuts = new Set<string>()
  const shapers = new Map<string, LinkShaper>()
  const sockets: Socket[] = [near.media, near.control]
  const passed = { up: 0, down: 0 }
  const bytesBack = new Map<string, number>()
  let closed = false
  let current: LinkShape = { ...OPEN_SHAPE, ...shape }

  function shaperOf(address: string): LinkShaper {
    const shaper = shapers.get(address) ?? new LinkShaper(current, seededRandom(shapers.size + 1))
    shapers.set(address, shaper)
    return shaper
  }

  function later(atMs: number | null, run: () => void): void {
    if (atMs !== null) setTimeout(() => !closed && run(), Math.max(0, atMs - performance.now()))
  }

  function join(socket: Socket, farPort: number): void {
    const fars = new Map<string, Socket>()
    socket.on('message', (datagram, from) => {
      if (cuts.has(from.address)) return
      const key = `${from.address} ${from.port}`
      const far = fars.get(key) ?? createSocket('udp4')
      if (!fars.has(key)) {
        fars.set(key, far)
        sockets.push(far)
        // The receiver sees each link at an address of its own, as in the field.
        far.bind({ address: from.address, port: 0 })
        far.on('error', () => {})
        far.on('message', (answer) => {
          if (cuts.has(from.address)) return
          passed.down++
          bytesBack.set(from.address, (bytesBack.get(from.address) ?? 0) + answer.length)
          socket.send(answer, from.port, from.address)
        })
      }
      const atMs = shaperOf(from.address).offer(datagram.length, performance.now())
      later(atMs, () => {
        passed.up++
        far.send(datagram, farPort, receiverHost, () => {})
      })
    })
  }

  join(near.media, receiverPort)
  join(near.control, receiverPort + 1)
  return {
    port: near.port,
    cut: (address) => void cuts.add(address),
    restore: (address) => void cuts.delete(address),
    setShape(change) {
      current = { ...current, ...change }
      for (const shaper of shapers.values()) shaper.shape = current
    },
    passed: () => ({ ...passed }),
    bytesBack: (address) => bytesBack.get(address) ?? 0,
    async close() {
      closed = true
      await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.close(() => done()))))
    },
  }
}
