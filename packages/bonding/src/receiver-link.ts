// The links a receiver sees: which media and control addresses belong together, and the figures of each link.

import { RateMeter } from './rate-meter.ts'
import type { RtcpItem } from './rtcp.ts'

const LINK_LIVE_MS = 700
const FORGET_AFTER_MS = 30_000
const MOST_LINKS = 64
const MOST_SOURCES = 512
const LATENESS_DECAY_PER_S = 0.8

export type Endpoint = { address: string; port: number }

export type ReceiverLinkStats = {
  /** The sender's link id when it is one of ours, else the address. */
  id: string
  /** Where its media comes from, or its control as long as no media came. */
  address: string
  live: boolean
  kbps: number
  rttMs: number | null
  /** Share of the packets sent over the link that did not arrive by it; null when the sender does not count them. */
  lostPercent: number | null
  /** Retransmitted packets that came by this link and filled a gap. */
  recovered: number
}

export class ReceiverLink {
  id: string
  control: Endpoint | null = null
  mediaAddress: string | null = null
  seenMs: number
  mediaMs = Number.NEGATIVE_INFINITY
  rttMs: number | null = null
  recovered = 0
  /** Highest index that came straight over this link: below it, the link brings nothing new. */
  highest = Number.NEGATIVE_INFINITY
  /** How late its latest packets were against the fastest link; decays slowly. */
  latenessMs = 0
  lastReport = { ntpMiddle: 0, atMs: 0 }
  /** When the sender got its last report about the link. */
  reportedMs = Number.NEGATIVE_INFINITY
  /** The sender is one of ours (by its CNAME). */
  isOurs = false
  fractionLost = 0
  cumulativeLost = 0
  #straightMs = 0
  #packets = 0
  #counted: { sent: number; received: number } | null = null
  #lostPercent: number | null = null
  readonly #bytes = new RateMeter()

  constructor(id: string, nowMs: number) {
    this.id = id
    this.seenMs = nowMs
  }

  live(nowMs: number): boolean {
    return nowMs - this.seenMs < LINK_LIVE_MS
  }

  noteMedia(bytes: number, nowMs: number): void {
    this.#packets++
    this.#bytes.add(bytes, nowMs)
    this.mediaMs = nowMs
  }

