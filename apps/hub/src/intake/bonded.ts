// Receives a bonded unit on a channel's own pair of ports, and only the transmission that is wanted there.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Receiver } from '@backhaul/bonding/receiver'
import type { Intake } from '@backhaul/contract/gateway/servers'
import type { Log } from '@backhaul/runtime/log'
import type { OpenReceiver } from './receivers.ts'

const RETRY_MS = 1000
const IDLE_BUFFER_MS = 1000

export interface BondedFigures {
  readonly recovered: number
  readonly uncorrected: number
  readonly bufferMs: number
}

export interface BondedIntake {
  /** Admits a transmission, changes its buffer while it runs, or admits none. The ports are held all the time. */
  apply(intake: Intake | null): void
  figures(): BondedFigures
  stop(): Promise<void>
}

export interface BondedIntakeOptions {
  host: string
  port: number
  openReceiver: OpenReceiver
  onData: (payload: Buffer) => void
  /** The port was in use; units are received on this one instead. */
  onMoved: (port: number) => void
  log: Log
}

/** A transmission that no unit knows. */
const noTransmission = () => ({ sessionId: randomUUID(), key: randomBytes(32) })

export function createBondedIntake(options: BondedIntakeOptions): BondedIntake {
  const { host, port, openReceiver, onData, onMoved, log } = options
  let wanted: Intake | null = null
  let letIn: Intake | null = null
  let receiver: Receiver | undefined
  let retry: NodeJS.Timeout | undefined
  let complaint = ''
  let stopping = false

  /** On the port that core knows, else on any other. */
  async function bind(): Promise<Receiver> {
    const open = (at: number) =>
      openReceiver({ ...noTransmission(), bindHost: host, port: at, bufferMs: IDLE_BUFFER_MS })
    try {
      return await open(port)
    } catch (error) {
      const other = await open(0)
      log.warn(error, `UDP port ${port} is taken by another program: the channel receives on ${other.port}`)
      return other
    }
  }

  async function hold(): Promise<void> {
    try {
      const bound = await bind()
      if (stopping) return await bound.close()
      bound.onData((payload) => onData(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)))
      receiver = bound
      settle()
      if (bound.port !== port) onMoved(bound.port)
    } catch (error) {
      if (complaint !== String(error))
        log.error(error, `the channel cannot receive on UDP ${port} or any other`)
      complaint = String(error)
      retry = setTimeout(() => {
        holding = hold()
      }, RETRY_MS)
    }
  }
  let holding = hold()

  function settle(): void {
    try {
      if (receiver) letInWanted(receiver)
    } catch (error) {
      log.error(error, `the transmission cannot be received on UDP ${port}`)
    }
  }

  function letInWanted(receiver: Receiver): void {
    const isSame = letIn?.transmissionId === wanted?.transmissionId && letIn?.key === wanted?.key
    letIn = wanted
    if (!isSame)
      receiver.setSession(
        wanted
          ? { sessionId: wanted.transmissionId, key: Buffer.from(wanted.key, 'base64') }
          : noTransmission(),
      )
    if (wanted) receiver.setBufferMs(wanted.bufferMs)
  }

  return {
    apply(intake) {
      wanted = intake
      settle()
    },
    figures() {
      const stats = letIn ? receiver?.stats() : undefined
      return {
        recovered: stats?.totals.recovered ?? 0,
        uncorrected: stats?.totals.lost ?? 0,
        bufferMs: Math.round(stats?.delayMs ?? 0),
      }
    },
    async stop() {
      stopping = true
      clearTimeout(retry)
      await holding
      await receiver?.close()
    },
  }
}
