// One tunnel on its way: the unit's links call the other end, and once it answers, what the tunnel is for is opened.
import type { Tunnel, TunnelDatagram } from '@backhaul/bonding/tunnel'
import { createTunnelCaller, type TunnelCaller } from '@backhaul/bonding/tunnel-caller'
import type { Reason } from '@backhaul/contract/define/refusals'
import type { WantedDatabridge, WantedIpPipe } from '@backhaul/contract/gateway/units'
import type { UploadTunnel } from '@backhaul/contract/gateway/uploads'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { createBondedLinks } from '../bonded-links.ts'
import { createLinkHolder } from '../link-holder.ts'
import type { CallTerms } from '../link-terms.ts'
import type { UnitLink } from '../links.ts'

const watchPeriodMs = 200
/** A start without success by then has failed. */
const startLimitMs = 15_000
/** No answer may come for this long before the tunnel counts as lost; shorter cuts recover by themselves. */
const lostAfterMs = 10_000

export type WantedTunnel = WantedDatabridge | WantedIpPipe | UploadTunnel

/** The purpose of a tunnel. */
export interface TunnelPurpose<Wanted extends WantedTunnel> {
  /** The name in log lines. */
  readonly name: string
  /** Why it fails when no link is answered. */
  readonly silent: Reason
  /** Called when the other end answers. Rejects with the reason, and leaves nothing open. */
  open(wanted: Wanted, tunnel: Tunnel, onLost: (why: Reason) => void): Promise<OpenTunnel>
}

export interface OpenTunnel {
  /** A datagram from the other end. */
  receive?(datagram: TunnelDatagram): void
  /** The tunnel is still there, so that an end can be announced. */
  close(): void | Promise<void>
}

export interface CallOptions<Wanted extends WantedTunnel> {
  purpose: TunnelPurpose<Wanted>
  /** The present rules for the use of the links. */
  terms: () => CallTerms
  clock: Clock
  log: Log
  /** It has ended without a request; everything is stopping by then. */
  onLost: (why: Reason) => void
}

/**
 * 1. calling: every usable link calls the other end; to 2 with the first answer. Without success within 15 s it fails;
 * 2. opening: to 3 when all is open; it fails where that is not possible;
 * 3. open: a link is answered at present; to 4 when none has been for 10 s;
 * 4. ended: failed, lost or stopped; nothing is left open.
 */
export interface Call {
  /** Settles when all is open; rejects when the start fails. */
  readonly begun: Promise<void>
  stats: TunnelCaller['stats']
  /** The links, or how they may be used, changed. */
  useLinks(links: readonly UnitLink[]): void
  stop(): Promise<void>
}

/** Throws when the key is unusable. */
export function startCall<Wanted extends WantedTunnel>(
  { purpose, terms, clock, log, onLost }: CallOptions<Wanted>,
  wanted: Wanted,
  links: readonly UnitLink[],
): Call {
  let open: OpenTunnel | undefined
  const caller = createTunnelCaller({
    sessionId: wanted.id,
    key: Buffer.from(wanted.key, 'base64'),
    // The other end opens nothing at the unit.
    onStream: (_, stream) => stream.destroy(),
    onDatagram: (datagram) => open?.receive?.(datagram),
  })
  const bondedLinks = createBondedLinks(caller, wanted.targets, createLinkHolder({ clock, log }))
  const { promise: begun, resolve: begin, reject: fail } = Promise.withResolvers<void>()
  const startedMs = clock.monotonicMs()
  let answeredMs = startedMs
  let isAnswered = false
  let stopping: Promise<void> | undefined
  bondedLinks.use(links, startedMs)
  followTerms()
  const timer = clock.setInterval(watch, watchPeriodMs)

  function followTerms(): void {
    const { up, down } = terms()
    caller.setTerms(up, down)
  }

  function watch(): void {
    const nowMs = clock.monotonicMs()
    bondedLinks.watch(nowMs)
    followTerms()
    if (caller.stats().links.some(({ up }) => up)) {
      answeredMs = nowMs
      if (!isAnswered) void openAll()
      isAnswered = true
    }
    if (open ? nowMs - answeredMs < lostAfterMs : nowMs - startedMs < startLimitMs) return
    log.warn({ [purpose.name]: wanted.id, links: caller.stats().links }, `${purpose.name}: no answer`)
    lose(purpose.silent)
  }

  function lose(why: Reason): void {
    if (stopping) return
    const hadBegun = open !== undefined
    void stop(why)
    if (hadBegun) onLost(why)
  }

  /** Nothing is accepted from the crew before it can be sent. */
  async function openAll(): Promise<void> {
    try {
      const opened = await purpose.open(wanted, caller, lose)
      if (stopping) {
        await opened.close()
        return
      }
      open = opened
      begin()
    } catch (error) {
      fail(error)
    }
  }

  function stop(why: Reason = 'transmission.startCancelled'): Promise<void> {
    stopping ??= end(why)
    return stopping
  }

  async function end(why: Reason): Promise<void> {
    clock.clearInterval(timer)
    fail(new Refused(why))
    await open?.close()
    bondedLinks.close()
    caller.close()
  }

  return {
    begun,
    stats: caller.stats,
    useLinks(next) {
      bondedLinks.use(next, clock.monotonicMs())
      followTerms()
    },
    stop: () => stop(),
  }
}
