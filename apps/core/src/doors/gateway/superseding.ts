// The rule for waiting messages that a newer one of the same device supersedes.
import type { FromDevice } from '@backhaul/contract/gateway/gateway'
import { SAMPLES_PER_MESSAGE } from '@backhaul/contract/gateway/units'
import { parseJson } from '../json.ts'
import type { Parsed, Waiting, Work } from './device-queue.ts'
import { readTelemetry } from './telemetry-reader.ts'

type Figures = 'telemetry' | 'serverTelemetry' | 'levels'
const figures: readonly string[] = ['telemetry', 'serverTelemetry', 'levels'] satisfies FromDevice['type'][]

interface Message {
  type: string
  unitId?: unknown
  samples?: unknown
}

interface ParsedFigures extends Parsed {
  message: Message
}

interface Newest extends ParsedFigures {
  /** Samples of the older ones, the newest message first. */
  older: unknown[][]
}

export interface Superseded {
  /** The messages in their order, with the newest of each kind of figures only. */
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
    const work = figuresIn(one)
    if (!work) {
      kept.push(one)
      continue
    }
    const { message } = work
    const kind = `${message.type} ${String(message.unitId)}`
    const newer = newest.get(kind)
    if (newer && Array.isArray(message.samples) === Array.isArray(newer.message.samples)) {
      dropped.push(message.type as Figures)
      if (Array.isArray(message.samples)) newer.older.push(message.samples)
      newer.isValid &&= work.isValid
      continue
    }
    const now = { ...work, older: [] }
    if (!newer) newest.set(kind, now)
    kept.push({ ...one, work: now })
  }
  let lostSamples = 0
  for (const one of newest.values()) lostSamples += joinSamples(one)
  return { kept: kept.reverse(), dropped, lostSamples }
}

const beginnings = figures.map((type) => `{"type":"${type}"`)
const longestBeginning = Math.max(...beginnings.map(({ length }) => length))

/** As far as the first bytes show, where devices put the type. */
export function isFigures(work: Work): boolean {
  if (!Buffer.isBuffer(work)) return typeof work !== 'function'
  const beginning = work.toString('latin1', 0, longestBeginning)
  return beginnings.some((one) => beginning.startsWith(one))
}

/** Puts the samples of the older before its own; answers how many have no room. */
function joinSamples({ message, older }: Newest): number {
  if (older.length === 0) return 0
  const all = [...older.toReversed().flat(), ...(message.samples as unknown[])]
  message.samples = all.slice(-SAMPLES_PER_MESSAGE)
  return Math.max(0, all.length - SAMPLES_PER_MESSAGE)
}

/** Only figures are parsed; a malformed message is refused in its turn. */
function figuresIn({ work }: Waiting): ParsedFigures | undefined {
  if (typeof work === 'function') return undefined
  const { message, isValid } = Buffer.isBuffer(work) ? parsed(work) : work
  const type = (message as Message | null | undefined)?.type
  return typeof type === 'string' && figures.includes(type)
    ? { message: message as Message, isValid }
    : undefined
}

function parsed(bytes: Buffer): { message: unknown; isValid: boolean } {
  const message = readTelemetry(bytes)
  if (message) return { message, isValid: true }
  try {
    return { message: parseJson(bytes.toString()), isValid: false }
  } catch {
    return { message: undefined, isValid: false }
  }
}
