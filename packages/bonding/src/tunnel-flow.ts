// Order and repair of a tunnel: the records that one end puts in come out at the other one, in order and without a gap,
// over all links at once. Pure: it decides which link carries which packet, without sockets and timers.
//
// A record that is sent again goes in a packet with a new number. The receiver answers with the numbers that have come,
// so that a packet counts as lost when three later ones of its link were received, or when no answer comes in time. Each
// link has a window of its own, which grows with what the link carries and is cut where it loses: its share follows what
// it can carry. Answers go over every link that may carry records, so that the loss of one does not delay them. Where other
// traffic of the links comes first, the window shrinks as soon as packets wait in a queue (link-window.ts).
//
// Wire: kind (1 byte), epoch of the sender, epoch of the receiver as the sender knows it, 0 for unknown (4 bytes each);
// data: number of the packet, number of the record (4 bytes each), the record; answer: the next missing record, the
// highest number received (4 bytes each), a bit for each of the 512 before that; loose: bytes that are not repaired; terms:
// how the other end is to use its links from now on (link-terms.ts).
// An end that has started again has another epoch, and both begin from the start.
import { randomInt } from 'node:crypto'
import type { BondingClock } from './clock.ts'
import { freeTerms, readTerms, type TunnelTerms, writeTerms } from './link-terms.ts'
import { LinkWindow } from './link-window.ts'
import { RateLimit } from './rate-limit.ts'

const DATA = 1
const ANSWER = 2
const LOOSE = 3
const TERMS = 4
const HEAD_BYTES = 9
const ANSWER_BITS = 512
const MOST_AHEAD = 4096
const HIGHEST_EPOCH = 2 ** 32

/** Later packets of the same link that were received before one counts as lost. */
const LATER_PACKETS = 3
const LEAST_TIMEOUT_MS = 250
const MOST_TIMEOUT_MS = 3000
const REPEAT_MS = 1000
const ANSWER_AFTER_PACKETS = 2
const CORRECT_AFTER_MS = 100

/** The bytes of the seal on a packet: RTP with its extension, and the tag. */
const SEAL_BYTES = 44
/** The longest record, so that a sealed packet is below the usual 1500 bytes of a network. */
export const RECORD_BYTES = 1200

export interface TunnelFlowOptions {
  readonly clock: BondingClock
  /** Sends one packet over each of these links. */
  readonly send: (links: readonly string[], packet: Buffer) => void
  readonly onRecord: (record: Buffer) => void
  readonly onLoose: (bytes: Buffer) => void
  /** The other end has started again: all that was under way is lost. */
  readonly onReset: () => void
}

export interface TunnelFlow {
  /** At most RECORD_BYTES. */
  put(record: Buffer): void
  /** Over one link, once; dropped while no link has room. */
  putLoose(bytes: Buffer): void
  receive(packet: Buffer): void
  /** The links that carry packets now. */
  setLinks(ids: readonly string[]): void
  /** How this end uses its links for what it sends; replaces the earlier ones. */
  setTerms(terms: TunnelTerms): void
  /** The same for the other end, to which they are sent with the next tick and then each second. */
  sendTerms(terms: TunnelTerms): void
  /** Call every 20 ms or so. */
  tick(): void
}

interface FlowLink {
  readonly id: string
  readonly window: LinkWindow
  /** By the number of the packet. */
  readonly inFlight: Map<number, Sent>
  sends: number
  /** By the count of the link, of those that were received. */
  newest: number
  smoothedMs: number | null
  deviationMs: number
  /** Losses of packets up to this number were answered by a smaller window. */
  cutAt: number
  timeouts: number
}

interface Sent {
  readonly record: number
  readonly atMs: number
  readonly order: number
}

const newLink = (id: string): FlowLink => ({
  id,
  window: new LinkWindow(),
  inFlight: new Map(),
  sends: 0,
  newest: -1,
  smoothedMs: null,
  deviationMs: 0,
  cutAt: -1,
  timeouts: 0,
})

