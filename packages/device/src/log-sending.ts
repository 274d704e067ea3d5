/** Sends a log to core in parts, slowly enough that other messages are not delayed on the socket. */
import type { LogPart } from '@backhaul/contract/gateway/gateway'
import { LOG_PART_LENGTH } from '@backhaul/contract/gateway/shared'
import { LOG_BYTES_MAX } from '@backhaul/contract/nouns/device-logs'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import { Refused } from './refused.ts'

const partEveryMs = 200

export interface LogSending {
  /** Throws when a log is being sent already. */
  start(logId: string, text: string): void
  /** Throws when this log is not being sent. */
  stop(logId: string): void
  isRunning(): boolean
  /** Without a message to core. */
  close(): void
}

interface LogSendingOptions {
  /** False when it could not be sent: it is retried at the next turn. */
  send: (part: LogPart) => boolean
  onChange?: () => void
  clock: Clock
}

export function createLogSending({ send, onChange = () => {}, clock }: LogSendingOptions): LogSending {
  let running: { logId: string; timer: Timer } | undefined

  function end(): void {
    clock.clearInterval(running?.timer)
    running = undefined
    onChange()
  }

  return {
    start(logId, text) {
      if (running) throw new Refused('deviceLog.running')
      const newest = text.slice(-LOG_BYTES_MAX)
      let at = 0
      const timer = clock.setInterval(() => {
        const from = at * LOG_PART_LENGTH
        const isLast = from + LOG_PART_LENGTH >= newest.length
        const part = {
          type: 'logPart',
          logId,
          at,
          text: newest.slice(from, from + LOG_PART_LENGTH),
          isLast,
        } as const
        if (!send(part)) return
        at++
        if (isLast) end()
      }, partEveryMs)
      running = { logId, timer }
      onChange()
    },
    stop(logId) {
      if (running?.logId !== logId) throw new Refused('deviceLog.otherLog')
      end()
    },
    isRunning: () => running !== undefined,
    close() {
      clock.clearInterval(running?.timer)
      running = undefined
    },
  }
}

/** Reads the arguments of an order about logs; any others are refused. */
export function logIdOf({ logId }: Readonly<Record<string, unknown>>): string {
  if (typeof logId !== 'string') throw new Refused('deviceLog.unnamed')
  return logId
}
