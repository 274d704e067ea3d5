// The built-in provider, for tests: it understands neither words nor pictures, and marks what the server measures.
import { because, causeOf, english, type Reason } from '@backhaul/contract/define/refusals'
import type { AiMark, AiObservation } from '@backhaul/contract/nouns/ai'

/** A fault of the picture or the sound counts when it lasts so long. */
const lastsMs = 2000
/** A moment is loud that stands out so far over the usual. */
const loudDb = 9
/** After a loud moment the next one is not told for so long. */
const pauseMs = 10_000
/** How much of a new second goes into the usual loudness. */
const share = 0.05
/** Seconds until the usual loudness is known. */
const learnsFor = 10

const faults = [
  { is: 'black', kind: 'picture', began: 'picture.black', ended: 'picture.back' },
  { is: 'frozen', kind: 'picture', began: 'picture.frozen', ended: 'picture.moves' },
  { is: 'silent', kind: 'sound', began: 'sound.silent', ended: 'sound.back' },
] as const

const textOf = (why: Reason) => ({ text: english(why), cause: causeOf(why) })

/** Takes in one second after the other, and answers the marks of each. */
export function createLocalProvider(): (observation: AiObservation) => AiMark[] {
  const since = new Map<string, { ms: number; isTold: boolean }>()
  let usualDb = 0
  let heard = 0
  let quietUntilMs = 0

  function faultMarks(observation: AiObservation, nowMs: number): AiMark[] {
    return faults.flatMap(({ is, kind, began, ended }): AiMark[] => {
      const before = since.get(is)
      if (!observation[is]) {
        since.delete(is)
        return before?.isTold ? [{ ts: observation.ts, kind, ...textOf(ended) }] : []
      }
      const fault = before ?? { ms: nowMs, isTold: false }
      since.set(is, fault)
      if (fault.isTold || nowMs - fault.ms < lastsMs) return []
      fault.isTold = true
      return [{ ts: new Date(fault.ms).toISOString(), kind, ...textOf(began) }]
    })
  }

  function loudMarks({ ts, rmsDb, silent }: AiObservation, nowMs: number): AiMark[] {
    if (rmsDb === null || silent) return []
    const isLoud = heard >= learnsFor && rmsDb - usualDb >= loudDb && nowMs >= quietUntilMs
    usualDb = heard === 0 ? rmsDb : usualDb + (rmsDb - usualDb) * share
    heard++
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