export function createTunnelFlow(options: TunnelFlowOptions): TunnelFlow {
  const { clock, send, onRecord, onLoose, onReset } = options
  const links = new Map<string, FlowLink>()
  let epoch = randomInt(1, HIGHEST_EPOCH)
  let peer = 0
  /** Records that were not answered for. */
  let records = new Map<number, Buffer>()
  let firstOpen = 0
  let firstFresh = 0
  let nextRecord = 0
  let lost: number[] = []
  let packets = 0
  let inbox = createInbox()
  let unanswered = 0
  let answeredMs = Number.NEGATIVE_INFINITY
  let isPumping = false
  let terms = freeTerms
  let limits: readonly RateLimit[] = []
  /** The newest terms of the other end. */
  let farTerms: { readonly bytes: Buffer; sentMs: number } | undefined

  function head(kind: number, bytes: number): Buffer {
    const packet = Buffer.alloc(HEAD_BYTES + bytes)
    packet[0] = kind
    packet.writeUInt32BE(epoch, 1)
    packet.writeUInt32BE(peer, 5)
    return packet
  }

  /** The record that is sent next; undefined where none waits, or the receiver has too many to put in order. */
  function nextToSend(): number | undefined {
    while (lost[0] !== undefined && !records.has(lost[0])) lost.shift()
    if (lost[0] !== undefined) return lost[0]
    return firstFresh < nextRecord && firstFresh - firstOpen < MOST_AHEAD ? firstFresh : undefined
  }

  const rankOf = (id: string) => terms.ranks[id] ?? 0
  const limitsOf = (id: string) => limits.filter((limit) => limit.links.has(id))

  /** The links of the lowest rank. */
  function usedLinks(): FlowLink[] {
    const lowest = Math.min(...[...links.keys()].map(rankOf))
    return [...links.values()].filter(({ id }) => rankOf(id) === lowest)
  }

  /** The fastest link of the lowest rank whose limits have room; `isFree` decides in addition. */
  function freeLink(isFree: (link: FlowLink, nowMs: number) => boolean): FlowLink | undefined {
    const nowMs = clock.nowMs()
    let best: FlowLink | undefined
    for (const link of usedLinks()) {
      if (!isFree(link, nowMs) || !limitsOf(link.id).every((limit) => limit.hasRoom(nowMs))) continue
      if (!best || (link.smoothedMs ?? 0) < (best.smoothedMs ?? 0)) best = link
    }
    return best
  }

  const hasWindow = ({ inFlight, window }: FlowLink, nowMs: number) => inFlight.size < window.packets(nowMs)

  /** Counts for the limits of each link. */
  function sendOver(ids: readonly string[], packet: Buffer): void {
    for (const limit of ids.flatMap(limitsOf)) limit.note(packet.length + SEAL_BYTES, clock.nowMs())
    send(ids, packet)
  }

  function transmit(link: FlowLink, record: number, bytes: Buffer): void {
    const number = packets++
    const packet = head(DATA, 8 + bytes.length)
    packet.writeUInt32BE(number, HEAD_BYTES)
    packet.writeUInt32BE(record, HEAD_BYTES + 4)
    bytes.copy(packet, HEAD_BYTES + 8)
    link.inFlight.set(number, { record, atMs: clock.nowMs(), order: link.sends++ })
    sendOver([link.id], packet)
  }

  function pump(): void {
    if (isPumping) return
    isPumping = true
    for (;;) {
      const record = nextToSend()
      const link = record === undefined ? undefined : freeLink(hasWindow)
      if (record === undefined || !link) break
      if (record === lost[0]) lost.shift()
      else firstFresh++
      const bytes = records.get(record)
      if (bytes) transmit(link, record, bytes)
    }
    isPumping = false
  }

  function giveUp(record: number): void {
    if (!records.has(record) || lost.includes(record)) return
    lost.push(record)
    lost.sort((a, b) => a - b)
  }

  function answer(): void {
    unanswered = 0
    answeredMs = clock.nowMs()
    const packet = head(ANSWER, 8 + ANSWER_BITS / 8)
    inbox.write(packet.subarray(HEAD_BYTES))
    const ids = usedLinks().map(({ id }) => id)
    sendOver(ids, packet)
  }

  function useTerms(next: TunnelTerms): void {
    const nowMs = clock.nowMs()
    limits = next.limits.map((limit, at) => {
      const before = limits[at]
      if (!before || !isSameLinks(before.links, limit.links)) return new RateLimit(limit, nowMs)
      before.setRate(limit.kbps, nowMs)
      return before
    })
    terms = next
    pump()
  }

  function receiveTerms(body: Buffer): void {
    const next = readTerms(body)
    if (next) useTerms(next)
  }

  function repeatTerms(): void {
    if (!farTerms || links.size === 0 || clock.nowMs() - farTerms.sentMs < REPEAT_MS) return
    farTerms.sentMs = clock.nowMs()
    send([...links.keys()], Buffer.concat([head(TERMS, 0), farTerms.bytes]))
  }

  function measure(link: FlowLink, rttMs: number): void {
    const before = link.smoothedMs ?? rttMs
    link.deviationMs = 0.75 * link.deviationMs + 0.25 * Math.abs(before - rttMs)
    link.smoothedMs = 0.875 * before + 0.125 * rttMs
  }

  function received(link: FlowLink, number: number, sent: Sent): void {
    const nowMs = clock.nowMs()
    const wasFull = link.inFlight.size >= link.window.packets(nowMs) / 2
    link.inFlight.delete(number)
    link.newest = Math.max(link.newest, sent.order)
    link.timeouts = 0
    records.delete(sent.record)
    const rttMs = nowMs - sent.atMs
    measure(link, rttMs)
    link.window.received({ rttMs, wasFull, isBackground: terms.isBackground }, nowMs)
  }

  function cut(link: FlowLink, number: number): void {
    if (number <= link.cutAt) return
    link.window.cut()
    link.cutAt = packets
  }

  function receiveAnswer(body: Buffer): void {
    if (body.length < 8 + ANSWER_BITS / 8) return
    const missing = body.readUInt32BE(0)
    const highest = body.readUInt32BE(4) - 1
    const hasCome = (back: number) =>
      back === 0 ||
      (back <= ANSWER_BITS && (((body[8 + ((back - 1) >> 3)] ?? 0) >> ((back - 1) & 7)) & 1) === 1)
    if (missing > nextRecord || highest >= packets) return
    for (const link of links.values())
      for (const [number, sent] of link.inFlight) {
        if (number > highest) break
        if (hasCome(highest - number)) received(link, number, sent)
      }
    while (firstOpen < missing) records.delete(firstOpen++)
    for (const link of links.values())
      for (const [number, sent] of link.inFlight) {
        if (!records.has(sent.record)) link.inFlight.delete(number)
        else if (sent.order + LATER_PACKETS <= link.newest) {
          link.inFlight.delete(number)
          giveUp(sent.record)
          cut(link, number)
        }
      }
    pump()
  }

  function receiveData(body: Buffer): void {
    if (body.length < 8) return
    const record = body.readUInt32BE(4)
    if (!inbox.note(body.readUInt32BE(0), record, body.subarray(8))) return
    if (++unanswered >= ANSWER_AFTER_PACKETS) answer()
    const inThisLife = epoch
    for (let next = inbox.take(); next !== undefined; next = inbox.take()) {
      onRecord(next)
      if (epoch !== inThisLife) return
    }
  }

  function reset(): void {
    epoch = randomInt(1, HIGHEST_EPOCH)
    records = new Map()
    lost = []
    inbox = createInbox()
    firstOpen = firstFresh = nextRecord = packets = unanswered = 0
    for (const id of links.keys()) links.set(id, newLink(id))
    onReset()
  }

  function checkTimeout(link: FlowLink): void {
    const [oldest] = link.inFlight.values()
    if (!oldest) return
    const usualMs = Math.max(LEAST_TIMEOUT_MS, 2 * (link.smoothedMs ?? 500) + 4 * link.deviationMs)
    const withinMs = Math.min(MOST_TIMEOUT_MS, usualMs * 2 ** link.timeouts)
    if (clock.nowMs() - oldest.atMs < withinMs) return
    link.timeouts++
    link.window.restart()
    link.cutAt = packets
    abandon(link)
  }

  function abandon(link: FlowLink): void {
    for (const { record } of link.inFlight.values()) giveUp(record)
    link.inFlight.clear()
  }

  return {
    put(record) {
      records.set(nextRecord++, record)
      pump()
    },
    putLoose(bytes) {
      const link = freeLink(() => true)
      if (link) sendOver([link.id], Buffer.concat([head(LOOSE, 0), bytes]))
    },
    receive(packet) {
      if (packet.length < HEAD_BYTES) return
      const [kind, from, to] = [packet[0], packet.readUInt32BE(1), packet.readUInt32BE(5)]
      if (to !== 0 && to !== epoch) {
        // For what this end was before it started again: the other end learns that from the answer.
        if (clock.nowMs() - answeredMs > CORRECT_AFTER_MS) answer()
        return
      }
      if (from !== peer) {
        if (peer !== 0) reset()
        peer = from
      }
      const body = packet.subarray(HEAD_BYTES)
      if (kind === DATA) receiveData(body)
      if (kind === ANSWER) receiveAnswer(body)
      if (kind === LOOSE) onLoose(body)
      if (kind === TERMS) receiveTerms(body)
    },
    setLinks(ids) {
      for (const [id, link] of links) {
        if (ids.includes(id)) continue
        abandon(link)
        links.delete(id)
      }
      for (const id of ids) if (!links.has(id)) links.set(id, newLink(id))
      pump()
    },
    setTerms: useTerms,
    sendTerms(next) {
      const bytes = writeTerms(next)
      if (!farTerms?.bytes.equals(bytes)) farTerms = { bytes, sentMs: Number.NEGATIVE_INFINITY }
    },
    tick() {
      for (const link of links.values()) checkTimeout(link)
      repeatTerms()
      if (unanswered > 0 || clock.nowMs() - answeredMs > REPEAT_MS) answer()
      pump()
    },
  }
}

