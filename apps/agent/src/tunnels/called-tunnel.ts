// A tunnel of the unit as a part of its hardware: at most one of a kind, over the links that can be used at present.
import type { Reason } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { CallTerms } from '../link-terms.ts'
import type { UnitLink } from '../links.ts'
import { type Call, startCall, type TunnelPurpose, type WantedTunnel } from './call.ts'

export interface CalledTunnelOptions {
  usable: () => readonly UnitLink[]
  /** The present rules for the use of the links. */
  terms: () => CallTerms
  clock: Clock
  log: Log
  onLost: (why: Reason) => void
  /** It is there, or not any more. */
  onChange: () => void
}

export interface CalledTunnel<Wanted extends WantedTunnel = never> {
  readonly hardware: {
    start(wanted: Wanted, signal: AbortSignal): Promise<void>
    stop(): Promise<void>
  }
  isThere(): boolean
  /** The present load of the link by this tunnel. */
  kbpsOf(linkId: string): { up: number; down: number }
  /** The usable links, or how they may be used, changed. */
  useLinks(): void
  close(): Promise<void>
}

export function createCalledTunnel<Wanted extends WantedTunnel>(
  purpose: TunnelPurpose<Wanted>,
  { usable, terms, clock, log, onLost, onChange }: CalledTunnelOptions,
): CalledTunnel<Wanted> {
  let call: Call | undefined

  function use(next: Call | undefined): void {
    call = next
    onChange()
  }

  async function end(): Promise<void> {
    const ending = call
    use(undefined)
    await ending?.stop()
  }

  return {
    hardware: {
      async start(wanted, signal) {
        signal.throwIfAborted()
        if (usable().length === 0) throw new Refused('unit.noLink')
        const starting = startCall(
          {
            purpose,
            terms,
            clock,
            log,
            onLost(why) {
              use(undefined)
              onLost(why)
            },
          },
          wanted,
          usable(),
        )
        use(starting)
        try {
          await opened(starting, signal)
        } catch (error) {
          await end()
          throw error
        }
        log.info({ id: wanted.id }, `${purpose.name} connected`)
      },
      stop: end,
    },
    isThere: () => call !== undefined,
    kbpsOf(linkId) {
      const link = call?.stats().links.find(({ id }) => id === linkId)
      return { up: link?.upKbps ?? 0, down: link?.downKbps ?? 0 }
    },
    useLinks: () => call?.useLinks(usable()),
    close: end,
  }
}

/** Resolves when all is open; rejects when the start fails, or is no longer wanted. */
export async function opened({ begun }: Call, signal: AbortSignal): Promise<void> {
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
