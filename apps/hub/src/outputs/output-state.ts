// How an output does, from what its program did. Pure but for the clock that it is handed.
import { english } from '@backhaul/contract/define/refusals'
import type { OutputStatus } from '@backhaul/contract/nouns/output-states'

export type SinkStatus = Omit<OutputStatus, 'id'>

export interface OutputStateOptions {
  nowMs: () => number
  /** Counts on when somebody sets the clock. */
  steadyMs: () => number
  /** It waits until somebody comes: no answer is no failure. */
  isListener: boolean
}

export interface SinkState {
  started(): void
  wrote(): void
  /** `messages` are what the program said, oldest first. */
  ended(messages: readonly string[]): void
  read(): SinkStatus
}

/** What wrote nothing for so long sends no more. */
const SILENT_AFTER_MS = 5000
/** Whoever is dialled and says nothing for so long does not answer. */
const NO_ANSWER_AFTER_MS = 15_000

/**
 * 1. connecting: the program runs and has neither written nor failed since the output is wanted, or has written before
 *    and was started anew without an error in between;
 * 2. sending: it wrote something within the last 5 s;
 * 3. failed: the program ended by itself, wrote nothing for 5 s after it had written, or reached nobody within 15 s.
 *
 * 1 or 3 → 2 as soon as it writes; 1 or 2 → 3 as above; a new try leaves 3 only by sending.
 * One that listens for a caller stays at 1 until somebody comes, and goes back to 1 when the caller leaves.
 */
export function createSinkState({ nowMs, steadyMs, isListener }: OutputStateOptions): SinkState {
  let now: SinkStatus = { state: 'connecting', reason: null, since: nowMs(), tries: 1 }
  let startedMs = steadyMs()
  let wroteMs: number | undefined
  let starts = 0

  function enter(state: SinkStatus['state'], reason: string | null): void {
    const isSame = now.state === state && now.reason === reason
    now = { state, reason, since: isSame ? now.since : nowMs(), tries: Math.max(1, starts) }
  }

  return {
    started() {
      starts++
      startedMs = steadyMs()
      wroteMs = undefined
      if (now.state !== 'failed') enter('connecting', null)
      else enter('failed', now.reason)
    },
    wrote() {
      wroteMs = steadyMs()
      starts = 1
      enter('sending', null)
    },
    ended(messages) {
      const hadSent = wroteMs !== undefined
      wroteMs = undefined
      if (isListener && hadSent) enter('connecting', null)
      else enter('failed', reasonOf(messages, hadSent))
    },
    read() {
      if (now.state === 'sending' && steadyMs() - (wroteMs ?? 0) >= SILENT_AFTER_MS)
        enter('failed', english('output.stuck'))
      if (now.state === 'connecting' && !isListener && steadyMs() - startedMs >= NO_ANSWER_AFTER_MS)
        enter('failed', english('output.timedOut'))
      return now
    },
  }
}

const LONGEST_REASON = 200

/** From what ffmpeg writes to what an operator is told; the first that fits, seen from the last line. */
const known: readonly (readonly [RegExp, string])[] = [
  [/Connection refused/i, english('output.refused')],
  [/No route to host|Network is unreachable|Host is down/i, english('output.unreachable')],
  [/resolve hostname|Name or service not known|Temporary failure in name/i, english('output.unknownHost')],
  [/timed out|Operation timeout/i, english('output.timedOut')],
  [
    /401|403|Unauthorized|Forbidden|authentication|access denied|NetStream\.Publish\.BadName/i,
    english('output.denied'),
  ],
  [/Broken pipe|Connection reset|Connection was reset|End of file/i, english('output.closed')],
  [/Address already in use|EADDRINUSE/i, english('output.portTaken')],
  [/srt:\/\/\S* failed: Input\/output error/i, english('output.unreachable')],
]

function reasonOf(messages: readonly string[], hadSent = false): string {
  for (const message of messages.toReversed())
    for (const [sign, reason] of known) if (sign.test(message)) return reason
  const last = messages.at(-1)
  if (last === undefined) return hadSent ? english('output.closed') : english('output.ended')
  return last.replace(/^\[[^\]]*\] /, '').slice(0, LONGEST_REASON)
}
