// Cuts a byte stream of MPEG-TS into payloads of seven 188-byte packets.

const TS_PACKET_BYTES = 188
const PAYLOAD_BYTES = 7 * TS_PACKET_BYTES
const SYNC_BYTE = 0x47

export class TsCutter {
  #rest: Buffer = Buffer.alloc(0)

  /** Whole payloads of 1316 bytes; what is left waits for the next bytes. Bytes before a sync byte are dropped. */
  push(bytes: Uint8Array): Buffer[] {
    // Always a copy: the caller may reuse its memory while packets wait for retransmission.
    let stream = Buffer.concat([this.#rest, bytes])
    const payloads: Buffer[] = []
    for (;;) {
      if (stream.length > 0 && stream[0] !== SYNC_BYTE) {
        const sync = stream.indexOf(SYNC_BYTE)
        stream = sync < 0 ? Buffer.alloc(0) : stream.subarray(sync)
      }
      if (stream.length < PAYLOAD_BYTES) break
      payloads.push(stream.subarray(0, PAYLOAD_BYTES))
      stream = stream.subarray(PAYLOAD_BYTES)
    }
    this.#rest = stream
    return payloads
  }

  /** Whether `flush` has something to give. */
  get hasWhole(): boolean {
    return this.#rest.length >= TS_PACKET_BYTES
  }

  /** The whole TS packets of an incomplete payload, or null when there is none. */
  flush(): Buffer | null {
    const whole = this.#rest.length - (this.#rest.length % TS_PACKET_BYTES)
    if (whole === 0) return null
    const payload = this.#rest.subarray(0, whole)
    this.#rest = this.#rest.subarray(whole)
    return payload
  }
}
