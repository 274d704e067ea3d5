// The state of an output, derived from its program. Pure except for the clock that is passed in.
import { type PlainCode, type Reason, type Wording, wordingOf } from '@backhaul/contract/define/refusals'
import type { OutputStatus } from '@backhaul/contract/nouns/output-states'
import { faultOf } from '../failures.ts'

export type SinkStatus = Omit<OutputStatus, 'id'>

export interface OutputStateOptions {
  nowMs: () => number
  /** A monotonic time, not affected when the clock is set. */
  steadyMs: () => number
  /** It waits for a caller: no answer is not a failure. */
  isListener: boolean
}

export interface SinkState {
  started(): void
  /** Bytes since it was started, where that is known. */
  wrote(sizeBytes?: number): void
  /** It is not started, for this reason. */
  refused(why: PlainCode): void
  /** `messages` are those of the program, oldest first. */
  ended(messages: readonly string[]): void
  read(): SinkStatus
}

/** A program that wrote nothing for this long is not sending any more. */
const SILENT_AFTER_MS = 5000
/** The shortest time over which the rate is measured. */
const RATE_OVER_MS = 2000
/** A receiver that is silent for this long does not answer. */
const NO_ANSWER_AFTER_MS = 15_000

/**
 * 1. connecting: the program runs and has neither written nor failed since the output is wanted, or has written before
 *    and was restarted without an error in between;
 * 2. sending: it wrote something within the last 5 s;
 * 3. failed: the program ended by itself, wrote nothing for 5 s after it had written, or reached no receiver within 15 s.
 *
 * 1 or 3 → 2 as soon as it writes; 1 or 2 → 3 as above; a new try leaves 3 only by sending.
 * A listener remains at 1 until a caller connects, and goes back to 1 when the caller leaves.
 */
export function createSinkState({ nowMs, steadyMs, isListener }: OutputStateOptions): SinkState {
  let now: SinkStatus = { state: 'connecting', reason: null, since: nowMs(), tries: 1 }
  let startedMs = steadyMs()
  let wroteMs: number | undefined
  let starts = 0
  let rate = noRate(steadyMs())

  function measure(sizeBytes: number): void {
    const elapsedMs = steadyMs() - rate.sinceMs
    if (sizeBytes < rate.sizeBytes) rate = noRate(steadyMs())
    else if (elapsedMs >= RATE_OVER_MS)
      rate = {
        sinceMs: steadyMs(),
        sizeBytes,
        kbps: Math.round(((sizeBytes - rate.sizeBytes) * 8) / elapsedMs),
      }
  }

  function enter(state: SinkStatus['state']): void {
    now = { state, reason: null, since: sinceWhen(state, null), tries: Math.max(1, starts) }
  }

  function fail(why: Reason | Wording): void {
    const { message: reason, cause } = wordingOf(why)
    const since = sinceWhen('failed', reason)
    now = { state: 'failed', reason, ...(cause && { cause }), since, tries: Math.max(1, starts) }
  }

  const sinceWhen = (state: SinkStatus['state'], reason: string | null) =>
    now.state === state && now.reason === reason ? now.since : nowMs()

  return {
    started() {
      starts++
      startedMs = steadyMs()
      wroteMs = undefined
      rate = noRate(startedMs)
      if (now.state !== 'failed') enter('connecting')
      else now = { ...now, tries: Math.max(1, starts) }
    },
    wrote(sizeBytes) {
      wroteMs = steadyMs()
      if (sizeBytes !== undefined) measure(sizeBytes)
      starts = 1
      enter('sending')
    },
    ended(messages) {
      const hadSent = wroteMs !== undefined
      wroteMs = undefined
      if (isListener && hadSent) enter('connecting')
      else fail(reasonOf(messages, hadSent))
    },
    refused: fail,
    read() {
      if (now.state === 'sending' && steadyMs() - (wroteMs ?? 0) >= SILENT_AFTER_MS) fail('output.stuck')
      if (now.state === 'connecting' && !isListener && steadyMs() - startedMs >= NO_ANSWER_AFTER_MS)
        fail('output.timedOut')
      return now.state === 'sending' && rate.kbps !== undefined ? { ...now, kbps: rate.kbps } : now
    },
  }
}

interface Rate {
  readonly sinceMs: number
  readonly sizeBytes: number
  readonly kbps: number | undefined
}
const noRate = (sinceMs: number): Rate => ({ sinceMs, sizeBytes: 0, kbps: undefined })

/** Translates ffmpeg's messages into reasons for an operator; the first match, beginning with the last line. */
const known: readonly (readonly [RegExp, PlainCode])[] = [
  [/Connection refused/i, 'output.refused'],
  [/No route to host|Network is unreachable|Host is down/i, 'output.unreachable'],
  [/resolve hostname|Name or service not known|Temporary failure in name/i, 'output.unknownHost'],
  [/timed out|Operation timeout/i, 'output.timedOut'],
  [
    /401|403|Unauthorized|Forbidden|authentication|access denied|AccessManager\.Reject|NetStream\.Publish\.BadName/i,
    'output.denied',
  ],
  [/Broken pipe|Connection reset|Connection was reset|End of file/i, 'output.closed'],
  [/Address already in use|EADDRINUSE/i, 'output.portTaken'],
  [/srt:\/\/\S* failed: Input\/output error/i, 'output.unreachable'],
]

/** Undefined for a message that none of them fits. */
export const codeOf = (message: string): PlainCode | undefined =>
  known.find(([sign]) => sign.test(message))?.[1]

function reasonOf(messages: readonly string[], hadSent = false): Reason | Wording {
  for (const message of messages.toReversed()) {
    const code = codeOf(message)
    if (code !== undefined) return code
  }
  const last = messages.at(-1)
  if (last === undefined) return hadSent ? 'output.closed' : 'output.ended'
  return faultOf(last)
}