const isSameLinks = (ids: ReadonlySet<string>, others: readonly string[]): boolean =>
  ids.size === others.length && others.every((id) => ids.has(id))

/** Received packets: their numbers for the answer, and the records that wait for earlier ones. */
function createInbox() {
  const kept = new Float64Array(2 * ANSWER_BITS).fill(-1)
  const waiting = new Map<number, Buffer>()
  let highest = -1
  let missing = 0
  return {
    /** False for a record that is too far ahead to be kept. */
    note(number: number, record: number, bytes: Buffer): boolean {
      if (record >= missing + MOST_AHEAD) return false
      kept[number % kept.length] = number
      highest = Math.max(highest, number)
      if (record >= missing) waiting.set(record, bytes)
      return true
    },
    take(): Buffer | undefined {
      const next = waiting.get(missing)
      if (next) waiting.delete(missing++)
      return next
    },
    write(body: Buffer): void {
      body.writeUInt32BE(missing, 0)
      body.writeUInt32BE(highest + 1, 4)
      for (let back = 1; back <= ANSWER_BITS; back++) {
        const number = highest - back
        if (number < 0 || kept[number % kept.length] !== number) continue
        const at = 8 + ((back - 1) >> 3)
        body[at] = (body[at] ?? 0) | (1 << ((back - 1) & 7))
      }
    },
  }
}
