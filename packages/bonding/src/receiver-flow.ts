// The decisions of a bonded receiver: checks, orders and releases packets, requests lost ones; no sockets, no timers.
import { randomInt } from 'node:crypto'
import { type LinkTerms, writeTerms } from './link-terms.ts'
import { NackBudget, nackRules } from './nack-policy.ts'
import { PlayoutClock } from './playout-clock.ts'
import { RateMeter } from './rate-meter.ts'
import { type Endpoint, type ReceiverLink, type ReceiverLinkStats, ReceiverLinks } from './receiver-link.ts'
import { type Arrival, MOST_EARLY_MS, ReorderBuffer } from './reorder-buffer.ts'
import {
  echoRequest,
  echoResponse,
  linkTerms,
  type RtcpItem,
  rangeNacks,
  readRtcp,
  receiverReport,
  rtcpSource,
  sourceDescription,
} from './rtcp.ts'
import { isRtcp, type RtpPacket, readRtp } from './rtp.ts'
import { CALLER_CNAME, linkNamePrefix, RECEIVER_CNAME } from './sender-flow.ts'
import { SessionOpener, SessionSealer, ssrcOfSession } from './session-seal.ts'

const RTCP_INTERVAL_MS = 100
/** Our own sender gets its reports with the answers to its echo requests, and by themselves when none came for this long. */
const LONGEST_UNASKED_MS = 150
/** The interval at which requests for missing packets are considered. */
const GAP_CHECK_MS = 5
/** Packets are released with a datagram that arrives near their time, and in a pause of the stream by a turn of their own. */
const RELEASE_SLACK_MS = 2
/** The interval at which a link that is not answered is called. */
const CALL_INTERVAL_MS = 500
/** The interval at which a link repeats the terms: any of its datagrams may be lost. */
const TERMS_INTERVAL_MS = 1000
const LONGEST_RTT_MS = 10_000
const LINKS_PER_REQUEST = 2
/** Without an expected session, another source may take over after this silence. */
const SOURCE_SILENCE_MS = 3000

/** The sender that is admitted. Without a value: the first one, until it has been silent for 3 s. */
export type ReceiverSession = {
  sessionId?: string | undefined
  /** SSRC of a sender that is not ours; instead of a session id. */
  ssrc?: number | undefined
  /** 32 bytes; only with a session id. */
  key?: Uint8Array | undefined
}

export type ReceiverFlowOptions = ReceiverSession & {
  bufferMs: number
  transmit: (to: Endpoint, datagram: Buffer) => void
  deliver: (payload: Uint8Array) => void
}

export type ReceiverStats = {
  links: ReceiverLinkStats[]
  totals: {
    received: number
    /** Missing packets that came after a request. */
    recovered: number
    /** Given up: holes in the output. */
    lost: number
    duplicates: number
    /** Came after their place in the output had passed. */
    late: number
    /** Datagrams of another session, forged, unsigned, replayed or malformed. */
    rejected: number
  }
  kbps: number
  /** Delay in force now; moves towards the buffer after a change. */
  delayMs: number
  heldPackets: number
  missingPackets: number
}

export class ReceiverFlow {
  readonly #transmit: ReceiverFlowOptions['transmit']
  readonly #deliver: ReceiverFlowOptions['deliver']
  readonly #ownSsrc = randomInt(1, 2 ** 31) * 2
  readonly #links = new ReceiverLinks()
  readonly #order = new ReorderBuffer()
  readonly #clock: PlayoutClock
  readonly #packets = new RateMeter()
  readonly #bytes = new RateMeter()
  readonly #nackBudget = new NackBudget()
  #expected: number | null = null
  #source: number | null = null
  #sourceMs = 0
  #opener: SessionOpener | null = null
  #sealer: SessionSealer | null = null
  #instances = 0
  #totals = { received: 0, recovered: 0, lost: 0, duplicates: 0, late: 0, rejected: 0 }
  #rtcpMs = Number.NEGATIVE_INFINITY
  #calledMs = Number.NEGATIVE_INFINITY
  #tickedMs = Number.NEGATIVE_INFINITY
  /** By the id of the link. */
  readonly #calls = new Map<string, Endpoint>()
  #terms: { revision: number; bytes: Buffer } | undefined
  /** When each link that calls has sent the terms. */
  readonly #termsMs = new Map<string, number>()

