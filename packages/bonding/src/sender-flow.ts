// The decisions of a bonded sender: numbers and seals packets, chooses links, answers NACKs; no sockets, no timers.
import { randomInt } from 'node:crypto'
import { readTerms } from './link-terms.ts'
import { type LinkLimit, RateLimit } from './rate-limit.ts'
import {
  echoRequest,
  echoResponse,
  type RtcpItem,
  readRtcp,
  senderReport,
  sourceDescription,
} from './rtcp.ts'
import { asRetransmission, type RtpHeader, rtpHeaderBytes, rtpTimestamp, writeRtpHeader } from './rtp.ts'
import { SenderLink, type SenderLinkStats } from './sender-link.ts'
import { type SentPacket, SentPackets } from './sent-packets.ts'
import { SessionOpener, SessionSealer, ssrcOfSession } from './session-seal.ts'
import { TsCutter } from './ts-cutter.ts'

const RTCP_INTERVAL_MS = 100
/** The interval at which packets that wait try the links again. */
const PACE_CHECK_MS = 10
const BINDING_INTERVAL_MS = 500
/** The end of a picture does not wait for the next one to fill its packet. */
const FLUSH_AFTER_MS = 5
/** Packets wait for a link while every link has this much ahead of it… */
const PACE_BACKLOG_MS = 60
/** …but not longer than this: then the estimates were too low, or the links are too slow. */
const LONGEST_PACING_MS = 150
/** A NACK that would wait longer than this is dropped; the receiver repeats it. */
const LONGEST_REPAIR_BACKLOG_MS = 200
const KEEP_BEYOND_BUFFER_MS = 200
const LONGEST_RTT_MS = 10_000
const TARGET_SHARE = 0.85
const USUAL_REPAIR_SHARE = 0.05
const DEFAULT_START_KBPS = 1000
/** More than any link carries. */
const UNLIMITED_KBPS = 1e9
/** CNAME prefix of our own receivers: only they are informed, on the media port, which link a packet came over. */
export const RECEIVER_CNAME = 'backhaul/'
/** CNAME prefix of a receiver that calls its sender; the id of the link follows. */
export const CALLER_CNAME = `${RECEIVER_CNAME}link/`
/** More links than any unit has. */
const MOST_CALLING_LINKS = 64

/** Media goes to the far end's even port, control to the odd port above it. */
export type SenderChannel = 'media' | 'control'

export type SenderFlowOptions = {
  sessionId: string
  /** The time for which a packet may be requested again, in milliseconds. */
  bufferMs: number
  /** 32 bytes; with it the session is encrypted and authenticated. */
  key?: Uint8Array | undefined
  transmit: (linkId: string, channel: SenderChannel, datagram: Buffer) => void
}

/** Messages received over a link from a receiver that calls. */
export type Call = { linkId: string; items: RtcpItem[] }

export class SenderFlow {
  bufferMs: number
  readonly ssrc: number
  readonly #transmit: SenderFlowOptions['transmit']
  readonly #links = new Map<string, SenderLink>()
  #ranks: Readonly<Record<string, number>> = {}
  /** Smaller ones first: a limit of all links comes after those of some. */
  #limits: readonly RateLimit[] = []
  readonly #sent = new SentPackets()
  readonly #cutter = new TsCutter()
  readonly #sealer: SessionSealer | null
  readonly #opener: SessionOpener | null
  #waiting: SentPacket[] = []
  #index = randomInt(0, 0x10000)
  #pushedMs = 0
  #tickedMs = Number.NEGATIVE_INFINITY
  #rtcpMs = Number.NEGATIVE_INFINITY
  #bindingMs = Number.NEGATIVE_INFINITY
  #rejected = 0
  /** The newest terms of a receiver that calls, which is another one after its restart. */
  #terms: { ssrc: number; revision: number } | undefined

  constructor(options: SenderFlowOptions) {
    this.bufferMs = options.bufferMs
    this.#transmit = options.transmit
    this.ssrc = ssrcOfSession(options.sessionId)
    const session = options.key && { key: options.key, sessionId: options.sessionId }
    this.#sealer = session ? new SessionSealer(session, 'sender') : null
    this.#opener = session ? new SessionOpener(session, 'receiver') : null
  }

