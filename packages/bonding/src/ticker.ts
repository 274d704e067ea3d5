// A timer that many share: a server with 16 channels wakes as often as one with one channel.

interface Ticker {
  readonly timer: NodeJS.Timeout
  readonly runs: Set<() => void>
}

const tickers = new Map<number, Ticker>()

/** Runs it at this interval, together with all others of the same interval. Returns the function that ends it. */
export function everyMs(intervalMs: number, run: () => void): () => void {
  const ticker = tickers.get(intervalMs) ?? startTicker(intervalMs)
  ticker.runs.add(run)
  return () => {
    if (!ticker.runs.delete(run) || ticker.runs.size > 0) return
    clearInterval(ticker.timer)
    tickers.delete(intervalMs)
  }
}

function startTicker(intervalMs: number): Ticker {
  const runs = new Set<() => void>()
  const ticker = {
    timer: setInterval(() => {
      for (const run of runs) run()
    }, intervalMs),
    runs,
  }
  tickers.set(intervalMs, ticker)
  return ticker
}
