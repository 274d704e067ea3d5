// A made-up transport stream of constant rate with three PIDs, and a checker of its continuity.

const TS_PACKET_BYTES = 188
const PIDS = [0x100, 0x100, 0x100, 0x101, 0x100, 0x100, 0]

/** Makes TS packets whose continuity counters are right and whose payload carries a running number. */
export class TestStream {
  #made = 0
  #owedBytes = 0
  readonly #counters = new Map<number, number>()

  packets(count: number): Buffer {
    const bytes = Buffer.alloc(count * TS_PACKET_BYTES, 0xff)
    for (let at = 0; at < bytes.length; at += TS_PACKET_BYTES) {
      const pid = PIDS[this.#made % PIDS.length] ?? 0
      const counter = ((this.#counters.get(pid) ?? -1) + 1) & 15
      this.#counters.set(pid, counter)
      bytes[at] = 0x47
      bytes.writeUInt16BE(pid, at + 1)
      bytes[at + 3] = 0x10 | counter
      bytes.writeUInt32BE(this.#made++, at + 4)
    }
    return bytes
  }

  /** The bytes of a stream at that rate in that time; fractions carry over. */
  during(ms: number, kbps: number): Buffer {
    this.#owedBytes += (kbps * ms) / 8
    const count = Math.floor(this.#owedBytes / TS_PACKET_BYTES)
    this.#owedBytes -= count * TS_PACKET_BYTES
    return this.packets(count)
  }
}

/** Counts continuity errors per ISO/IEC 13818-1 §2.4.3.3 over chunks of whole TS packets. */
export class ContinuityCheck {
  packets = 0
  errors = 0
  lostSync = 0
  bytes = 0
  readonly #counters = new Map<number, number>()

  push(chunk: Uint8Array): void {
    this.bytes += chunk.length
    for (let at = 0; at + TS_PACKET_BYTES <= chunk.length; at += TS_PACKET_BYTES) {
      if (chunk[at] !== 0x47) {
        this.lostSync++
        continue
      }
      this.packets++
      const pid = (((chunk[at + 1] ?? 0) & 0x1f) << 8) | (chunk[at + 2] ?? 0)
      const flags = chunk[at + 3] ?? 0
      if (pid === 0x1fff || !(flags & 0x10)) continue
      const counter = flags & 15
      const last = this.#counters.get(pid)
      if (last !== undefined && counter !== ((last + 1) & 15) && counter !== last) this.errors++
      this.#counters.set(pid, counter)
    }
  }
}
