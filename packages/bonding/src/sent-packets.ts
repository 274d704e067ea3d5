// What a sender keeps for retransmission: every packet younger than the buffer, oldest first.

/** 16-bit sequence numbers must stay unambiguous, so never more than half of them. */
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
  readonly #bySequence = new Map<number, SentPacket>()

  get size(): number {
    return this.#bySequence.size
  }

  add(packet: SentPacket): void {
    // A number that is used again must move to the end: the map's order is the order of age.
    this.#bySequence.delete(packet.sequence)
    this.#bySequence.set(packet.sequence, packet)
    if (this.#bySequence.size <= MOST_KEPT) return
    const oldest = this.#bySequence.keys().next()
    if (!oldest.done) this.#bySequence.delete(oldest.value)
  }

  find(sequence: number): SentPacket | undefined {
    return this.#bySequence.get(sequence)
  }

  /** Packets whose last transmission went over the link at or after the time: those it may have lost. */
  sentOver(linkId: string, sinceMs: number): SentPacket[] {
    const found: SentPacket[] = []
    for (const packet of this.#bySequence.values()) {
      if (packet.linkId === linkId && packet.sentMs !== null && packet.sentMs >= sinceMs) found.push(packet)
    }
    return found
  }

  dropOlderThan(createdMs: number): void {
    for (const packet of this.#bySequence.values()) {
      if (packet.createdMs >= createdMs) break
      this.#bySequence.delete(packet.sequence)
    }
  }
}
