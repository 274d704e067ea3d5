// The interface of an input for standard encoders, the same for every protocol.
import { timingSafeEqual } from 'node:crypto'
import type { InputProblem } from '@backhaul/contract/nouns/channels'
import type { Log } from '@backhaul/runtime/log'

export interface Input {
  pid(): number | undefined
  /** Why a sender, connected or refused, gives no picture. */
  problem(): InputProblem | null
  /** Senders must present it; a new key disconnects a sender admitted with the old one. Without a key no sender is admitted. */
  setKey(key: string | undefined): void
  stop(): Promise<void>
}

export interface InputOptions {
  ffmpegPath: string
  port: number
  onData: (chunk: Buffer) => void
  /** The sender left. */
  onGone: () => void
  /** The port was in use; the input listens on this one instead. */
  onMoved: (port: number) => void
  log: Log
}

/** A sender that is silent for this long may be replaced by another one. */
export const GIVES_WAY_MS = 3000
/** A silent sender is disconnected after this time in any case. */
export const SILENT_MS = 10_000

/** The time for which a refusal is reported: encoders retry every few seconds. */
const TOLD_MS = 30_000

/** The newest refusal, while it is recent. */
export function createRefusals() {
  let refusedMs = Number.NEGATIVE_INFINITY
  return {
    /** True for the first of a series. */
    note(): boolean {
      const isFirst = performance.now() - refusedMs > TOLD_MS
      refusedMs = performance.now()
      return isFirst
    },
    isNews: () => performance.now() - refusedMs < TOLD_MS,
    clear() {
      refusedMs = Number.NEGATIVE_INFINITY
    },
  }
}

export function isSameKey(given: string, key: string | undefined): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key ?? '')]
  return key !== undefined && a.length === b.length && timingSafeEqual(a, b)
}
