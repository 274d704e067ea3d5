// Cuts a byte stream of MPEG-TS into payloads of seven 188-byte packets.

const TS_PACKET_BYTES = 188
const PAYLOAD_BYTES = 7 * TS_PACKET_BYTES
const SYNC_BYTE = 0x47
const EMPTY = Buffer.alloc(0)

export class TsCutter {
  #rest: Buffer = EMPTY

  /**
   * Whole payloads of 1316 bytes, in the memory of the caller where they came whole; what is left waits for the next
   * bytes. Bytes before a sync byte are dropped.
   */
  push(bytes: Uint8Array): Buffer[] {
    let stream =
      this.#rest.length > 0
        ? Buffer.concat([this.#rest, bytes])
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const payloads: Buffer[] = []
    for (;;) {
      if (stream.length > 0 && stream[0] !== SYNC_BYTE) {
        const sync = stream.indexOf(SYNC_BYTE)
        stream = sync < 0 ? EMPTY : stream.subarray(sync)
      }
      if (stream.length < PAYLOAD_BYTES) break
      payloads.push(stream.subarray(0, PAYLOAD_BYTES))
      stream = stream.subarray(PAYLOAD_BYTES)
    }
    // A copy: the caller may use its memory again.
    this.#rest = stream.length > 0 ? Buffer.from(stream) : EMPTY
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
