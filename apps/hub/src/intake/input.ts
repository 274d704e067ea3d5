// An input for standard encoders, as its channel sees it, whichever protocol it speaks.
import { timingSafeEqual } from 'node:crypto'
import type { InputProblem } from '@backhaul/contract/nouns/channels'
import type { Log } from '@backhaul/runtime/log'

export interface Input {
  pid(): number | undefined
  /** Why a sender that tries, or is there, gives no picture. */
  problem(): InputProblem | null
  /** Senders have to show it; another one ends who was let in with the old. Without a key nobody is let in. */
  setKey(key: string | undefined): void
  stop(): Promise<void>
}

export interface InputOptions {
  ffmpegPath: string
  port: number
  onData: (chunk: Buffer) => void
  /** The sender left. */
  onGone: () => void
  /** The port was taken; senders are awaited on this one instead. */
  onMoved: (port: number) => void
  log: Log
}

/** So long a refusal is told: encoders try again every few seconds. */
const TOLD_MS = 30_000

/** The newest refusal, as long as it is news. */
export function createRefusals() {
  let refusedMs = Number.NEGATIVE_INFINITY
  return {
    /** True for the first of a row. */
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
