// One link of a sender: whether it answers, how fast it is, and its place in the schedule.
import { LinkRate } from './link-rate.ts'
import { RateMeter } from './rate-meter.ts'

const LINK_SILENCE_MS = 400
/** Answers come every 100 ms: when two are missing the link gets less traffic. */
const LINK_DOUBT_MS = 250
const DOUBTFUL_SHARE = 0.25

/**
 * 1. waiting: the far end has not answered yet; only RTCP goes out, media waits or takes another link;
 * 2. up: answers came within the last 400 ms; carries media;
 * 3. down: 400 ms without an answer; packets it may have lost are sent again elsewhere, RTCP continues as a probe;
 * 2. up again at the first answer, from half of its former rate.
 */
export type LinkCondition = 'waiting' | 'up' | 'down'

export type SenderLinkStats = {
  id: string
  /** Answers and enabled. */
  up: boolean
  condition: LinkCondition
  enabled: boolean
  /** Sent during the last second, retransmissions included. */
  kbps: number
  /** Estimate of what the link can carry at least. */
  capacityKbps: number
  rttMs: number | null
  /** Share of the last second's packets that were requested again. */
  lossPercent: number
  retransmittedKbps: number
  retransmittedPercent: number
  /** Packets requested again since the start. */
  nacked: number
}

export class SenderLink {
  readonly id: string
  readonly rate: LinkRate
  enabled = true
  condition: LinkCondition = 'waiting'
  /** Last proof that both directions work. */
  answeredMs = Number.NEGATIVE_INFINITY
  rttMs: number | null = null
  /** The far end is one of our receivers (by its CNAME). */
  ownKind = false
  /** Lower ranks are filled first; links of one rank share by what they carry. */
  rank = 0
  /** A limit holds it back. */
  isHeldBack = false
  /** An echo request that the next report answers. */
  asked: { ssrc: number; timestamp: bigint; atMs: number } | null = null
  packets = 0
  bytes = 0
  nacked = 0
  #answersEchoes = false
  #reportedHighest = 0
  #finish = 0
  #busyUntilMs = 0
  readonly #sentBytes = new RateMeter()
  readonly #sentPackets = new RateMeter()
  readonly #resentBytes = new RateMeter()
  readonly #nackedPackets = new RateMeter()

  constructor(id: string, startKbps: number, nowMs: number) {
    this.id = id
    this.rate = new LinkRate(startKbps, nowMs)
  }

  get usable(): boolean {
    return this.enabled && this.condition === 'up'
  }

  /**
   * Virtual finish time of a packet of that size on this link: the link with the smallest gets it, so each
   * carries its share by rate, slow ones too. Only the differences between links matter.
   */
  finishOf(bytes: number, nowMs: number): number {
    return this.#finish + (bytes * 8) / (this.rate.shareKbps * this.#trust(nowMs))
  }

  /** The usable rate: zero for a link that does not answer, little for one that answers late. */
  countedKbps(nowMs: number): number {
    return this.usable ? this.rate.kbps * this.#trust(nowMs) : 0
  }

  /** A link that joins starts level with the others, without a backlog. */
  joinAt(finish: number): void {
    this.#finish = finish
  }

  /** The backlog of the link, in milliseconds. */
  backlogMs(nowMs: number): number {
    return Math.max(0, this.#busyUntilMs - nowMs)
  }

  limitBacklog(byMs: number): void {
    this.#busyUntilMs -= byMs
  }

  noteSent(bytes: number, resent: boolean, nowMs: number): void {
    this.#finish = this.finishOf(bytes, nowMs)
    this.#busyUntilMs = Math.max(this.#busyUntilMs, nowMs) + (bytes * 8) / this.rate.kbps
    this.packets++
    this.bytes += bytes
    this.rate.noteSent(bytes)
    this.#sentBytes.add(bytes, nowMs)
    this.#sentPackets.add(1, nowMs)
    if (resent) this.#resentBytes.add(bytes, nowMs)
  }

  noteNacked(nowMs: number): void {
    this.nacked++
    this.rate.noteNacked()
    this.#nackedPackets.add(1, nowMs)
  }

  /** Any RTCP proves life until echoes are answered; from then on only answered echoes do, since they prove both directions. */
  noteRtcp(nowMs: number): void {
    if (!this.#answersEchoes) this.#noteAlive(nowMs)
  }

  /** Each increase of the receiver's count for this link proves that media gets through. */
  noteReport(highestSequence: number, nowMs: number): void {
    if (highestSequence > this.#reportedHighest) this.#noteAlive(nowMs)
    this.#reportedHighest = highestSequence
  }

  noteEcho(rttMs: number, nowMs: number): void {
    this.#answersEchoes = true
    this.#noteAlive(nowMs)
    this.rttMs = this.rttMs === null ? rttMs : this.rttMs * 0.7 + rttMs * 0.3
    this.rate.noteRtt(rttMs, nowMs)
  }

  /** When its rate is to be adapted, or it counts as down if it does not answer before. */
  get dueMs(): number {
    if (this.condition !== 'up') return Number.POSITIVE_INFINITY
    return Math.min(this.rate.adaptsMs, this.answeredMs + LINK_SILENCE_MS)
  }

  /** True when the link has just gone down. */
  fallSilent(nowMs: number): boolean {
    if (this.condition !== 'up' || nowMs - this.answeredMs < LINK_SILENCE_MS) return false
    this.condition = 'down'
    return true
  }

  /** A link that is switched off is silent; after it is switched on it first needs an answer. */
  setEnabled(enabled: boolean): void {
    this.enabled = enabled
    this.condition = 'waiting'
  }

  resentKbps(nowMs: number): number {
    return this.#resentBytes.kbps(nowMs)
  }

  #trust(nowMs: number): number {
    return nowMs - this.answeredMs > LINK_DOUBT_MS ? DOUBTFUL_SHARE : 1
  }

  #noteAlive(nowMs: number): void {
    if (!this.enabled) return
    this.answeredMs = nowMs
    if (this.condition === 'up') return
    if (this.condition === 'down') this.rate.restart(nowMs)
    this.condition = 'up'
    this.#busyUntilMs = nowMs
  }

  stats(nowMs: number): SenderLinkStats {
    const sent = this.#sentPackets.perSecond(nowMs)
    const kbps = this.#sentBytes.kbps(nowMs)
    const retransmittedKbps = this.#resentBytes.kbps(nowMs)
    return {
      id: this.id,
      up: this.usable,
      condition: this.condition,
      enabled: this.enabled,
      kbps: Math.round(kbps),
      capacityKbps: Math.round(this.rate.kbps),
      rttMs: this.rttMs === null ? null : Math.round(this.rttMs * 10) / 10,
      lossPercent: percent(this.#nackedPackets.perSecond(nowMs), sent),
      retransmittedKbps: Math.round(retransmittedKbps),
      retransmittedPercent: percent(retransmittedKbps, kbps),
      nacked: this.nacked,
    }
  }
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.round(Math.min(1, part / whole) * 1000) / 10 : 0
}
