// The built-in provider, for tests: it understands neither words nor pictures, and marks what the server measures.
import { english } from '@backhaul/contract/define/refusals'
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
  { is: 'black', kind: 'picture', began: english('picture.black'), ended: english('picture.back') },
  { is: 'frozen', kind: 'picture', began: english('picture.frozen'), ended: english('picture.moves') },
  { is: 'silent', kind: 'sound', began: english('sound.silent'), ended: english('sound.back') },
] as const

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
        return before?.isTold ? [{ ts: observation.ts, kind, text: ended }] : []
      }
      const fault = before ?? { ms: nowMs, isTold: false }
      since.set(is, fault)
      if (fault.isTold || nowMs - fault.ms < lastsMs) return []
      fault.isTold = true
      return [{ ts: new Date(fault.ms).toISOString(), kind, text: began }]
    })
  }

  function loudMarks({ ts, rmsDb, silent }: AiObservation, nowMs: number): AiMark[] {
    if (rmsDb === null || silent) return []
    const isLoud = heard >= learnsFor && rmsDb - usualDb >= loudDb && nowMs >= quietUntilMs
    usualDb = heard === 0 ? rmsDb : usualDb + (rmsDb - usualDb) * share
    heard++
    if (!isLoud) return []
    quietUntilMs = nowMs + pauseMs
    return [{ ts, kind: 'highlight', text: `Loud moment, ${Math.round(rmsDb - usualDb)} dB over the usual` }]
  }

  return (observation) => {
    const nowMs = Date.parse(observation.ts)
    return [...faultMarks(observation, nowMs), ...loudMarks(observation, nowMs)]
  }
}
