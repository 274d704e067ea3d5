// After a point-to-multipoint selection the unit's next status still shows the previous selection: it is ignored.
import type { Unit } from '@backhaul/contract/nouns/units'

/** Waits at most this long for the ignored status, and then reads the unit again (GAP-STRM-04). */
const atMostMs = 5000

const selection = [
  'channelId',
  'selChannel',
  'selectedChannels',
  'selectedChannelName',
  'ptmpChannel',
] as const satisfies readonly (keyof Unit)[]

export function createPassedOver(reread: (uid: string) => void) {
  const waiting = new Set<string>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function forget(uid: string): void {
    clearTimeout(timers.get(uid))
    timers.delete(uid)
    waiting.delete(uid)
  }

  return {
    /** The next status of the unit does not contain its selection. */
    mark(uid: string): void {
      forget(uid)
      waiting.add(uid)
      timers.set(
        uid,
        setTimeout(() => {
          forget(uid)
          reread(uid)
        }, atMostMs),
      )
    },
    forget,
    /** Fields of a message that count: exactly one status after the mark comes without its selection. */
    of(uid: string, kind: string, change: Partial<Unit>): Partial<Unit> {
      if (kind !== 'unitStatus' || !waiting.delete(uid)) return change
      const counted = { ...change }
      for (const field of selection) delete counted[field]
      return counted
    },
  }
}
