// The port of one return channel: open as long as the channel is there, so that units find it again after a restart.
import { type CalledSender, type CalledSession, createCalledSender } from '@backhaul/bonding/called-sender'
import type { Wording } from '@backhaul/contract/define/refusals'
import type { Log } from '@backhaul/runtime/log'
import { openingFault } from '../failures.ts'

const RETRY_MS = 5000

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
  let sender: CalledSender | undefined
  let failure: Wording | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let opening = open()

  async function open(): Promise<void> {
    const { port, isFixed } = place
    const opened = await createCalledSender({ bindHost: host, port })
      .catch((error: unknown) => {
        if (isFixed) throw error
        return createCalledSender({ bindHost: host, port: 0 })
      })
      .catch((error: unknown) => {
        log.error({ err: error, port, retryInMs: RETRY_MS }, 'port of the video return cannot be opened')
        failure = openingFault(error, port)
        return undefined
      })
    if (isClosed) return await opened?.close()
    sender = opened
    if (opened) failure = undefined
    sender?.setSession(session)
    if (!sender) timer = setTimeout(reopen, RETRY_MS)
    onChange()
  }

  async function leave(): Promise<void> {
    clearTimeout(timer)
    const left = sender
    sender = undefined
    await left?.close()
  }

  function reopen(): void {
    opening = opening.then(leave).then(() => (isClosed ? undefined : open()))
  }

  return {
    failure: () => failure,
    sender: () => sender,
    move(next) {
      if (next.port === place.port && next.isFixed === place.isFixed) return
      place = next
      reopen()
    },
    setSession(next) {
      session = next
      sender?.setSession(next)
    },
    setBufferMs(bufferMs) {
      if (session) session = { ...session, bufferMs }
      sender?.setBufferMs(bufferMs)
    },
    async close() {
      isClosed = true
      await opening
      await leave()
    },
  }
}
