// Receives a transport stream from a sender that it calls over links of its own: the way through NATs.
import { checkBufferMs } from './clock.ts'
import { createDueTurns } from './due-turns.ts'
import { type LinkAddress, LinkSocket } from './link-socket.ts'
import type { LinkTerms } from './link-terms.ts'
import { ReceiverFlow, type ReceiverStats } from './receiver-flow.ts'
import type { ReceiverLinkStats } from './receiver-link.ts'

/** A link as the unit has it; the far end has one port, of any number. */
export type CallingLink = LinkAddress & { id: string }

export type CallingLinkStats = Omit<ReceiverLinkStats, 'address' | 'live'> & {
  /** The sender has answered within the last 700 ms. */
  up: boolean
  /** Why the link cannot call at present, or null. */
  error: string | null
}

export type CallingReceiver = {
  addLink(link: CallingLink): void
  removeLink(id: string): void
  /** A link that is switched off does not call, and the sender stops using it. */
  enableLink(id: string, enabled: boolean): void
  /** How the sender is to use the links, by their ids; it takes all of them alike before. */
  setTerms(terms: LinkTerms): void
  /** Payloads in order, normally 1316 bytes of whole TS packets. Returns the function that unsubscribes. */
  onData(listener: (payload: Uint8Array) => void): () => void
  stats(): Omit<ReceiverStats, 'links'> & { links: CallingLinkStats[] }
  /** The delay follows at half speed up and a quarter down, without a break in the output. */
  setBufferMs(bufferMs: number): void
  close(): void
}

/**
 * The far end of `createCalledSender`. Each link calls with signed RTCP and keeps its way open by that; media that is
 * not sealed with the key is rejected.
 *
 * @throws RangeError for a bad key or buffer.
 */
export function createCallingReceiver(options: {
  sessionId: string
  /** 32 bytes. */
  key: Uint8Array
  /** Delay between the fastest way and the output: the time for repairs. */
  bufferMs: number
}): CallingReceiver {
  checkBufferMs(options.bufferMs)
  const { sessionId, key, bufferMs } = options
  const listeners = new Set<(payload: Uint8Array) => void>()
  const sockets = new Map<string, LinkSocket>()
  const switchedOff = new Set<string>()
  const flow = new ReceiverFlow({
    sessionId,
    key,
    bufferMs,
    transmit({ address: linkId }, datagram) {
      if (!switchedOff.has(linkId)) sockets.get(linkId)?.send('media', datagram)
    },
    deliver(payload) {
      for (const listener of listeners) listener(payload)
    },
  })
  const turns = createDueTurns((nowMs) => {
    flow.tick(nowMs)
    turns.at(flow.dueMs())
  })

  function receive(linkId: string, datagram: Buffer): void {
    flow.receiveCalled(linkId, datagram, performance.now())
    turns.at(flow.dueMs())
  }

  function call(linkId: string): void {
    flow.addCall(linkId)
    turns.at(flow.dueMs())
  }

  function linkStats(id: string, seen: readonly ReceiverLinkStats[]): CallingLinkStats {
    const link = seen.find((one) => one.id === id)
    return {
      id,
      up: link?.live ?? false,
      error: sockets.get(id)?.error ?? null,
      kbps: link?.kbps ?? 0,
      rttMs: link?.rttMs ?? null,
      lostPercent: link?.lostPercent ?? null,
      recovered: link?.recovered ?? 0,
    }
  }

  return {
    addLink(link) {
      if (sockets.has(link.id)) throw new Error(`links: id "${link.id}" is used twice`)
      sockets.set(link.id, new LinkSocket(link, true, (datagram) => receive(link.id, datagram)))
      call(link.id)
    },
    removeLink(id) {
      flow.removeCall(id)
      switchedOff.delete(id)
      sockets.get(id)?.close()
      sockets.delete(id)
    },
    enableLink(id, enabled) {
      if (!sockets.has(id) || switchedOff.has(id) !== enabled) return
      if (enabled) {
        switchedOff.delete(id)
        call(id)
      } else {
        switchedOff.add(id)
        flow.removeCall(id)
      }
    },
    setTerms: (terms) => flow.setTerms(terms),
    onData(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stats() {
      const { links, ...rest } = flow.stats(performance.now())
      return { ...rest, links: [...sockets.keys()].map((id) => linkStats(id, links)) }
    },
    setBufferMs(next) {
      checkBufferMs(next)
      flow.setBufferMs(next)
    },
    close() {
      turns.end()
      listeners.clear()
      for (const socket of sockets.values()) socket.close()
      sockets.clear()
    },
  }
}
