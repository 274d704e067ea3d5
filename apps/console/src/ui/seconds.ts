// One clock for the whole page, so that everything that shows an age or the time changes together.
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let offsetMs = 0
let nowMs = Date.now()
let timer: ReturnType<typeof setTimeout> | undefined

/** Lead of the house's clock over this machine's, in ms; all ages and times follow the house. */
export function setClockOffset(ms: number): void {
  offsetMs = ms
}

function tick(): void {
  nowMs = Date.now() + offsetMs
  for (const listener of listeners) listener()
  timer = setTimeout(tick, 1000 - (nowMs % 1000))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

/** The house's time in ms, new at the beginning of each second. */
export function useSecond(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}
