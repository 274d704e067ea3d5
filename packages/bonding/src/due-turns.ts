// One timer for all jobs that are due: a server with 16 channels wakes as often as one with one channel, and without
// streams not at all.

/** Due work is done at multiples of this, all of it in one turn. */
const GRID_MS = 5

export type DueTurns = {
  /** Runs in the first turn from then on, unless it runs earlier anyway. */
  at(dueMs: number): void
  end(): void
}

type Entry = { dueMs: number; readonly run: (nowMs: number) => void }

const entries = new Set<Entry>()
let timer: NodeJS.Timeout | undefined
/** The time of the next turn; no earlier one is set while a turn runs. */
let turnMs = Number.POSITIVE_INFINITY

/** `run` gets the time (performance.now()); it is not called again before the time of `at`. */
export function createDueTurns(run: (nowMs: number) => void): DueTurns {
  const entry: Entry = { dueMs: Number.POSITIVE_INFINITY, run }
  entries.add(entry)
  return {
    at(dueMs) {
      if (dueMs >= entry.dueMs) return
      entry.dueMs = dueMs
      setTurn(dueMs)
    },
    end: () => void entries.delete(entry),
  }
}

function setTurn(dueMs: number): void {
  const nowMs = performance.now()
  const nextMs = Math.ceil(Math.max(dueMs, nowMs) / GRID_MS) * GRID_MS
  if (nextMs >= turnMs) return
  clearTimeout(timer)
  turnMs = nextMs
  // A timer counts whole milliseconds and begins at the last one: it may come up to 1 ms too early.
  timer = setTimeout(takeTurn, Math.ceil(nextMs - nowMs) + 1)
}

function takeTurn(): void {
  const nowMs = performance.now()
  turnMs = Number.NEGATIVE_INFINITY
  try {
    for (const entry of entries) {
      if (entry.dueMs > nowMs) continue
      entry.dueMs = Number.POSITIVE_INFINITY
      entry.run(nowMs)
    }
  } finally {
    turnMs = Number.POSITIVE_INFINITY
    let nextMs = Number.POSITIVE_INFINITY
    for (const { dueMs } of entries) nextMs = Math.min(nextMs, dueMs)
    if (nextMs < Number.POSITIVE_INFINITY) setTurn(nextMs)
  }
}
