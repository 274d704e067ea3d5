/** One timer for many devices: each gets a turn every period, spread so that they do not all send at the same time. */
import type { Clock, Timer } from '@backhaul/runtime/clock'

export interface Ticker {
  readonly periodMs: number
  /** Calls `run` once a period until the returned function is called. */
  onTurn(run: () => void): () => void
}

/**
 * `phases` is how many moments a period is cut into; a new subscriber joins the one with the fewest. The timer runs
 * only while there are subscribers.
 */
export function createTicker(clock: Clock, periodMs: number, phases = 1): Ticker {
  const turns = Array.from({ length: phases }, () => new Set<() => void>())
  let subscribers = 0
  let next = 0
  let timer: Timer | undefined

  function tick(): void {
    const turn = turns[next]
    next = (next + 1) % phases
    for (const run of turn ?? []) run()
  }

  return {
    periodMs,
    onTurn(run) {
      const turn = turns.reduce((fewest, candidate) => (candidate.size < fewest.size ? candidate : fewest))
      const own = () => run()
      turn.add(own)
      if (subscribers++ === 0) timer = clock.setInterval(tick, periodMs / phases)
      return () => {
        if (!turn.delete(own)) return
        if (--subscribers === 0) clock.clearInterval(timer)
      }
    },
  }
}
