/** A model of a live unit's encoder: its rate follows the links, and its bytes are distributed over them. */

export interface Spread {
  /** Sent over each link, in the order given. */
  linkKbps: number[]
  encoderKbps: number
  /** Repaired packets, and packets that remained lost, in this step. */
  recovered: number
  uncorrected: number
}

/** Repair and headers cost about this share on top of the picture. */
const overhead = 1.08
const packetBits = 1316 * 8
const leastKbps = 250

export class EncoderModel {
  /** The present rate; it falls immediately and rises slowly. */
  kbps = leastKbps
  /** The limit of everything sent, with repair and headers. */
  limitKbps = Infinity
  #wantedKbps: number

  constructor(wantedKbps: number) {
    this.#wantedKbps = wantedKbps
  }

  /** A new transmission begins low and rises step by step to the rate that all its pictures can use. */
  begin(wantedKbps: number): void {
    this.#wantedKbps = wantedKbps
    this.kbps = Math.min(this.#wantedKbps, 1200, this.limitKbps / overhead)
  }

  /** One step: `capacities` of the usable links in kbit/s, 0 where nothing may be sent; lower ranks first. */
  step(
    seconds: number,
    capacities: readonly number[],
    lossPercent: number,
    delayMs: number,
    ranks: readonly number[] = [],
  ): Spread {
    const total = capacities.reduce((sum, kbps) => sum + kbps, 0)
    const sent = this.kbps * overhead
    // A longer delay repairs a longer dip: what does not fit now still arrives in time.
    const patience = Math.min(1, delayMs / 3000)
    const missing = Math.max(0, sent - total * (1 + 0.25 * patience))
    const packets = (sent * 1000 * seconds) / packetBits
    const uncorrected = Math.round((missing / Math.max(1, sent)) * packets)
    const recovered = Math.round((Math.min(40, lossPercent) / 100) * packets)
    const linkKbps = filled(capacities, ranks, sent)
    const spread = { linkKbps, encoderKbps: Math.round(this.kbps), recovered, uncorrected }
    this.#adapt(seconds, total)
    return spread
  }

  #adapt(seconds: number, totalKbps: number): void {
    const room = Math.min(totalKbps * 0.78, this.limitKbps) / overhead
    const aim = Math.max(leastKbps, Math.min(this.#wantedKbps, room))
    if (aim < this.kbps) this.kbps += (aim - this.kbps) * Math.min(1, 0.7 * seconds)
    else this.kbps = Math.min(aim, this.kbps * 1.06 ** seconds)
  }
}

/** Rank by rank: each is filled before the next gets anything. */
function filled(capacities: readonly number[], ranks: readonly number[], kbps: number): number[] {
  const rankAt = (at: number) => ranks[at] ?? 0
  const linkKbps = capacities.map(() => 0)
  let left = kbps
  for (const rank of new Set(capacities.map((_, at) => rankAt(at)).toSorted())) {
    const room = capacities.reduce((sum, one, at) => (rankAt(at) === rank ? sum + one : sum), 0)
    const used = Math.min(left, room)
    left -= used
    for (const [at, one] of capacities.entries())
      if (rankAt(at) === rank && room > 0) linkKbps[at] = (used * one) / room
  }
  return linkKbps
}
