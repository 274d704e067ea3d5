// Which of the waiting messages are superseded by a newer one of the same device.
import type { FromDevice } from '@backhaul/contract/gateway/gateway'
import { SAMPLES_PER_MESSAGE } from '@backhaul/contract/gateway/units'
import { parseJson } from '../json.ts'
import type { Waiting } from './lane.ts'

type Figures = 'telemetry' | 'serverTelemetry' | 'levels'
const figures: readonly string[] = ['telemetry', 'serverTelemetry', 'levels'] satisfies FromDevice['type'][]

interface Message {
  type: string
  unitId?: unknown
  samples?: unknown
}

interface Newest {
  message: Message
  /** Samples of the older ones, the newest message first. */
  older: unknown[][]
}

export interface Superseded {
  /** In their order; of each kind of figures only the newest. */
  kept: Waiting[]
  dropped: Figures[]
  /** Samples of units that the newest message has no room for. */
  lostSamples: number
}

/**
 * Figures are superseded by newer figures of their kind; reports, which are differences, and all others are kept. The samples
 * of a unit go into its newest message, as many as that may carry, so that its time series and its use have no gap.
 */
export function supersede(waiting: readonly Waiting[]): Superseded {
  const kept: Waiting[] = []
  const dropped: Figures[] = []
  const newest = new Map<string, Newest>()
  for (const one of waiting.toReversed()) {
    const message = figuresIn(one)
    if (!message) {
      kept.push(one)
      continue
    }
    const kind = `${message.type} ${String(message.unitId)}`
    const newer = newest.get(kind)
    if (newer && Array.isArray(message.samples) === Array.isArray(newer.message.samples)) {
      dropped.push(message.type as Figures)
      if (Array.isArray(message.samples)) newer.older.push(message.samples)
      continue
    }
    if (!newer) newest.set(kind, { message, older: [] })
    kept.push({ ...one, work: message })
  }
  let lostSamples = 0
  for (const one of newest.values()) lostSamples += joinSamples(one)
  return { kept: kept.reverse(), dropped, lostSamples }
}

/** Puts the samples of the older before its own; answers how many have no room. */
function joinSamples({ message, older }: Newest): number {
  if (older.length === 0) return 0
  const all = [...older.toReversed().flat(), ...(message.samples as unknown[])]
  message.samples = all.slice(-SAMPLES_PER_MESSAGE)
  return Math.max(0, all.length - SAMPLES_PER_MESSAGE)
}

/** Only figures are parsed; a malformed message is refused in its turn. */
function figuresIn({ work }: Waiting): Message | undefined {
  if (typeof work === 'function') return undefined
  const message = typeof work === 'string' ? parsed(work) : work
  const type = (message as Message | null | undefined)?.type
  return typeof type === 'string' && figures.includes(type) ? (message as Message) : undefined
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
