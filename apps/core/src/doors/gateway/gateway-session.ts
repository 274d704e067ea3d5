// One socket of a device, from its first message to its close.
import type { FromCore } from '@backhaul/contract/gateway/gateway'
import type { DeviceKind } from '@backhaul/contract/gateway/shared'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { WebSocket } from 'ws'
import { FloodLimit } from './flood-limit.ts'
import { Lane, type Parsed } from './lane.ts'

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

const missedPingsAtMost = 2

interface NewSession {
  socket: WebSocket
  address: string
  clock: Clock
  /** For how long core has not read from any socket, since its start. */
  unreadMs: number
  take: (session: GatewaySession, message: Buffer | Parsed) => void
}

export class GatewaySession {
  phase: SessionPhase = 'unknown'
  device: KnownDevice | undefined
  /** The hash of its token; a device may get another meanwhile. */
  tokenHash = ''
  bootId = ''
  readonly address: string
  readonly lane: Lane
  /** Core has refused it; further messages are ignored. */
  isRefused = false
  /** Runs while its next message is due. */
  silence: Timer | undefined
  readonly #limit: FloodLimit
  readonly #socket: WebSocket
  readonly #clock: Clock
  readonly #answerWaiters: (() => void)[] = []
  #missedPings = 0
  #pausedSinceMs: number | undefined
  #pausedMs = 0

  constructor({ socket, address, clock, unreadMs, take }: NewSession) {
    this.#socket = socket
    this.#clock = clock
    this.address = address
    this.#limit = new FloodLimit(clock.monotonicMs(), unreadMs)
    this.lane = new Lane({
      take: (message) => take(this, message),
      pause: () => {
        this.#pausedSinceMs = clock.monotonicMs()
        socket.pause()
      },
      resume: () => {
        this.#pausedMs += clock.monotonicMs() - (this.#pausedSinceMs ?? clock.monotonicMs())
        this.#pausedSinceMs = undefined
        this.#missedPings = 0
        socket.resume()
      },
    })
  }

  /** Counts one message; false when there are too many. `unreadMs` is for how long core as a whole did not read. */
  mayGoOn(unreadMs: number): boolean {
    return this.#limit.take(this.#clock.monotonicMs(), unreadMs + this.#pausedMs)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
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

  /** Something was received: the device is alive. */
  received(): void {
    this.#missedPings = 0
    if (this.#answerWaiters.length > 0) for (const waiter of this.#answerWaiters.splice(0)) waiter()
  }

  /** Keep-alive: a device that left two pings unanswered is gone. */
  ping(): void {
    // While core does not read from it, its answers wait too.
    if (this.#pausedSinceMs !== undefined) return
    if (this.#missedPings++ >= missedPingsAtMost) this.terminate()
    else if (this.isOpen) this.#socket.ping()
  }

  /** Whether the device answers a ping within the time. */
  answers(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.#clock.setTimeout(() => resolve(false), withinMs)
      this.#answerWaiters.push(() => {
        this.#clock.clearTimeout(timer)
        resolve(true)
      })
      if (this.isOpen) this.#socket.ping()
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
    this.#clock.setTimeout(() => this.#socket.terminate(), 2000)
  }

  terminate(): void {
    this.#socket.terminate()
  }
}
