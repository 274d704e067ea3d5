// The databridge of the unit: at most one, for the machines that reach the unit at an address that its owner has set.
import type { Reason } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'
import type { DatabridgeHardware } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { UnitLink } from '../links.ts'
import { type Bridge, startBridge } from './bridge.ts'

export interface DatabridgeOptions {
  /** The address at which machines of the crew reach the unit. */
  host: string
  usable: () => readonly UnitLink[]
  clock: Clock
  log: Log
  onLost: (why: Reason) => void
}

export interface Databridge {
  readonly hardware: DatabridgeHardware
  /** What the link carries of it now. */
  kbpsOf(linkId: string): { up: number; down: number }
  /** The usable links are other ones now. */
  useLinks(): void
  close(): void
}

export function createDatabridge(options: DatabridgeOptions): Databridge {
  const { host, usable, clock, log } = options
  let bridge: Bridge | undefined

  function end(): void {
    bridge?.stop()
    bridge = undefined
  }

  return {
    hardware: {
      async start(wanted, signal) {
        signal.throwIfAborted()
        if (usable().length === 0) throw new Refused('unit.noLink')
        const starting = startBridge(
          {
            host,
            clock,
            log,
            onLost(why) {
              bridge = undefined
              options.onLost(why)
            },
          },
          wanted,
          usable(),
        )
        bridge = starting
        try {
          await answered(starting, signal)
        } catch (error) {
          end()
          throw error
        }
        log.info({ gateway: wanted.gatewayId, ports: wanted.ports.length }, 'databridge connected')
      },
      stop: end,
    },
    kbpsOf(linkId) {
      const link = bridge?.stats().links.find(({ id }) => id === linkId)
      return { up: link?.upKbps ?? 0, down: link?.downKbps ?? 0 }
    },
    useLinks: () => bridge?.useLinks(usable()),
    close: end,
  }
}

/** Resolves when the ports are open; rejects when the start fails, or is no longer wanted. */
async function answered({ begun }: Bridge, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new Refused('transmission.startCancelled'))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    await Promise.race([begun, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
