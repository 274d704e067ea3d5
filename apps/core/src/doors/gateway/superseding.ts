// Which of the messages that wait say what a newer one of the same device says as well.
import type { FromDevice } from '@backhaul/contract/gateway/gateway'
import { SAMPLES_PER_MESSAGE } from '@backhaul/contract/gateway/units'
import { parseJson } from '../json.ts'
import type { Waiting } from './lane.ts'

type Figures = 'telemetry' | 'serverTelemetry' | 'levels'
const figures: readonly string[] = ['telemetry', 'serverTelemetry', 'levels'] satisfies FromDevice['type'][]

interface Said {
  type: string
  unitId?: unknown
  samples?: unknown
}

interface Newest {
  said: Said
  /** Samples of the older ones, the newest message first. */
  older: unknown[][]
}

export interface Superseded {
  /** In their order; of each kind of figures the newest alone. */
  kept: Waiting[]
  dropped: Figures[]
  /** Samples of units that the newest message has no room for. */
  lostSamples: number
}

/**
 * Figures give way to newer figures of their kind; reports, which are differences, and everything else stay. The samples
 * of a unit go into its newest message, as many as that may carry, so that its time series and its use have no gap.
 */
export function supersede(waiting: readonly Waiting[]): Superseded {
  const kept: Waiting[] = []
  const dropped: Figures[] = []
  const newest = new Map<string, Newest>()
  for (const one of waiting.toReversed()) {
    const said = saidIn(one)
    if (!said) {
      kept.push(one)
      continue
    }
    const kind = `${said.type} ${String(said.unitId)}`
    const newer = newest.get(kind)
    if (newer && Array.isArray(said.samples) === Array.isArray(newer.said.samples)) {
      dropped.push(said.type as Figures)
      if (Array.isArray(said.samples)) newer.older.push(said.samples)
      continue
    }
    if (!newer) newest.set(kind, { said, older: [] })
    kept.push({ ...one, work: said })
  }
  let lostSamples = 0
  for (const one of newest.values()) lostSamples += joinSamples(one)
  return { kept: kept.reverse(), dropped, lostSamples }
}

/** Puts the samples of the older before its own; answers how many have no room. */
function joinSamples({ said, older }: Newest): number {
  if (older.length === 0) return 0
  const all = [...older.toReversed().flat(), ...(said.samples as unknown[])]
  said.samples = all.slice(-SAMPLES_PER_MESSAGE)
  return Math.max(0, all.length - SAMPLES_PER_MESSAGE)
}

/** Figures alone are looked into; what cannot be read is refused in its turn. */
function saidIn({ work }: Waiting): Said | undefined {
  if (typeof work === 'function') return undefined
  const said = typeof work === 'string' ? parsed(work) : work
  const type = (said as Said | null | undefined)?.type
  return typeof type === 'string' && figures.includes(type) ? (said as Said) : undefined
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
