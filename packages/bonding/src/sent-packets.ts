// The packets that a sender keeps for retransmission: every packet younger than the buffer, oldest first.

import { Places } from './places.ts'

/** 16-bit sequence numbers must remain unambiguous, so never more than half of them. */
const MOST_KEPT = 32_768

export type SentPacket = {
  sequence: number
  datagram: Buffer
  createdMs: number
  /** Null while the packet waits for its first transmission. */
  sentMs: number | null
  /** The link that carried it last. */
  linkId: string | null
  retransmissions: number
}

export class SentPackets {
  readonly #places = new Places<SentPacket>()
  #oldest = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The packet whose number follows the last one. */
  add(packet: SentPacket): void {
    if (this.#size === 0) this.#oldest = packet.sequence
    if (this.#size === MOST_KEPT) this.#dropOldest()
    this.#size++
    this.#places.reach(this.#oldest, this.#size)
    this.#places.set(packet.sequence, packet)
  }

  find(sequence: number): SentPacket | undefined {
    const behind = (sequence - this.#oldest) & 0xffff
    return behind < this.#size ? this.#places.get(sequence) : undefined
  }

  /** Packets whose last transmission went over the link at or after the time: those it may have lost. */
  sentOver(linkId: string, sinceMs: number): SentPacket[] {
    return this.#all().filter(
      (packet) => packet.linkId === linkId && packet.sentMs !== null && packet.sentMs >= sinceMs,
    )
  }

  dropOlderThan(createdMs: number): void {
    for (;;) {
      const oldest = this.find(this.#oldest)
      if (!oldest || oldest.createdMs >= createdMs) return
      this.#dropOldest()
    }
  }

  #dropOldest(): void {
    this.#places.set(this.#oldest, undefined)
    this.#oldest = (this.#oldest + 1) & 0xffff
    this.#size--
  }

  #all(): SentPacket[] {
    return Array.from({ length: this.#size }, (_, at) => this.find((this.#oldest + at) & 0xffff)!)
  }
}
