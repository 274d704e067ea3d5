// The series of many units or feeds, each of which has its turn to be written once a minute: checking all of them each second
// would read memory of the whole fleet that nothing else needs then.
import type { Chunk } from './chunk.ts'
import { UnitSeries, WRITE_ROUND_MS } from './unit-series.ts'

/** The pause between two turns. */
export const TURN_MS = 1000
const turnsPerRound = WRITE_ROUND_MS / TURN_MS

/** A chunk that is to be stored, with its number of rows now. */
export interface Due {
  id: string
  chunk: Chunk
  count: number
}

export class SeriesInTurns {
  readonly #byId = new Map<string, UnitSeries>()
  readonly #turns = Array.from({ length: turnsPerRound }, () => new Map<string, UnitSeries>())
  #next = 0

  get(id: string): UnitSeries | undefined {
    return this.#byId.get(id)
  }

  /** The series of this unit or feed, which begins now if there is none. */
  of(id: string): UnitSeries {
    const known = this.#byId.get(id)
    if (known) return known
    const fresh = new UnitSeries(staggerOf(id))
    this.#byId.set(id, fresh)
    this.#turnOf(id).set(id, fresh)
    return fresh
  }

  delete(id: string): void {
    this.#byId.delete(id)
    this.#turnOf(id).delete(id)
  }

  /** The chunks of the next turn that should be written. */
  due(nowMs: number): Due[] {
    const turn = this.#turns[this.#next++ % turnsPerRound] as ReadonlyMap<string, UnitSeries>
    return [...turn].flatMap(([id, series]) => dueOf(id, series.due(nowMs)))
  }

  /** All chunks with rows that are not yet written. */
  unwritten(nowMs: number): Due[] {
    return [...this.#byId].flatMap(([id, series]) => dueOf(id, series.due(nowMs, true)))
  }

  #turnOf(id: string): Map<string, UnitSeries> {
    return this.#turns[staggerOf(id) % turnsPerRound] as Map<string, UnitSeries>
  }
}

const dueOf = (id: string, chunks: readonly Chunk[]): Due[] =>
  chunks.map((chunk) => ({ id, chunk, count: chunk.count }))

/** The place of a unit among all others, always the same. */
function staggerOf(id: string): number {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) | 0
  return Math.abs(hash) % 300_000
}