  noteStraight(index: number, latenessMs: number, nowMs: number): void {
    this.highest = Math.max(this.highest, index)
    const elapsedS = Math.max(0, nowMs - this.#straightMs) / 1000
    this.#straightMs = nowMs
    this.latenessMs = Math.max(latenessMs, this.latenessMs * LATENESS_DECAY_PER_S ** elapsedS)
  }

  noteRtt(rttMs: number): void {
    this.rttMs = this.rttMs === null ? rttMs : this.rttMs * 0.7 + rttMs * 0.3
  }

  /** A sender report counts what was sent over this link before it; it does not overtake media on its link. */
  noteReport(report: Extract<RtcpItem, { kind: 'senderReport' }>, nowMs: number): void {
    this.lastReport = { ntpMiddle: report.ntpMiddle, atMs: nowMs }
    if (report.packets === 0) return
    const now = { sent: report.packets, received: this.#packets }
    const before = this.#counted
    if (before && now.sent - before.sent < 20 && now.sent >= before.sent) return
    this.#counted = now
    if (!before || now.sent < before.sent) return
    const sent = now.sent - before.sent
    const lost = Math.max(0, sent - (now.received - before.received))
    const share = Math.min(1, lost / sent)
    this.#lostPercent = this.#lostPercent === null ? share * 100 : this.#lostPercent * 0.7 + share * 30
    this.fractionLost = Math.min(255, Math.floor(share * 256))
    this.cumulativeLost += lost
  }

  stats(nowMs: number): ReceiverLinkStats {
    return {
      id: this.id,
      address: this.mediaAddress ?? this.control?.address ?? '',
      live: this.live(nowMs),
      kbps: Math.round(this.#bytes.kbps(nowMs)),
      rttMs: this.rttMs === null ? null : Math.round(this.rttMs * 10) / 10,
      lostPercent: this.#lostPercent === null ? null : Math.round(this.#lostPercent * 10) / 10,
      recovered: this.recovered,
    }
  }
}

/**
 * Ties media sources to control sources. Our own senders name the link over both ports; others are matched by
 * the same address and port, by the next port of the same address (librist), by the same address alone.
 */
export class ReceiverLinks {
  readonly #links = new Set<ReceiverLink>()
  readonly #byMedia = new Map<string, ReceiverLink>()
  readonly #byName = new Map<string, ReceiverLink>()

  get isEmpty(): boolean {
    return this.#links.size === 0
  }

  all(): ReceiverLink[] {
    return [...this.#links]
  }

  /** Live links with a control address, nearest first. */
  answerable(nowMs: number): ReceiverLink[] {
    return this.all()
      .filter((link) => link.control && link.live(nowMs))
      .sort((a, b) => (a.rttMs ?? 100) - (b.rttMs ?? 100))
  }

  /** The link of a control datagram; `name` is the sender's link id when it is one of ours. */
  ofControl(from: Endpoint, name: string | null, nowMs: number): ReceiverLink | null {
    const link =
      (name === null ? this.#foreignControl(from) : this.#named(name, from)) ??
      this.#add(name ?? from.address, nowMs)
    if (!link) return null
    if (name !== null) {
      link.id = name
      link.isOurs = true
      this.#byName.set(name, link)
    }
    link.control = from
    link.seenMs = nowMs
    return link
  }

  /** The link of a media datagram. */
  ofMedia(from: Endpoint, nowMs: number): ReceiverLink | null {
    const key = keyOf(from)
    const known = this.#byMedia.get(key)
    const link = known ?? this.#guess(from) ?? this.#add(from.address, nowMs)
    if (!link) return null
    if (!known) {
      this.#byMedia.set(key, link)
      this.#trimSources()
    }
    link.mediaAddress = from.address
    link.seenMs = nowMs
    return link
  }

  /** Our sender named the link over the media port: this source now belongs to that link. */
  bindMedia(from: Endpoint, name: string): void {
    const link = this.#byName.get(name)
    if (!link) return
    const guessed = this.#byMedia.get(keyOf(from))
    this.#byMedia.set(keyOf(from), link)
    if (guessed && guessed !== link && !guessed.control) this.#remove(guessed)
  }

  forgetSilent(nowMs: number): void {
    for (const link of this.#links) if (nowMs - link.seenMs > FORGET_AFTER_MS) this.#remove(link)
  }

  clear(): void {
    this.#links.clear()
    this.#byMedia.clear()
    this.#byName.clear()
  }

  #named(name: string, from: Endpoint): ReceiverLink | undefined {
    // A link that was only known by its media, from the same address, is merged under its name.
    return (
      this.#byName.get(name) ?? this.all().find((link) => !link.control && link.mediaAddress === from.address)
    )
  }

  #foreignControl(from: Endpoint): ReceiverLink | undefined {
    const links = this.all()
    return (
      links.find((link) => link.control?.address === from.address && link.control.port === from.port) ??
      links.find((link) => !link.control && link.mediaAddress === from.address)
    )
  }

  #guess(from: Endpoint): ReceiverLink | undefined {
    const near = this.all().filter((link) => link.control?.address === from.address)
    return (
      near.find((link) => link.control?.port === from.port) ??
      near.find((link) => link.control?.port === from.port + 1) ??
      (near.length === 1 ? near[0] : undefined)
    )
  }

  /** A source whose port changes all the time must not fill the memory. */
  #trimSources(): void {
    const oldest = this.#byMedia.keys().next()
    if (this.#byMedia.size > MOST_SOURCES && !oldest.done) this.#byMedia.delete(oldest.value)
  }

  #add(id: string, nowMs: number): ReceiverLink | null {
    if (this.#links.size >= MOST_LINKS) return null
    const link = new ReceiverLink(id, nowMs)
    this.#links.add(link)
    return link
  }

  #remove(link: ReceiverLink): void {
    this.#links.delete(link)
    for (const [key, owner] of this.#byMedia) if (owner === link) this.#byMedia.delete(key)
    for (const [key, owner] of this.#byName) if (owner === link) this.#byName.delete(key)
  }
}

function keyOf(endpoint: Endpoint): string {
  return `${endpoint.address}:${endpoint.port}`
}
