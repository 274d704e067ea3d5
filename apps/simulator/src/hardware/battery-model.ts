/** A unit's battery: three to four hours live, nine at rest, charged at the base, in the car or when the crew notices. */
import type { Battery } from '@backhaul/contract/nouns/battery'
import type { Random } from '../random.ts'

const restS = 9 * 3600
const chargeS = 1.6 * 3600
/** Below this charge a crew plugs in. */
const noticedPercent = 14
const enoughPercent = 70

export class BatteryModel {
  #percent: number
  #charging = false
  #plugged = false
  readonly #liveS: number
  readonly #isCareful: boolean

  constructor(random: Random) {
    this.#percent = random.between(28, 100)
    this.#liveS = random.between(3, 4) * 3600
    this.#isCareful = random.chance(0.85)
  }

  get isEmpty(): boolean {
    return this.#percent <= 0
  }

  /**
   * `drain` is a factor on the consumption; above 1 the crew does not notice in time. `effort` is that of the encoder
   * while it is live.
   */
  step(seconds: number, use: { live: boolean; power: boolean; drain: number; effort: number }): void {
    if (this.#percent < noticedPercent && this.#isCareful) this.#plugged = true
    if (this.#percent > enoughPercent) this.#plugged = false
    const hasPower = (use.power || this.#plugged) && use.drain <= 1
    this.#charging = hasPower && this.#percent < 99.5
    const perSecond = hasPower
      ? 100 / chargeS
      : (-100 / (use.live ? this.#liveS / use.effort : restS)) * use.drain
    this.#percent = Math.min(100, Math.max(0, this.#percent + perSecond * seconds))
  }

  /** The crew replaces it with a full one. */
  swap(): void {
    this.#percent = 96
  }

  telemetry(): Battery {
    return { connected: true, charging: this.#charging, percentage: Math.ceil(this.#percent) }
  }
}
