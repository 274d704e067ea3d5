// One call of the crew: the unit's links call the server of the audio room, and sound goes over all of them.
import type { Reason } from '@backhaul/contract/define/refusals'
import type { WantedIfb, WantedIntercom } from '@backhaul/contract/gateway/units'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Frame } from '@backhaul/speech/frames'
import { openSpeechLine } from '@backhaul/speech/speech-line'
import { createBondedLinks } from '../bonded-links.ts'
import { createLinkHolder } from '../link-holder.ts'
import type { UnitLink } from '../links.ts'

const watchPeriodMs = 100
/** A call without an answer by then has failed. */
const startLimitMs = 15_000
/** No answer may come for this long before the call counts as lost; shorter cuts recover by themselves. */
const lostAfterMs = 5000

export interface CrewCallOptions {
  clock: Clock
  log: Log
  /** The time for which sound is buffered before it is heard; 60 ms by default. */
  delayMs?: number
  /** Every 20 ms the sound of the room. */
  onHeard: (frame: Frame) => void
  /** No answer has come for long; everything has been stopped by then. */
  onLost: (why: Reason) => void
}

/**
 * 1. calling: every usable link calls the server; to 2 with the first answer. Without one within 15 s it fails;
 * 2. connected: a link is answered at present; to 3 when none has been for 5 s;
 * 3. ended: failed, lost or stopped; nothing is left running.
 */
export interface CrewCall {
  /** Settles with the first answer; rejects when the call fails. */
  readonly begun: Promise<void>
  speak(frame: Frame): void
  useLinks(links: readonly UnitLink[]): void
  stop(): void
}

/** Rejects when the key is unusable. */
export async function startCrewCall(
  { clock, log, onHeard, onLost, delayMs }: CrewCallOptions,
  { id, key, targets }: Pick<WantedIntercom | WantedIfb, 'id' | 'key' | 'targets'>,
  links: readonly UnitLink[],
): Promise<CrewCall> {
  const line = await openSpeechLine({
    sessionId: id,
    key: Buffer.from(key, 'base64'),
    onHeard,
    delayMs,
  })
  const bondedLinks = createBondedLinks(line, targets, createLinkHolder({ clock, log }))
  const { promise: begun, resolve: begin, reject: fail } = Promise.withResolvers<void>()
  const startedMs = clock.monotonicMs()
  let answeredMs = startedMs
  let isBegun = false
  bondedLinks.use(links, startedMs)
  const timer = clock.setInterval(watch, watchPeriodMs)

  function watch(): void {
    const nowMs = clock.monotonicMs()
    bondedLinks.watch(nowMs)
    if (line.stats().links.some(({ up }) => up)) {
      answeredMs = nowMs
      isBegun = true
      begin()
      return
    }
    if (nowMs - answeredMs < (isBegun ? lostAfterMs : startLimitMs)) return
    log.warn({ session: id, links: line.stats().links }, 'intercom: no answer on any link')
    stop()
    if (isBegun) onLost('intercom.serverSilent')
    else fail(new Refused('intercom.serverSilent'))
  }

  function stop(): void {
    clock.clearInterval(timer)
    bondedLinks.close()
    line.close()
  }

  return {
    begun,
    speak: line.speak,
    useLinks: (next) => bondedLinks.use(next, clock.monotonicMs()),
    stop,
  }
}

/** Resolves with the first answer; rejects when the call fails, or is no longer wanted. */
export async function hasBegun(call: CrewCall, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new Refused('intercom.cancelled'))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    await Promise.race([call.begun, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
