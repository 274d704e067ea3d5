// Stores the last known state of devices in small batches, so that core knows the fleet immediately after a crash.
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { type StoredState, saveStates } from './device-table.ts'

const turnMs = 2000
/** Mere figures are written every fifth turn, a fifth of the fleet at a time: each device every 10 s. */
const turnsPerRound = 5

export interface StateKeeper {
  keep(state: StoredState, when: 'soon' | 'later'): void
  /** The device was deleted: nothing of it is stored from here on. */
  forget(deviceId: string): void
  start(): void
  /** Stores everything that is pending. */
  stop(): Promise<void>
}

export function createStateKeeper({ db, clock, log }: { db: Database; clock: Clock; log: Log }): StateKeeper {
  const soon = new Map<string, StoredState>()
  const later = new Map<string, StoredState>()
  const gone = new Set<string>()
  let writing: Promise<void> = Promise.resolve()
  let timer: Timer | undefined

  async function write(states: StoredState[]): Promise<void> {
    if (states.length === 0) return
    try {
      await saveStates(db, states)
    } catch (error) {
      log.error({ err: error, devices: states.length }, 'device states not stored')
      for (const state of states) {
        if (!soon.has(state.deviceId) && !gone.has(state.deviceId)) later.set(state.deviceId, state)
      }
    }
  }

  /** The turn's share; one write at a time, so a slow disk makes the turns longer, not the queue. */
  function share(laterAtMost: number): StoredState[] {
    const states = [...soon.values()]
    soon.clear()
    for (const [id, state] of later) {
      if (states.length >= laterAtMost) break
      states.push(state)
      later.delete(id)
    }
    return states
  }

  let isBusy = false
  function turn(): void {
    if (isBusy) return
    isBusy = true
    const states = share(Math.max(20, Math.ceil(later.size / turnsPerRound)))
    writing = write(states).finally(() => {
      isBusy = false
    })
  }

  return {
    keep(state, when) {
      if (when === 'soon') {
        later.delete(state.deviceId)
        soon.set(state.deviceId, state)
        return
      }
      const waiting = soon.get(state.deviceId) ?? later.get(state.deviceId)
      if (waiting) Object.assign(waiting, state)
      else later.set(state.deviceId, state)
    },
    forget(deviceId) {
      gone.add(deviceId)
      soon.delete(deviceId)
      later.delete(deviceId)
    },
    start() {
      timer = clock.setInterval(turn, turnMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await writing
      await write(share(Number.POSITIVE_INFINITY))
    },
  }
}
