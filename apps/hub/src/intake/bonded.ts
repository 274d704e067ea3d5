// Receives a bonded unit on a channel's own pair of ports, and only the transmission that is wanted there.

import { createReceiver, type Receiver } from '@backhaul/bonding/receiver'
import type { Intake } from '@backhaul/contract/gateway/servers'
import type { Log } from '@backhaul/runtime/log'

const RETRY_MS = 1000

export interface BondedFigures {
  readonly recovered: number
  readonly uncorrected: number
  readonly bufferMs: number
}

export interface BondedIntake {
  /** Opens the door for a transmission, changes its buffer while it runs, or closes the door. */
  apply(intake: Intake | null): void
  figures(): BondedFigures
  stop(): Promise<void>
}

export interface BondedIntakeOptions {
  host: string
  port: number
  onData: (payload: Buffer) => void
  log: Log
}

export function createBondedIntake({ host, port, onData, log }: BondedIntakeOptions): BondedIntake {
  let wanted: Intake | null = null
  let open: { receiver: Receiver; intake: Intake } | undefined
  let retry: NodeJS.Timeout | undefined
  let work: Promise<void> = Promise.resolve()

  async function settle(): Promise<void> {
    clearTimeout(retry)
    if (!wanted) {
      const ending = open
      open = undefined
      await ending?.receiver.close()
      return
    }
    const { transmissionId: sessionId, bufferMs } = wanted
    const session = { sessionId, key: Buffer.from(wanted.key, 'base64') }
    if (!open) {
      const receiver = await createReceiver({ ...session, bindHost: host, port, bufferMs })
      receiver.onData((payload) =>
        onData(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)),
      )
      open = { receiver, intake: wanted }
      return
    }
    const isSame = open.intake.transmissionId === sessionId && open.intake.key === wanted.key
    if (!isSame) open.receiver.setSession(session)
    if (open.intake.bufferMs !== bufferMs) open.receiver.setBufferMs(bufferMs)
    open.intake = wanted
  }

  function settleNext(): void {
    work = work.then(settle).catch((error: unknown) => {
      log.error(error, `cannot receive on UDP ${port}`)
      retry = setTimeout(settleNext, RETRY_MS)
    })
  }

  return {
    apply(intake) {
      wanted = intake
      settleNext()
    },
    figures() {
      const stats = open?.receiver.stats()
      return {
        recovered: stats?.totals.recovered ?? 0,
        uncorrected: stats?.totals.lost ?? 0,
        bufferMs: Math.round(stats?.delayMs ?? 0),
      }
    },
    async stop() {
      wanted = null
      settleNext()
      await work
    },
  }
}
