// A port that is held while its part of the hub runs: one that cannot be opened, or is lost, is tried again every 5 s.
import type { Wording } from '@backhaul/contract/define/refusals'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { openingFault } from './failures.ts'

const retryMs = 5000

interface Closable {
  close(): unknown
}

export interface KeptPort<Opened> {
  /** Undefined while it is not open. */
  opened(): Opened | undefined
  /** Why it is not open. */
  failure(): Wording | undefined
  /** Closes it and opens it again, at another place if that has changed. */
  reopen(): void
  close(): Promise<void>
}

export interface KeptPortOptions<Opened extends Closable> {
  /** The purpose of the port, in the log. */
  name: string
  port: () => number
  /** Rejects with the system's error. `onLost` is called when it fails later. */
  open: (onLost: (error: Error) => void) => Promise<Opened>
  /** It is open, or not open any more. */
  onChange: () => void
  log: Log
  clock?: Clock
}

export function keepPort<Opened extends Closable>(options: KeptPortOptions<Opened>): KeptPort<Opened> {
  const { name, port, open, onChange, log, clock = systemClock } = options
  let opened: Opened | undefined
  let failure: Wording | undefined
  let timer: ReturnType<Clock['setTimeout']> | undefined
  let isClosed = false
  let turn = openNow()

  async function openNow(): Promise<void> {
    if (isClosed) return
    try {
      opened = await open(lose)
      failure = undefined
    } catch (error) {
      fail(error)
    }
    if (!isClosed) onChange()
  }

  function fail(error: unknown): void {
    failure = openingFault(error, port())
    log.error(
      { port: port(), reason: failure.message, retryInMs: retryMs },
      `the port of ${name} is not open`,
    )
    timer = clock.setTimeout(reopen, retryMs)
  }

  function lose(error: Error): void {
    if (isClosed) return
    fail(error)
    void leave()
    onChange()
  }

  async function leave(): Promise<void> {
    const left = opened
    opened = undefined
    await left?.close()
  }

  function reopen(): void {
    clock.clearTimeout(timer)
    turn = turn.then(leave).then(openNow)
  }

  return {
    opened: () => opened,
    failure: () => failure,
    reopen,
    async close() {
      isClosed = true
      await turn
      clock.clearTimeout(timer)
      await leave()
    },
  }
}