  constructor(options: ReceiverFlowOptions) {
    this.#transmit = options.transmit
    this.#deliver = options.deliver
    this.#clock = new PlayoutClock(options.bufferMs)
    this.setSession(options)
  }

  /** The delay follows slowly, so that neither growing nor shrinking breaks the output. */
  setBufferMs(bufferMs: number): void {
    this.#clock.bufferMs = bufferMs
  }

  /** Switches to another session: packets of the old one are dropped, all counts start again. */
  setSession(session: ReceiverSession): void {
    if (session.key && session.sessionId === undefined) throw new RangeError('key: needs a sessionId')
    const keyed = session.key && { key: session.key, sessionId: session.sessionId ?? '' }
    this.#opener = keyed ? new SessionOpener(keyed, 'sender') : null
    this.#sealer = keyed ? new SessionSealer(keyed, 'receiver') : null
    this.#instances = 0
    this.#expected =
      session.ssrc ?? (session.sessionId === undefined ? null : ssrcOfSession(session.sessionId))
    this.#source = this.#expected
    this.#order.drain()
    this.#clock.reset()
    this.#links.clear()
    this.#totals = { received: 0, recovered: 0, lost: 0, duplicates: 0, late: 0, rejected: 0 }
  }

  /**
   * Calls the sender over a link of our own, as long as the link is there: its answers find the way that is opened by
   * that. The link is told apart by its socket, so its id takes the place of the far end's address.
   */
  addCall(id: string): void {
    this.#calls.set(id, { address: id, port: 0 })
    this.#calledMs = Number.NEGATIVE_INFINITY
  }

  removeCall(id: string): void {
    this.#calls.delete(id)
    this.#termsMs.delete(id)
  }

