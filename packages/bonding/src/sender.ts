// Sends one transport stream over many links at once: RIST Simple Profile with one UDP socket per link.
import { checkBufferMs } from './clock.ts'
import { createDueTurns } from './due-turns.ts'
import { checkMediaPort, type LinkAddress, LinkSocket } from './link-socket.ts'
import type { LinkLimit } from './rate-limit.ts'
import { SenderFlow } from './sender-flow.ts'
import type { SenderLinkStats } from './sender-link.ts'

/** Smaller changes of the target are not reported. */
const TARGET_STEP_SHARE = 0.02
const TARGET_INTERVAL_MS = 200
const TARGET_CHECK_MS = 50

export type SenderLinkOptions = LinkAddress & {
  /** Name of the link, unique within the sender; the receiver shows it too. */
  id: string
  /** First estimate for the link; default 1000. */
  startKbps?: number
}

export type SenderOptions = {
  /** Both ends derive the SSRC from it; a receiver accepts only its own session. */
  sessionId: string
  links: readonly SenderLinkOptions[]
  /** The time for which a packet may be requested again; the receiver's buffer or more. */
  bufferMs: number
  /** 32 bytes: encrypts and authenticates the session, the far end must be one of our receivers. Without it plain RIST. */
  key?: Uint8Array | undefined
}

export type SenderStats = {
  links: (SenderLinkStats & { error: string | null })[]
  /** 85 % of what the live links carry together, kilobits per second. */
  targetKbps: number
  /** Packets that wait for a link. */
  waitingPackets: number
  /** Datagrams that were no RTCP of this session. */
  rejected: number
}

export type Sender = {
  /** Bytes of an MPEG-TS, any number at a time. Kept for up to the buffer time while no link is up, then dropped. */
  push(tsBytes: Uint8Array): void
  setBufferMs(bufferMs: number): void
  addLink(link: SenderLinkOptions): void
  removeLink(id: string): void
  /** A link that is switched off sends nothing at all, not even probes. */
  enableLink(id: string, enabled: boolean): void
  /** By link id: a link gets what those of lower ranks cannot carry; rank 0 where none is named. */
  setRanks(ranks: Readonly<Record<string, number>>): void
  /** Each holds for its links together, retransmissions, headers and control packets included. Replaces the earlier ones. */
  setLimits(limits: readonly LinkLimit[]): void
  stats(): SenderStats
  readonly targetKbps: number
  /** Called at most five times a second, when the target moved by 2 % or more. Returns the function that unsubscribes. */
  onTarget(listener: (targetKbps: number) => void): () => void
  close(): void
}

/**
 * Bonded sender, VSF TR-06-1 (RIST Simple Profile) towards ports P (media) and P+1 (control) of the receiver.
 *
 * Each packet takes the link with the smallest virtual finish time; rates follow loss and round trip (link-rate.ts).
 * A link without answer for 400 ms is down: packets it may have lost are immediately sent again over the others.
 * Without a key it works with librist too; RTCP is then accepted from the receiver's address only. With a key media is
 * AES-256-GCM and RTCP is signed (session-seal.ts): unsigned or replayed RTCP cannot steer the sender.
 *
 * @throws RangeError for a bad key, buffer or port; Error for a link id used twice.
 */
export function createSender(options: SenderOptions): Sender {
  checkBufferMs(options.bufferMs)
  const sockets = new Map<string, LinkSocket>()
  const listeners = new Set<(targetKbps: number) => void>()
  const flow = new SenderFlow({
    sessionId: options.sessionId,
    bufferMs: options.bufferMs,
    key: options.key,
    transmit: (linkId, channel, datagram) => sockets.get(linkId)?.send(channel, datagram),
  })

  let reported = { kbps: -1, atMs: Number.NEGATIVE_INFINITY }
  let checkedMs = Number.NEGATIVE_INFINITY
  const turns = createDueTurns((nowMs) => {
    flow.tick(nowMs)
    reportTarget(nowMs)
    turns.at(flow.dueMs())
  })

  /** And sets the next turn. */
  function act(change: (nowMs: number) => void): void {
    change(performance.now())
    turns.at(flow.dueMs())
  }

  function addLink(link: SenderLinkOptions): void {
    checkMediaPort('remotePort', link.remotePort)
    act((nowMs) => flow.addLink(link.id, nowMs, link.startKbps))
    try {
      const receive = (datagram: Buffer) => act((nowMs) => flow.receive(link.id, datagram, nowMs))
      sockets.set(link.id, new LinkSocket(link, options.key !== undefined, receive))
    } catch (error) {
      flow.removeLink(link.id, performance.now())
      throw error
    }
  }

  function reportTarget(nowMs: number): void {
    if (nowMs - checkedMs < TARGET_CHECK_MS) return
    checkedMs = nowMs
    const kbps = flow.targetKbps(nowMs)
    if (
      nowMs - reported.atMs < TARGET_INTERVAL_MS ||
      Math.abs(kbps - reported.kbps) <= reported.kbps * TARGET_STEP_SHARE
    )
      return
    reported = { kbps, atMs: nowMs }
    for (const listener of listeners) listener(kbps)
  }

  function close(): void {
    turns.end()
    for (const socket of sockets.values()) socket.close()
    sockets.clear()
    listeners.clear()
  }

  try {
    for (const link of options.links) addLink(link)
  } catch (error) {
    close()
    throw error
  }

  return {
    push: (tsBytes) => act((nowMs) => flow.push(tsBytes, nowMs)),
    setBufferMs(bufferMs) {
      checkBufferMs(bufferMs)
      flow.bufferMs = bufferMs
    },
    addLink,
    removeLink(id) {
      act((nowMs) => flow.removeLink(id, nowMs))
      sockets.get(id)?.close()
      sockets.delete(id)
    },
    enableLink: (id, enabled) => act((nowMs) => flow.enableLink(id, enabled, nowMs)),
    setRanks: (ranks) => flow.setRanks(ranks),
    setLimits: (limits) => flow.setLimits(limits, performance.now()),
    stats() {
      const stats = flow.stats(performance.now())
      return {
        ...stats,
        links: stats.links.map((link) => ({ ...link, error: sockets.get(link.id)?.error ?? null })),
      }
    },
    get targetKbps() {
      return flow.targetKbps(performance.now())
    },
    onTarget(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close,
  }
}
