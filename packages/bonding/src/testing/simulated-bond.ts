// A sender and a receiver joined by simulated links in simulated time: minutes of streaming within a second.
import { ReceiverFlow, type ReceiverSession } from '../receiver-flow.ts'
import { SenderFlow } from '../sender-flow.ts'
import { type LinkShape, LinkShaper, OPEN_SHAPE, seededRandom } from './link-shaper.ts'
import { ContinuityCheck, TestStream } from './transport-stream.ts'

const STEP_MS = 1
const TURN_MS = 5

export type SimulatedLink = { up: LinkShaper; down: LinkShaper; cutUp: boolean; cutDown: boolean }
type Flight = { atMs: number; order: number; land: () => void }

export type SimulatedBondOptions = {
  links: Record<string, Partial<LinkShape>>
  bufferMs?: number
  receiverBufferMs?: number
  key?: Uint8Array
  receiver?: ReceiverSession
  seed?: number
  startKbps?: number
}

export class SimulatedBond {
  nowMs = 1_000_000
  readonly sender: SenderFlow
  readonly receiver: ReceiverFlow
  readonly continuity = new ContinuityCheck()
  readonly links = new Map<string, SimulatedLink>()
  longestPauseMs = 0
  /** The number of turns in which each end had work. */
  readonly turns = { sender: 0, receiver: 0 }
  /** Gets every media datagram that reaches the receiver; may return another one, or null to lose it. */
  tamper: (datagram: Buffer, linkId: string) => Buffer | null = (datagram) => datagram
  readonly #stream = new TestStream()
  readonly #flights: Flight[] = []
  #order = 0
  #deliveredMs: number | null = null

  constructor(options: SimulatedBondOptions) {
    const random = seededRandom(options.seed ?? 1)
    const sessionId = 'session-1'
    const bufferMs = options.bufferMs ?? 800
    this.sender = new SenderFlow({
      sessionId,
      bufferMs,
      key: options.key,
      transmit: (linkId, channel, datagram) => this.#goUp(linkId, channel, datagram),
    })
    this.receiver = new ReceiverFlow({
      ...(options.receiver ?? { sessionId, key: options.key }),
      bufferMs: options.receiverBufferMs ?? bufferMs,
      transmit: (to, datagram) => this.#goDown(to.address, datagram),
      deliver: (payload) => this.#deliver(payload),
    })
    for (const [id, shape] of Object.entries(options.links)) {
      const whole = { ...OPEN_SHAPE, ...shape }
      const down = { ...whole, kbps: null }
      this.links.set(id, {
        up: new LinkShaper(whole, random),
        down: new LinkShaper(down, random),
        cutUp: false,
        cutDown: false,
      })
      this.sender.addLink(id, this.nowMs, options.startKbps)
    }
  }

  /** Streams for a while; the rate may follow the sender's target. */
  run(ms: number, kbps: number | 'target'): void {
    const untilMs = this.nowMs + ms
    while (this.nowMs < untilMs) {
      this.nowMs += STEP_MS
      this.#land()
      // An encoder emits its bytes in bursts, not evenly.
      if (this.nowMs % 20 === 0) {
        const rate = kbps === 'target' ? Math.max(300, this.sender.targetKbps(this.nowMs) * 0.95) : kbps
        if (rate > 0) this.sender.push(this.#stream.during(20, rate), this.nowMs)
      }
      if (this.nowMs % TURN_MS !== 0) continue
      if (this.sender.dueMs() <= this.nowMs) {
        this.turns.sender++
        this.sender.tick(this.nowMs)
      }
      if (this.receiver.dueMs() <= this.nowMs) {
        this.turns.receiver++
        this.receiver.tick(this.nowMs)
      }
    }
  }

  link(id: string): SimulatedLink {
    const link = this.links.get(id)
    if (!link) throw new Error(`no link ${id}`)
    return link
  }

  cut(id: string): void {
    Object.assign(this.link(id), { cutUp: true, cutDown: true })
  }

  /** Drops packets upwards; those downwards still arrive. */
  blackHole(id: string): void {
    this.link(id).cutUp = true
  }

  restore(id: string): void {
    Object.assign(this.link(id), { cutUp: false, cutDown: false })
  }

  #deliver(payload: Uint8Array): void {
    if (this.#deliveredMs !== null) {
      this.longestPauseMs = Math.max(this.longestPauseMs, this.nowMs - this.#deliveredMs)
    }
    this.#deliveredMs = this.nowMs
    this.continuity.push(payload)
  }

  #goUp(linkId: string, channel: 'media' | 'control', datagram: Buffer): void {
    const link = this.links.get(linkId)
    const atMs = link && !link.cutUp ? link.up.offer(datagram.length, this.nowMs) : null
    if (atMs === null) return
    this.#fly(atMs, () => {
      if (link?.cutUp) return
      if (channel === 'control') {
        this.receiver.receiveControl(datagram, { address: linkId, port: 7001 }, this.nowMs)
        return
      }
      const arrived = this.tamper(datagram, linkId)
      if (arrived) this.receiver.receiveMedia(arrived, { address: linkId, port: 7000 }, this.nowMs)
    })
  }

  #goDown(linkId: string, datagram: Buffer): void {
    const link = this.links.get(linkId)
    const atMs = link && !link.cutDown ? link.down.offer(datagram.length, this.nowMs) : null
    if (atMs === null) return
    this.#fly(atMs, () => {
      if (!link?.cutDown) this.sender.receive(linkId, datagram, this.nowMs)
    })
  }

  #fly(atMs: number, land: () => void): void {
    const flight = { atMs, order: this.#order++, land }
    let place = this.#flights.length
    while (place > 0 && (this.#flights[place - 1]?.atMs ?? 0) > atMs) place--
    this.#flights.splice(place, 0, flight)
  }

  #land(): void {
    while ((this.#flights[0]?.atMs ?? Number.POSITIVE_INFINITY) <= this.nowMs) this.#flights.shift()?.land()
  }
}