  /** How the sender that is called is to use the links. */
  setTerms({ ranks, limits }: LinkTerms): void {
    const bytes = writeTerms({ ranks, limits, isBackground: false })
    if (this.#terms?.bytes.equals(bytes)) return
    this.#terms = { revision: (this.#terms?.revision ?? 0) + 1, bytes }
    this.#termsMs.clear()
  }

  /** A datagram that came back over a link that calls. */
  receiveCalled(id: string, datagram: Buffer, nowMs: number): void {
    const from = this.#calls.get(id)
    if (!from) return
    if (isRtcp(datagram)) this.receiveControl(datagram, from, nowMs)
    else this.receiveMedia(datagram, from, nowMs)
  }

  /** A datagram on the media port. */
  receiveMedia(datagram: Buffer, from: Endpoint, nowMs: number): void {
    if (isRtcp(datagram)) {
      this.#bindMedia(datagram, from)
      return
    }
    const packet = readRtp(datagram)
    const opened = packet && this.#admits(packet.ssrc, nowMs) && this.#open(datagram, packet)
    if (!packet || !opened) {
      this.#totals.rejected++
      return
    }
    this.#latch(packet.ssrc, nowMs)
    const link = this.#links.ofMedia(from, nowMs)
    link?.noteMedia(datagram.length, nowMs)
    this.#accept(packet, opened, link, nowMs)
    if (this.#clock.dueMs(this.#order.nextMediaMs) <= nowMs + MOST_EARLY_MS) this.#release(nowMs)
  }

  /** A datagram on the control port. */
  receiveControl(datagram: Buffer, from: Endpoint, nowMs: number): void {
    const control = this.#readControl(datagram, nowMs)
    if (!control) return
    const link = this.#links.ofControl(from, control.name, nowMs)
    if (!link) return
    for (const item of control.items) this.#take(item, link, nowMs)
  }

  /** The time at which `tick` has something to do; call again after each datagram, each tick and each call that is added. */
  dueMs(): number {
    return Math.min(
      this.#order.missingCount > 0
        ? this.#tickedMs + GAP_CHECK_MS
        : this.#clock.dueMs(this.#order.nextMediaMs) + RELEASE_SLACK_MS,
      this.#links.isEmpty ? Number.POSITIVE_INFINITY : this.#rtcpMs + RTCP_INTERVAL_MS,
      this.#calls.size === 0 ? Number.POSITIVE_INFINITY : this.#calledMs + CALL_INTERVAL_MS,
    )
  }

  /** Releases what is due, requests what is missing, reports. */
  tick(nowMs: number): void {
    this.#tickedMs = nowMs
    this.#release(nowMs)
    this.#requestMissing(nowMs)
    if (nowMs - this.#rtcpMs >= RTCP_INTERVAL_MS) this.#report(nowMs)
    if (nowMs - this.#calledMs >= CALL_INTERVAL_MS) this.#call(nowMs)
  }

  stats(nowMs: number): ReceiverStats {
    return {
      links: this.#links.all().map((link) => link.stats(nowMs)),
      totals: { ...this.#totals },
      kbps: Math.round(this.#bytes.kbps(nowMs)),
      delayMs: Math.round(this.#clock.delayMs()),
      heldPackets: this.#order.heldCount,
      missingPackets: this.#order.missingCount,
    }
  }

  #release(nowMs: number): void {
    this.#clock.step(nowMs)
    const { payloads, lost } = this.#order.release((mediaMs) => this.#clock.dueMs(mediaMs), nowMs)
    this.#totals.lost += lost
    for (const payload of payloads) this.#deliver(payload)
  }

  #admits(ssrc: number, nowMs: number): boolean {
    if (this.#expected !== null) return ssrc === this.#expected
    return this.#source === null || ssrc === this.#source || nowMs - this.#sourceMs > SOURCE_SILENCE_MS
  }

  #latch(ssrc: number, nowMs: number): void {
    this.#sourceMs = nowMs
    if (this.#source === ssrc) return
    if (this.#source !== null) this.#restart()
    this.#links.clear()
    this.#source = ssrc
  }

  #open(datagram: Buffer, packet: RtpPacket): { index: number; payload: Buffer } | null {
    if (!this.#opener) return { index: this.#order.unwrap(packet.sequence), payload: packet.payload }
    const opened = this.#opener.openMedia(datagram, packet)
    this.#noteInstance()
    return opened
  }

  #noteInstance(): void {
    const instances = this.#opener?.instances ?? 0
    if (instances === this.#instances) return
    this.#instances = instances
    this.#restart()
  }

  /** The sender restarted: its remaining packets are released immediately, since nothing more of them can arrive. */
  #restart(): void {
    for (const payload of this.#order.drain()) this.#deliver(payload)
    this.#clock.reset()
    for (const link of this.#links.all()) link.highest = Number.NEGATIVE_INFINITY
  }

  #accept(
    packet: RtpPacket,
    opened: { index: number; payload: Buffer },
    link: ReceiverLink | null,
    nowMs: number,
  ): void {
    let index = opened.index
    let held = { mediaMs: this.#clock.mediaMs(packet.timestamp), payload: opened.payload }
    let arrival = this.#order.insert(index, held, packet.retransmitted, nowMs)
    if (arrival === 'restart') {
      this.#restart()
      index = this.#opener ? index : this.#order.unwrap(packet.sequence)
      held = { mediaMs: this.#clock.mediaMs(packet.timestamp), payload: opened.payload }
      arrival = this.#order.insert(index, held, false, nowMs)
    }
    const fits = this.#count(arrival, link)
    if (!fits) return
    this.#packets.add(1, nowMs)
    this.#bytes.add(opened.payload.length, nowMs)
    if (!packet.retransmitted) link?.noteStraight(index, this.#clock.noteArrival(held.mediaMs, nowMs), nowMs)
  }

  #count(arrival: Arrival, link: ReceiverLink | null): boolean {
    if (arrival === 'duplicate') this.#totals.duplicates++
    else if (arrival === 'late') this.#totals.late++
    else if (arrival === 'stray' || arrival === 'restart') this.#totals.rejected++
    else {
      this.#totals.received++
      if (arrival === 'recovered') {
        this.#totals.recovered++
        if (link) link.recovered++
      }
      return true
    }
    return false
  }

  #readControl(datagram: Buffer, nowMs: number): { items: RtcpItem[]; name: string | null } | null {
    const compound = this.#opener ? this.#opener.openControl(datagram) : datagram
    this.#noteInstance()
    const items = compound && readRtcp(compound)
    const source = compound && rtcpSource(compound)
    if (!items || source === null || !this.#admits(source, nowMs)) {
      this.#totals.rejected++
      return null
    }
    const prefix = linkNamePrefix(source)
    const description = items.find((item) => item.kind === 'sourceDescription')
    const named = description?.cname.startsWith(prefix) ? description.cname.slice(prefix.length) : null
    return { items, name: named }
  }

  #bindMedia(datagram: Buffer, from: Endpoint): void {
    const control = this.#readControl(datagram, this.#sourceMs)
    if (control?.name) this.#links.bindMedia(from, control.name)
  }

  #take(item: RtcpItem, link: ReceiverLink, nowMs: number): void {
    if (item.kind === 'senderReport') link.noteReport(item, nowMs)
    else if (item.kind === 'echoRequest') {
      const answer = [echoResponse(item.ssrc, item.timestamp)]
      if (link.isOurs) this.#reportOn(link, nowMs, answer)
      else this.#answer(link, answer)
    } else if (item.kind === 'echoResponse') {
      const rttMs = nowMs - Number(item.timestamp) / 1000 - item.delayUs / 1000
      if (rttMs >= 0 && rttMs < LONGEST_RTT_MS) link.noteRtt(rttMs)
    }
  }

  #requestMissing(nowMs: number): void {
    if (this.#order.missingCount === 0 || this.#source === null) return
    const over = this.#links.answerable(nowMs)
    if (over.length === 0) return
    const limit = this.#nackBudget.limit(this.#packets.perSecond(nowMs), nowMs)
    const stream = { highest: this.#order.highest, bufferMs: this.#clock.bufferMs, limit }
    const wanted = this.#order.takeRequests(nackRules(this.#links.all(), stream, nowMs), nowMs)
    if (wanted.length === 0) return
    this.#nackBudget.spend(wanted.length)
    const sequences = wanted.map((index) => index & 0xffff)
    const nacks = rangeNacks(this.#source, sequences)
    for (const link of over.slice(0, LINKS_PER_REQUEST)) for (const nack of nacks) this.#answer(link, [nack])
  }

  #report(nowMs: number): void {
    this.#rtcpMs = nowMs
    this.#links.forgetSilent(nowMs)
    for (const link of this.#links.answerable(nowMs))
      if (!link.isOurs || nowMs - link.reportedMs >= LONGEST_UNASKED_MS) this.#reportOn(link, nowMs)
  }

  #reportOn(link: ReceiverLink, nowMs: number, answer: readonly Buffer[] = []): void {
    link.reportedMs = nowMs
    const report = receiverReport(this.#ownSsrc, this.#source ?? 0, {
      fractionLost: link.fractionLost,
      cumulativeLost: link.cumulativeLost,
      highestSequence: Math.max(0, link.highest),
      lastReport: link.lastReport.ntpMiddle,
      sinceLastReport: Math.round(((nowMs - link.lastReport.atMs) / 1000) * 65_536),
    })
    const request = echoRequest(this.#ownSsrc, BigInt(Math.round(nowMs * 1000)))
    this.#answer(link, [request, ...answer, ...this.#termsDue(link.control, nowMs)], report)
  }

  /** A link that is answered calls by its reports. */
  #call(nowMs: number): void {
    this.#calledMs = nowMs
    const answered = new Set(this.#links.answerable(nowMs).map(({ control }) => control?.address))
    for (const [id, to] of this.#calls)
      if (!answered.has(id)) this.#send(to, receiverReport(this.#ownSsrc), this.#termsDue(to, nowMs))
  }

  /** The terms, where the link calls and has not sent them within the last second. */
  #termsDue(to: Endpoint | null, nowMs: number): Buffer[] {
    if (!this.#terms || !to || !this.#calls.has(to.address)) return []
    if (nowMs - (this.#termsMs.get(to.address) ?? Number.NEGATIVE_INFINITY) < TERMS_INTERVAL_MS) return []
    this.#termsMs.set(to.address, nowMs)
    return [linkTerms(this.#ownSsrc, this.#terms.revision, this.#terms.bytes)]
  }

  #answer(link: ReceiverLink, items: Buffer[], report = receiverReport(this.#ownSsrc)): void {
    if (link.control) this.#send(link.control, report, items)
  }

  #send(to: Endpoint, report: Buffer, items: Buffer[]): void {
    const name = this.#calls.has(to.address) ? `${CALLER_CNAME}${to.address}` : `${RECEIVER_CNAME}receiver`
    const compound = Buffer.concat([report, sourceDescription(this.#ownSsrc, name), ...items])
    this.#transmit(to, this.#sealer ? this.#sealer.sealControl(compound) : compound)
  }
}
