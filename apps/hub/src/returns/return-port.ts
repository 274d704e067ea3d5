// The port of one return channel: open as long as the channel is there, so that units find it again after a restart.
import { type CalledSender, type CalledSession, createCalledSender } from '@backhaul/bonding/called-sender'
import type { Wording } from '@backhaul/contract/define/refusals'
import type { Log } from '@backhaul/runtime/log'
import { keepPort } from '../kept-port.ts'

/** A port that a user has set is waited for; any other may be replaced by a free one. */
export interface ReturnPlace {
  readonly port: number
  readonly isFixed: boolean
}

export interface ReturnPort {
  /** Why it is not open. */
  failure(): Wording | undefined
  /** Undefined while it is not open. */
  sender(): CalledSender | undefined
  move(place: ReturnPlace): void
  setSession(session: CalledSession | undefined): void
  setBufferMs(bufferMs: number): void
  close(): Promise<void>
}

export interface ReturnPortOptions {
  host: string
  place: ReturnPlace
  /** It is open, or not open any more. */
  onChange: () => void
  log: Log
}

export function openReturnPort({ host, place: first, onChange, log }: ReturnPortOptions): ReturnPort {
  let place = first
  let session: CalledSession | undefined
  const kept = keepPort<CalledSender>({
    name: 'the video return',
    port: () => place.port,
    async open() {
      const { port, isFixed } = place
      return await createCalledSender({ bindHost: host, port }).catch((error: unknown) => {
        if (isFixed) throw error
        return createCalledSender({ bindHost: host, port: 0 })
      })
    },
    onChange() {
      kept.opened()?.setSession(session)
      onChange()
    },
    log,
  })

  return {
    failure: kept.failure,
    sender: kept.opened,
    move(next) {
      if (next.port === place.port && next.isFixed === place.isFixed) return
      place = next
      kept.reopen()
    },
    setSession(next) {
      session = next
      kept.opened()?.setSession(next)
    },
    setBufferMs(bufferMs) {
      if (session) session = { ...session, bufferMs }
      kept.opened()?.setBufferMs(bufferMs)
    },
    close: kept.close,
  }
}
