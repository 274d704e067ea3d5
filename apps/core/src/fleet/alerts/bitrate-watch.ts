// The bit rate of a unit before it fell, and the time since when it is next to nothing.
import { type AlertSeverity, bitrateLimits, severityAbove } from '@backhaul/contract/nouns/alerts'

/** Under which a unit sends: another transmission or a lower limit starts it again. */
export interface SendingTerms {
  transmissionId: string
  /** Ports of links that are switched off. */
  disabled: readonly number[]
  /** In kbit/s, always in the same order. */
  limits: readonly number[]
}

/** One second of a unit that is active for alerts. */
export interface SentSecond {
  kbps: number
  /** It transmits, or tries to; not for a speed test, and not only storing. */
  transmits: boolean
  isConnecting: boolean
  hasLink: boolean
  nowMs: number
}

/** The present bit rate as far as it is known. */
export interface Bitrate {
  kbps: number
  /** The mean before it fell; undefined while too few seconds are known. */
  usualKbps: number | undefined
  /** It has been next to nothing for longer than tolerated. */
  isStarved: boolean
}

/**
 * The bit rate of a unit:
 * 1. beginning: fewer seconds are known than a mean needs; only the floor counts; to 2 when they are known;
 * 2. usual: each second is compared with the mean of the minute before it; to 3 when an alert is raised;
 * 3. fallen: an alert is active; the earlier mean is kept, no second is added; to 2 (or 1) when the alert clears.
 * Another transmission, a link switched off and a lower limit lead to 1 from everywhere.
 */
export class BitrateWatch {
  #terms: SendingTerms
  #before: number[]
  #newest: SentSecond | undefined
  #starvedSinceMs: number | undefined

  /** `usualKbps` is known of an alert that was active before core restarted or the unit came back. */
  constructor(terms: SendingTerms, usualKbps?: number) {
    this.#terms = terms
    this.#before =
      usualKbps === undefined ? [] : new Array<number>(bitrateLimits.meanAtLeastS).fill(usualKbps)
  }

  get transmissionId(): string {
    return this.#terms.transmissionId
  }

  follow(terms: SendingTerms): void {
    const isAnother = terms.transmissionId !== this.#terms.transmissionId
    if (isAnother || isLowered(this.#terms, terms)) this.#before = []
    if (isAnother) this.pause()
    this.#terms = terms
  }

  /** Nothing is known of it for now; the usual rate is kept. */
  pause(): void {
    this.#newest = undefined
    this.#starvedSinceMs = undefined
  }

  /** Seconds with next to nothing are not part of the usual rate. */
  add(second: SentSecond, alertStands: boolean): void {
    const previous = this.#newest
    if (previous && !alertStands && previous.kbps >= bitrateLimits.floorKbps) {
      this.#before.push(previous.kbps)
      if (this.#before.length > bitrateLimits.meanS) this.#before.shift()
    }
    const isStarved = second.transmits && second.kbps < bitrateLimits.floorKbps
    const hasConnected = previous?.isConnecting === true && !second.isConnecting
    if (!isStarved || hasConnected) this.#starvedSinceMs = undefined
    if (isStarved) this.#starvedSinceMs ??= second.nowMs
    this.#newest = second
  }

  /** Undefined until a second is known. */
  now(nowMs: number): Bitrate | undefined {
    const newest = this.#newest
    if (!newest) return undefined
    const { floorAfterMs, connectingMs, meanAtLeastS } = bitrateLimits
    const patienceMs = newest.isConnecting && newest.hasLink ? connectingMs : floorAfterMs
    const isKnown = this.#before.length >= meanAtLeastS
    return {
      kbps: newest.kbps,
      usualKbps: isKnown
        ? this.#before.reduce((sum, kbps) => sum + kbps, 0) / this.#before.length
        : undefined,
      isStarved: this.#starvedSinceMs !== undefined && nowMs - this.#starvedSinceMs >= patienceMs,
    }
  }
}

const isLowered = (before: SendingTerms, now: SendingTerms): boolean =>
  now.disabled.some((port) => !before.disabled.includes(port)) ||
  now.limits.some((kbps, at) => kbps < (before.limits[at] ?? Infinity))

/** `active` is the severity of the present alert: it clears at a higher rate than it was raised at. */
export function bitrateSeverity(
  { kbps, usualKbps, isStarved }: Bitrate,
  active: AlertSeverity | undefined,
  limits: { warning: number; critical: number },
): AlertSeverity | undefined {
  const { floorKbps, recoveredKbps } = bitrateLimits
  if (isStarved) return 'critical'
  if (active === 'critical' && kbps < (usualKbps === undefined ? recoveredKbps : floorKbps)) return 'critical'
  if (usualKbps === undefined) return undefined
  return severityAbove(((usualKbps - kbps) / usualKbps) * 100, limits, active)
}
