// One browser at the push door: what it follows, which revision it holds of each, and what waits to be sent.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { PushBehind, PushRefused } from '@backhaul/contract/define/topic'
import type { WebSocket } from 'ws'
import type { PushReaderRights, PushTopic } from './push-topic.ts'
import type { SharedFrames } from './shared-frames.ts'

/** A browser with more than this unsent is sent nothing until it has read; it then gets the newest state. */
const BACKLOG_BYTES = 1024 * 1024
const missedPingsAtMost = 2
/** A snapshot of a whole fleet is sent in frames of about this size. */
const frameBytes = 512 * 1024

interface Held {
  topic: PushTopic
  seq: number
}

export interface NewReader {
  socket: WebSocket
  /** Its connection: frames that many readers share are written there, unless they have to be compressed. */
  wire: Duplex
  request: IncomingMessage
  rights: PushReaderRights
  frames: SharedFrames
  onDelivered: (topics: number) => void
}

export class PushReader {
  rights: PushReaderRights
  readonly request: IncomingMessage
  /** The followed topics, by name. */
  readonly held = new Map<string, Held>()
  readonly #socket: WebSocket
  readonly #wire: Duplex | undefined
  readonly #frames: SharedFrames
  readonly #onDelivered: (topics: number) => void
  #waiting: string[] = []
  #waitingBytes = 0
  #isBehind = false
  #missedPings = 0
  #idleSinceMs: number | undefined

  constructor({ socket, wire, request, rights, frames, onDelivered }: NewReader) {
    this.#socket = socket
    // Compressed frames wait for their turn within the socket, and each socket has its own dictionary.
    this.#wire = socket.extensions === '' ? wire : undefined
    this.#frames = frames
    this.request = request
    this.rights = rights
    this.#onDelivered = onDelivered
  }

  /** It reads too slowly for what it follows. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  get #isFull(): boolean {
    return this.#socket.bufferedAmount + this.#waitingBytes > BACKLOG_BYTES
  }

  /** Queues the changes of one topic; false when the reader is behind and gets them later. */
  bringUpToDate(name: string): boolean {
    const held = this.held.get(name)
    if (!held || held.seq >= held.topic.seq) return false
    if (this.#isFull) {
      this.#isBehind = true
      return false
    }
    const text = held.topic.messagesSince(held.seq)
    held.seq = held.topic.seq
    if (text !== '') this.#put(text)
    return text !== ''
  }

  /** After a backlog: everything that it missed, as one change of each topic. True when something waits. */
  catchUp(): boolean {
    if (!this.#isBehind || this.#isFull) return false
    this.#isBehind = false
    let any = false
    for (const name of this.held.keys()) {
      if (this.bringUpToDate(name)) any = true
      if (this.#isBehind) break
    }
    return any
  }

  /** Sends by how much the live data are late. */
  sendBehind(seconds: number): void {
    const behind: PushBehind = { kind: 'behind', seconds }
    this.#put(JSON.stringify(behind))
  }

  refuse(topics: readonly string[], message: string = 'role.notAllowed'): void {
    const refused: PushRefused = { kind: 'refused', topics: [...topics], message }
    this.#put(JSON.stringify(refused))
  }

  #put(text: string): void {
    this.#waiting.push(text)
    this.#waitingBytes += text.length
    if (this.#waitingBytes > frameBytes) this.flush()
  }

  /** Sends what is queued as one frame. */
  flush(): void {
    if (this.#waiting.length === 0) return
    if (this.#socket.readyState === this.#socket.OPEN) {
      if (this.#wire) this.#wire.write(this.#frames.of(this.#waiting))
      else this.#socket.send(`[${this.#waiting.join(',')}]`)
      this.#onDelivered(this.#waiting.length)
    }
    this.#waiting = []
    this.#waitingBytes = 0
  }

  /** The time for which it has followed nothing, by its calls so far. */
  idleFor(nowMs: number): number {
    if (this.held.size > 0) this.#idleSinceMs = undefined
    else this.#idleSinceMs ??= nowMs
    return nowMs - (this.#idleSinceMs ?? nowMs)
  }

  ping(): void {
    if (this.#missedPings++ >= missedPingsAtMost) this.#socket.terminate()
    else this.#socket.ping()
  }

  received(): void {
    this.#missedPings = 0
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
    // One that never reads would keep the closing handshake open for 30 s.
    if (this.#isFull) this.#socket.terminate()
  }
}
