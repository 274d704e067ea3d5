// Refreshes what is not pushed, on one timer.
import { REFRESH_PERIOD_MS, refreshDelayS } from '@backhaul/contract/nouns/notifications'

/**
 * Runs after a random 1 to 300 s, to spread the load of many consoles, then every 5 minutes (PU-TIME-05, GAP-PUSH-08).
 * Returns the function that stops it.
 */
export function startPeriodicRefresh(run: () => void, random: () => number = Math.random): () => void {
  const { least, most } = refreshDelayS
  const firstMs = (least + Math.floor(random() * (most - least + 1))) * 1000
  let interval: ReturnType<typeof setInterval> | undefined
  const first = setTimeout(() => {
    interval = setInterval(run, REFRESH_PERIOD_MS)
    run()
  }, firstMs)
  return () => {
    clearTimeout(first)
    clearInterval(interval)
  }
}
