// The built-in provider, for tests: it understands neither words nor pictures, and marks what the server measures.
import { because, causeOf, english, type Reason } from '@backhaul/contract/define/refusals'
import type { AiMark, AiObservation } from '@backhaul/contract/nouns/ai'

/** A fault of the picture or the sound counts when it lasts this long. */
const lastsMs = 2000
/** A moment is loud when it is this far above the usual. */
const loudDb = 9
/** After a loud moment the next one is not marked for this long. */
const pauseMs = 10_000
/** Weight of a new second in the usual loudness. */
const share = 0.05
/** Seconds until the usual loudness is known. */
const learnsFor = 10

const faults = [
  { is: 'black', kind: 'picture', began: 'picture.black', ended: 'picture.back' },
  { is: 'frozen', kind: 'picture', began: 'picture.frozen', ended: 'picture.moves' },
  { is: 'silent', kind: 'sound', began: 'sound.silent', ended: 'sound.back' },
] as const

const textOf = (why: Reason) => ({ text: english(why), cause: causeOf(why) })

/** Takes one second after the other, and answers the marks of each. */
export function createLocalProvider(): (observation: AiObservation) => AiMark[] {
  const since = new Map<string, { ms: number; isMarked: boolean }>()
  let usualDb = 0
  let seconds = 0
  let quietUntilMs = 0

  function faultMarks(observation: AiObservation, nowMs: number): AiMark[] {
    return faults.flatMap(({ is, kind, began, ended }): AiMark[] => {
      const before = since.get(is)
      if (!observation[is]) {
        since.delete(is)
        return before?.isMarked ? [{ ts: observation.ts, kind, ...textOf(ended) }] : []
      }
      const fault = before ?? { ms: nowMs, isMarked: false }
      since.set(is, fault)
      if (fault.isMarked || nowMs - fault.ms < lastsMs) return []
      fault.isMarked = true
      return [{ ts: new Date(fault.ms).toISOString(), kind, ...textOf(began) }]
    })
  }

  function loudMarks({ ts, rmsDb, silent }: AiObservation, nowMs: number): AiMark[] {
    if (rmsDb === null || silent) return []
    const isLoud = seconds >= learnsFor && rmsDb - usualDb >= loudDb && nowMs >= quietUntilMs
    usualDb = seconds === 0 ? rmsDb : usualDb + (rmsDb - usualDb) * share
    seconds++
    if (!isLoud) return []
    quietUntilMs = nowMs + pauseMs
    return [
      { ts, kind: 'highlight', ...textOf(because('moment.loud', { decibels: Math.round(rmsDb - usualDb) })) },
    ]
  }

  return (observation) => {
    const nowMs = Date.parse(observation.ts)
    return [...faultMarks(observation, nowMs), ...loudMarks(observation, nowMs)]
  }
}
