// One socket of a device, from its first message to its close.
import type { FromCore } from '@backhaul/contract/gateway/gateway'
import type { DeviceKind } from '@backhaul/contract/gateway/shared'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import { DeviceQueue, type Parsed, type QueueEnds } from './device-queue.ts'
import type { DeviceSocket, DeviceSocketEnds } from './device-socket.ts'
import { FloodLimit } from './flood-limit.ts'

export interface KnownDevice {
  id: string
  kind: DeviceKind
}

/**
 * 1. unknown: dialled without a token, may only register;
 * 2. registering: its key is being looked up;
 * 3. known: has an identity, has to send its hello;
 * 4. checking: sent its hello while another socket of the same identity may be alive;
 * 5. open: greeted, its messages are handled;
 * 6. retired: replaced by a newer socket of the same device, or refused; its messages are ignored.
 */
export type SessionPhase = 'unknown' | 'registering' | 'known' | 'checking' | 'open' | 'retired'

/** In turns of the keep-alive, of which there is one a second. */
const [pingedAfter, goneAfter] = [15, 45]

/** The services of the gateway for all sessions. */
export interface SessionHost {
  readonly clock: Clock
  /** The time for which core has not read from any socket, since its start. */
  readonly unreadMs: number
  arrived(session: GatewaySession, bytes: Buffer, isBinary: boolean): void
  take(session: GatewaySession, message: Buffer | Parsed): void
  broken(session: GatewaySession, isTooLarge: boolean): void
  closed(session: GatewaySession): void
}

const noWaiters: readonly (() => void)[] = []

export class GatewaySession implements DeviceSocketEnds, QueueEnds {
  phase: SessionPhase = 'unknown'
  device: KnownDevice | undefined
  /** The hash of its token; a device may get another meanwhile. */
  tokenHash = ''
  bootId = ''
  readonly address: string
  readonly queue: DeviceQueue
  /** Core has refused it; further messages are ignored. */
  isRefused = false
  /** Runs while its next message is due. */
  silence: Timer | undefined
  readonly #limit: FloodLimit
  readonly #socket: DeviceSocket
  readonly #host: SessionHost
  #answerWaiters = noWaiters
  /** Turns of the keep-alive since it last sent something. */
  #silentFor = 0
  #pausedSinceMs: number | undefined
  #pausedMs = 0

  constructor(socket: DeviceSocket, address: string, host: SessionHost) {
    this.#socket = socket
    this.#host = host
    this.address = address
    this.#limit = new FloodLimit(host.clock.monotonicMs(), host.unreadMs)
    this.queue = new DeviceQueue(this)
  }

  message(bytes: Buffer, isBinary: boolean): void {
    this.#received()
    if (this.isOpen) this.#host.arrived(this, bytes, isBinary)
  }

  pong(): void {
    this.#received()
  }

  broken(isTooLarge: boolean): void {
    this.#host.broken(this, isTooLarge)
  }

  closed(): void {
    this.#host.closed(this)
  }

  take(message: Buffer | Parsed): void {
    this.#host.take(this, message)
  }

  pause(): void {
    this.#pausedSinceMs = this.#host.clock.monotonicMs()
    this.#socket.pause()
  }

  resume(): void {
    const nowMs = this.#host.clock.monotonicMs()
    this.#pausedMs += nowMs - (this.#pausedSinceMs ?? nowMs)
    this.#pausedSinceMs = undefined
    this.#silentFor = 0
    this.#socket.resume()
  }

  /** Counts one message; false when there are too many. */
  mayGoOn(): boolean {
    const { clock, unreadMs } = this.#host
    return this.#limit.take(clock.monotonicMs(), unreadMs + this.#pausedMs)
  }

  get isOpen(): boolean {
    return this.#socket.isOpen
  }

  get isLoopback(): boolean {
    return this.address === '::1' || this.address.startsWith('127.')
  }

  /** False, and nothing is sent, when the socket is closing. */
  send(message: FromCore): boolean {
    if (!this.isOpen) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  /** Messages that are sent meanwhile leave in one write. */
  together(send: () => void): void {
    this.#socket.together(send)
  }

  /** The device is alive. */
  #received(): void {
    this.#silentFor = 0
    if (this.#answerWaiters.length === 0) return
    const waiters = this.#answerWaiters
    this.#answerWaiters = noWaiters
    for (const waiter of waiters) waiter()
  }

  /**
   * Once a second: one that is silent is pinged, and one that has left two pings unanswered is gone. A unit sends figures each
   * second; pinging a whole fleet at one moment would delay every user.
   */
  keepAlive(): void {
    // Its messages wait while core does not read from it.
    if (this.#pausedSinceMs !== undefined) return
    this.#silentFor++
    if (this.#silentFor >= goneAfter) this.terminate()
    else if (this.#silentFor % pingedAfter === 0) this.#socket.ping()
  }

  /** Whether the device answers a ping within the time. */
  answers(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.#host.clock.setTimeout(() => resolve(false), withinMs)
      const answered = () => {
        this.#host.clock.clearTimeout(timer)
        resolve(true)
      }
      this.#answerWaiters = [...this.#answerWaiters, answered]
      this.#socket.ping()
    })
  }

  /** Sends the reason and closes; an open device goes offline by the close event. */
  refuse(code: number, message: string): void {
    this.send({ type: 'refused', code, message })
    this.close(code, message)
  }

  close(code: number, reason: string): void {
    this.isRefused = true
    // A close reason may have 123 bytes.
    this.#socket.close(code, Buffer.from(reason).subarray(0, 120).toString())
    this.#host.clock.setTimeout(() => this.#socket.terminate(), 2000)
  }

  terminate(): void {
    this.#socket.terminate()
  }
}
