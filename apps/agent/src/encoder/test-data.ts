// Test data in place of a programme: as much as the links take, so that a speed test finds what they carry.
import type { Clock } from '@backhaul/runtime/clock'
import type { Encoder } from './encoder.ts'

const periodMs = 10
/** The excess that is offered over the present rate, because only traffic proves a rate. */
const headroom = 1.25
const highestKbps = 60_000
const packetBytes = 188
const payloadPackets = 7

export interface TestDataOptions {
  clock: Clock
  /** The estimated capacity of the links now. */
  targetKbps: () => number
  onPackets: (packets: Buffer) => void
}

/** Starts immediately; its encoder rate is the rate that it offers. */
export function startTestData({ clock, targetKbps, onPackets }: TestDataOptions): Encoder {
  const payload = Buffer.concat(Array.from({ length: payloadPackets }, nullPacket))
  let owedBytes = 0
  let lastMs = clock.monotonicMs()
  const offeredKbps = () => Math.min(highestKbps, targetKbps() * headroom)
  const timer = clock.setInterval(() => {
    const nowMs = clock.monotonicMs()
    // A pause of the process is not made up for: a burst would appear as a full link.
    owedBytes += (offeredKbps() * Math.min(nowMs - lastMs, 5 * periodMs)) / 8
    lastMs = nowMs
    const count = Math.floor(owedBytes / payload.length)
    owedBytes -= count * payload.length
    for (let sent = 0; sent < count; sent++) onPackets(payload)
  }, periodMs)
  return {
    changeRate() {},
    changeQuality() {},
    videoKbps: () => Math.round(offeredKbps()),
    faults: () => ({}),
    isChanging: () => false,
    async stop() {
      clock.clearInterval(timer)
    },
  }
}

/** ISO/IEC 13818-1: PID 0x1FFF, ignored by every receiver. */
function nullPacket(): Buffer {
  const packet = Buffer.alloc(packetBytes, 0xff)
  packet.set([0x47, 0x1f, 0xff, 0x10])
  return packet
}