  addLink(id: string, nowMs: number, startKbps = DEFAULT_START_KBPS): void {
    if (this.#links.has(id)) throw new Error(`links: id "${id}" is used twice`)
    const link = new SenderLink(id, startKbps, nowMs)
    link.rank = this.#ranks[id] ?? 0
    this.#links.set(id, link)
    // The new link sends its first report at the next tick.
    this.#rtcpMs = Number.NEGATIVE_INFINITY
    this.#bindingMs = Number.NEGATIVE_INFINITY
  }

  removeLink(id: string, nowMs: number): void {
    const link = this.#links.get(id)
    if (!link) return
    this.#links.delete(id)
    this.#resendFrom(link, nowMs)
  }

  enableLink(id: string, enabled: boolean, nowMs: number): void {
    const link = this.#links.get(id)
    if (!link || link.enabled === enabled) return
    link.setEnabled(enabled)
    if (!enabled) this.#resendFrom(link, nowMs)
    this.#rtcpMs = Number.NEGATIVE_INFINITY
  }

  /** By link id; 0 where none is named. */
  setRanks(ranks: Readonly<Record<string, number>>): void {
    this.#ranks = ranks
    for (const link of this.#links.values()) {
      link.rank = ranks[link.id] ?? 0
      link.joinAt(0)
    }
  }

  /** Replaces the earlier ones. */
  setLimits(limits: readonly LinkLimit[], nowMs: number): void {
    this.#limits = limits
      .map((limit) => new RateLimit(limit, nowMs))
      .toSorted((a, b) => a.links.size - b.links.size)
  }

  /** Accepts any number of bytes of an MPEG-TS. */
  push(tsBytes: Uint8Array, nowMs: number): void {
    this.#pushedMs = nowMs
    for (const payload of this.#cutter.push(tsBytes)) this.#enqueue(payload, nowMs)
    this.#drain(nowMs)
  }

  /** The time at which `tick` has something to do; call again after each call of the others. */
  dueMs(): number {
    let dueMs = Number.POSITIVE_INFINITY
    if (this.#links.size > 0) dueMs = this.#rtcpMs + RTCP_INTERVAL_MS
    if (this.#waiting.length > 0) dueMs = Math.min(dueMs, this.#tickedMs + PACE_CHECK_MS)
    if (this.#cutter.hasWhole) dueMs = Math.min(dueMs, this.#pushedMs + FLUSH_AFTER_MS)
    for (const link of this.#links.values()) dueMs = Math.min(dueMs, link.dueMs)
    return dueMs
  }

  /** Sends what waited, adapts the rates of the links, finds those that are down, reports. */
  tick(nowMs: number): void {
    this.#tickedMs = nowMs
    if (nowMs - this.#pushedMs >= FLUSH_AFTER_MS) {
      const rest = this.#cutter.flush()
      if (rest) this.#enqueue(rest, nowMs)
    }
    this.#sent.dropOlderThan(nowMs - this.bufferMs - KEEP_BEYOND_BUFFER_MS)
    for (const link of this.#links.values()) {
      if (link.fallSilent(nowMs)) this.#resendFrom(link, nowMs)
      if (link.condition === 'up') link.rate.adapt(nowMs)
    }
    this.#drain(nowMs)
    if (nowMs - this.#rtcpMs >= RTCP_INTERVAL_MS) this.#sendRtcp(nowMs)
  }

  /** A datagram that came back over a link. False when it was no RTCP of this session. */
  receive(linkId: string, datagram: Buffer, nowMs: number): boolean {
    const link = this.#links.get(linkId)
    if (!link?.enabled) return false
    const items = this.#open(datagram)
    if (!items) return false
    this.#takeAll(items, link, nowMs)
    return true
  }

  /** A datagram of a receiver that calls, from anywhere; null when it was none of this session. A new link is added. */
  openCall(datagram: Buffer, nowMs: number, startKbps?: number): Call | null {
    const items = this.#open(datagram)
    const named = items?.find((item) => item.kind === 'sourceDescription')
    if (!items || !named?.cname.startsWith(CALLER_CNAME)) return null
    const linkId = named.cname.slice(CALLER_CNAME.length)
    if (!this.#links.has(linkId) && this.#links.size >= MOST_CALLING_LINKS) return null
    if (!this.#links.has(linkId)) this.addLink(linkId, nowMs, startKbps)
    return { linkId, items }
  }

  takeCall({ linkId, items }: Call, nowMs: number): void {
    const link = this.#links.get(linkId)
    if (!link) return
    for (const item of items) if (item.kind === 'terms') this.#takeTerms(item, nowMs)
    this.#takeAll(items, link, nowMs)
  }

  stats(nowMs: number): {
    links: SenderLinkStats[]
    targetKbps: number
    limitKbps: number
    waitingPackets: number
    rejected: number
  } {
    return {
      links: [...this.#links.values()].map((link) => link.stats(nowMs)),
      targetKbps: this.targetKbps(nowMs),
      limitKbps: this.limitKbps(),
      waitingPackets: this.#waiting.length,
      rejected: this.#rejected,
    }
  }

  /** The target rate of the encoder: 85 % of the total of the live links, less while many packets are sent again. */
  targetKbps(nowMs: number): number {
    const counted = new Map<string, number>()
    let resent = 0
    for (const link of this.#links.values()) {
      counted.set(link.id, link.countedKbps(nowMs))
      resent += link.resentKbps(nowMs)
    }
    const total = this.#underLimits(counted)
    const repairs = Math.min(total * 0.4, Math.max(0, resent - total * USUAL_REPAIR_SHARE))
    return Math.round(total * TARGET_SHARE - repairs)
  }

  /** The rate that the limits allow on the links that are up, however fast they are; Infinity where one of them has none. */
  limitKbps(): number {
    const up = [...this.#links.values()].filter((link) => link.usable)
    const total = this.#underLimits(new Map(up.map(({ id }) => [id, UNLIMITED_KBPS])))
    return up.length > 0 && total < UNLIMITED_KBPS ? total : Number.POSITIVE_INFINITY
  }

  /** The sum of these rates after each limit has cut those of its links, which is done in the map. */
  #underLimits(rates: Map<string, number>): number {
    for (const limit of this.#limits) {
      const share = limit.kbps / sumOf(rates, limit.links)
      if (share < 1)
        for (const id of limit.links) if (rates.has(id)) rates.set(id, (rates.get(id) ?? 0) * share)
    }
    return sumOf(rates, rates.keys())
  }

  #takeTerms({ ssrc, revision, bytes }: Extract<RtcpItem, { kind: 'terms' }>, nowMs: number): void {
    if (this.#terms?.ssrc === ssrc && revision <= this.#terms.revision) return
    const terms = readTerms(bytes)
    if (!terms) return
    this.#terms = { ssrc, revision }
    this.setRanks(terms.ranks)
    this.setLimits(terms.limits, nowMs)
  }

  #enqueue(payload: Buffer, nowMs: number): void {
    const sequence = this.#index % 0x10000
    const rollOver = Math.floor(this.#index / 0x10000)
    this.#index++
    const header = { sequence, timestamp: rtpTimestamp(nowMs), ssrc: this.ssrc }
    const datagram = this.#sealer
      ? this.#sealer.sealMedia(header, rollOver, payload)
      : plainMedia(header, payload)
    const packet = { sequence, datagram, createdMs: nowMs, sentMs: null, linkId: null, retransmissions: 0 }
    this.#sent.add(packet)
    this.#waiting.push(packet)
  }

  /** Sends waiting packets at the pace of the links; keeps them while no link is up. */
  #drain(nowMs: number): void {
    let done = 0
    for (const packet of this.#waiting) {
      const ageMs = nowMs - packet.createdMs
      if (ageMs <= this.bufferMs) {
        const mayWait = ageMs < Math.min(LONGEST_PACING_MS, this.bufferMs / 4)
        const link = this.#choose(packet.datagram.length, nowMs, mayWait)
        if (!link) break
        const backlogMs = link.backlogMs(nowMs)
        if (backlogMs > PACE_BACKLOG_MS) {
          if (mayWait) break
          this.#limitBacklogs(backlogMs - PACE_BACKLOG_MS)
        }
        this.#send(packet, link, nowMs)
      }
      done++
    }
    if (done > 0) this.#waiting = this.#waiting.slice(done)
  }

  /** Keeps the order of the links when all of them are overbooked. */
  #limitBacklogs(byMs: number): void {
    for (const link of this.#links.values()) if (link.usable) link.limitBacklog(byMs)
  }

  #join(link: SenderLink, nowMs: number): void {
    const others = [...this.#links.values()].filter((other) => other.usable && other !== link)
    if (others.length > 0) link.joinAt(Math.min(...others.map((other) => other.finishOf(0, nowMs))))
  }

  /**
   * The link that a packet takes now, lower ranks first. One that may wait waits for the lowest rank; any other moves on
   * to the next rank when a rank is full, and when all are, to the one with the least ahead of it. None where limits hold all of them back.
   */
  #choose(
    bytes: number,
    nowMs: number,
    mayWait = false,
    avoid: string | null = null,
  ): SenderLink | undefined {
    let fallback: SenderLink | undefined
    let rank = this.#rankAbove(Number.NEGATIVE_INFINITY, avoid)
    while (rank < Number.POSITIVE_INFINITY) {
      const best = this.#soonestOf(rank, bytes, nowMs, avoid)
      if (mayWait || (best && best.backlogMs(nowMs) <= PACE_BACKLOG_MS)) return best
      if (best && (!fallback || best.backlogMs(nowMs) < fallback.backlogMs(nowMs))) fallback = best
      rank = this.#rankAbove(rank, avoid)
    }
    return fallback || avoid === null ? fallback : this.#choose(bytes, nowMs)
  }

  /** The next rank that has a usable link; Infinity when there is none. */
  #rankAbove(rank: number, avoid: string | null): number {
    let next = Number.POSITIVE_INFINITY
    for (const link of this.#links.values())
      if (link.usable && link.id !== avoid && link.rank > rank && link.rank < next) next = link.rank
    return next
  }

  /** The one that would be done first, of those of the rank that no limit holds back. */
  #soonestOf(rank: number, bytes: number, nowMs: number, avoid: string | null): SenderLink | undefined {
    let best: SenderLink | undefined
    let smallest = Number.POSITIVE_INFINITY
    for (const link of this.#links.values()) {
      if (!link.usable || link.rank !== rank || link.id === avoid || this.#isHeldBack(link, nowMs)) continue
      const finish = link.finishOf(bytes, nowMs)
      if (finish >= smallest) continue
      best = link
      smallest = finish
    }
    return best
  }

  #isHeldBack(link: SenderLink, nowMs: number): boolean {
    const isHeld = this.#limits.some((limit) => limit.links.has(link.id) && !limit.hasRoom(nowMs))
    // It has nothing to catch up of what others carried meanwhile.
    if (link.isHeldBack && !isHeld) this.#join(link, nowMs)
    link.isHeldBack = isHeld
    return isHeld
  }

  #send(packet: SentPacket, link: SenderLink, nowMs: number): void {
    const resent = packet.sentMs !== null
    const datagram = resent ? asRetransmission(packet.datagram) : packet.datagram
    if (resent) packet.retransmissions++
    packet.sentMs = nowMs
    packet.linkId = link.id
    link.noteSent(datagram.length, resent, nowMs)
    this.#hand(link, 'media', datagram, nowMs)
  }

  #repair(sequence: number, nowMs: number): void {
    const packet = this.#sent.find(sequence)
    if (!packet || packet.sentMs === null || nowMs - packet.createdMs > this.bufferMs) return
    const carrier = packet.linkId === null ? undefined : this.#links.get(packet.linkId)
    // Requested again before the last transmission can have arrived: several links carried the same request.
    if (nowMs - packet.sentMs < Math.max(15, (carrier?.rttMs ?? 50) * 0.8)) return
    carrier?.noteNacked(nowMs)
    const avoid = packet.retransmissions % 2 === 0 ? packet.linkId : null
    const link = this.#choose(packet.datagram.length, nowMs, false, avoid)
    if (!link || link.backlogMs(nowMs) > LONGEST_REPAIR_BACKLOG_MS) return
    this.#send(packet, link, nowMs)
  }

  #resendFrom(dead: SenderLink, nowMs: number): void {
    const sinceMs = Math.min(dead.answeredMs, nowMs) - (dead.rttMs ?? 100) - 50
    for (const packet of this.#sent.sentOver(dead.id, sinceMs)) {
      if (nowMs - packet.createdMs > this.bufferMs) continue
      const link = this.#choose(packet.datagram.length, nowMs, false, dead.id)
      if (!link || link === dead) return
      this.#send(packet, link, nowMs)
    }
  }

  #open(datagram: Buffer): RtcpItem[] | null {
    const compound = this.#opener ? this.#opener.openControl(datagram) : datagram
    const items = compound && readRtcp(compound)
    if (!items) this.#rejected++
    return items
  }

  #takeAll(items: readonly RtcpItem[], link: SenderLink, nowMs: number): void {
    const wasUsable = link.usable
    link.noteRtcp(nowMs)
    for (const item of items) this.#take(item, link, nowMs)
    if (link.usable && !wasUsable) this.#join(link, nowMs)
  }

  #take(item: RtcpItem, link: SenderLink, nowMs: number): void {
    if (item.kind === 'nack') {
      for (const sequence of item.sequences) this.#repair(sequence, nowMs)
    } else if (item.kind === 'echoResponse') {
      const rttMs = nowMs - Number(item.timestamp) / 1000 - item.delayUs / 1000
      if (rttMs >= 0 && rttMs < LONGEST_RTT_MS) link.noteEcho(rttMs, nowMs)
    } else if (item.kind === 'receiverReport' && item.highestSequence !== null) {
      link.noteReport(item.highestSequence, nowMs)
    } else if (item.kind === 'echoRequest' && link.ownKind) {
      link.asked = { ssrc: item.ssrc, timestamp: item.timestamp, atMs: nowMs }
    } else if (item.kind === 'echoRequest') {
      this.#control(link, [echoResponse(item.ssrc, item.timestamp)], nowMs)
    } else if (item.kind === 'sourceDescription' && !link.ownKind) {
      link.ownKind = item.cname.startsWith(RECEIVER_CNAME)
      if (link.ownKind) this.#control(link, [], nowMs, 'media')
    }
  }

  #sendRtcp(nowMs: number): void {
    this.#rtcpMs = nowMs
    const bind = nowMs - this.#bindingMs >= BINDING_INTERVAL_MS
    if (bind) this.#bindingMs = nowMs
    for (const link of this.#links.values()) {
      if (!link.enabled) continue
      const request = echoRequest(this.ssrc, BigInt(Math.round(nowMs * 1000)))
      this.#control(link, [request, ...takeAnswer(link, nowMs)], nowMs)
      // Behind a NAT the media port's source differs from the control port's: the same name over both ties them.
      if (bind && (link.ownKind || this.#sealer)) this.#control(link, [], nowMs, 'media')
    }
  }

  #control(link: SenderLink, items: Buffer[], nowMs: number, channel: SenderChannel = 'control'): void {
    const report = senderReport({
      ssrc: this.ssrc,
      wallMs: Date.now(),
      timestamp: rtpTimestamp(nowMs),
      packets: link.packets,
      bytes: link.bytes,
    })
    const cname = sourceDescription(this.ssrc, `${linkNamePrefix(this.ssrc)}${link.id}`)
    const compound = Buffer.concat([report, cname, ...items])
    this.#hand(link, channel, this.#sealer ? this.#sealer.sealControl(compound) : compound, nowMs)
  }

  #hand({ id }: SenderLink, channel: SenderChannel, datagram: Buffer, nowMs: number): void {
    for (const limit of this.#limits) if (limit.links.has(id)) limit.note(datagram.length, nowMs)
    this.#transmit(id, channel, datagram)
  }
}

function plainMedia(header: RtpHeader, payload: Buffer): Buffer {
  const headBytes = rtpHeaderBytes()
  const datagram = Buffer.allocUnsafe(headBytes + payload.length)
  writeRtpHeader(datagram, header)
  payload.copy(datagram, headBytes)
  return datagram
}

function takeAnswer(link: SenderLink, nowMs: number): Buffer[] {
  const { asked } = link
  link.asked = null
  return asked ? [echoResponse(asked.ssrc, asked.timestamp, Math.round((nowMs - asked.atMs) * 1000))] : []
}

function sumOf(kbps: ReadonlyMap<string, number>, ids: Iterable<string>): number {
  let sum = 0
  for (const id of ids) sum += kbps.get(id) ?? 0
  return sum
}

/** A link's CNAME is the session's SSRC in hexadecimal, a slash and the link's id. */
export function linkNamePrefix(ssrc: number): string {
  return `${ssrc.toString(16).padStart(8, '0')}/`
}
