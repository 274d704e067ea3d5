// The one timer by which the console requests again what it does not receive by push.
import { REFRESH_PERIOD_MS, refreshDelayS } from '@backhaul/contract/nouns/notifications'

/**
 * Runs after a random 1 to 300 s, so that a fleet of consoles does not ask at once, then every 5 minutes (PU-TIME-05,
 * GAP-PUSH-08). Answers the function that stops it.
 */
export function startBeat(run: () => void, random: () => number = Math.random): () => void {
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
