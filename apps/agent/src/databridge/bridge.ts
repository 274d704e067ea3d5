// One databridge on its way: the unit's links call the gateway, and the ports of the unit lead into the tunnel.
import { createTunnelCaller, type TunnelCaller } from '@backhaul/bonding/tunnel-caller'
import type { Reason } from '@backhaul/contract/define/refusals'
import type { WantedDatabridge } from '@backhaul/contract/gateway/units'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { createBondedLinks } from '../bonded-links.ts'
import { createLinkHolder } from '../link-holder.ts'
import type { UnitLink } from '../links.ts'
import { type OpenPorts, openPorts } from './open-ports.ts'

const watchPeriodMs = 200
/** A start without an answer by then has failed. */
const startLimitMs = 15_000
/** No answer may come for this long before the databridge counts as lost; shorter cuts recover by themselves. */
const lostAfterMs = 10_000

export interface BridgeOptions {
  /** The address at which machines of the crew reach the unit. */
  host: string
  clock: Clock
  log: Log
  /** No answer has come for long; everything has been stopped by then. */
  onLost: (why: Reason) => void
}

/**
 * 1. calling: every usable link calls the gateway; to 2 with the first answer. Without one within 15 s it fails;
 * 2. opening: to 3 when the ports are open; it fails where another program has one;
 * 3. bridging: a link is answered at present; to 4 when none has been for 10 s;
 * 4. ended: failed, lost or stopped; no port is left open.
 */
export interface Bridge {
  /** Settles when the ports are open; rejects when the start fails. */
  readonly begun: Promise<void>
  stats: TunnelCaller['stats']
  useLinks(links: readonly UnitLink[]): void
  stop(): void
}

/** Throws when the key is unusable. */
export function startBridge(
  { host, clock, log, onLost }: BridgeOptions,
  { id, key, targets, ports }: WantedDatabridge,
  links: readonly UnitLink[],
): Bridge {
  let open: OpenPorts | undefined
  const caller = createTunnelCaller({
    sessionId: id,
    key: Buffer.from(key, 'base64'),
    // The gateway opens nothing at the unit.
    onStream: (_, stream) => stream.destroy(),
    onDatagram: (datagram) => open?.receive(datagram),
  })
  const bondedLinks = createBondedLinks(caller, targets, createLinkHolder({ clock, log }))
  const { promise: begun, resolve: begin, reject: fail } = Promise.withResolvers<void>()
  const startedMs = clock.monotonicMs()
  let answeredMs = startedMs
  let isAnswered = false
  let isStopped = false
  bondedLinks.use(links, startedMs)
  const timer = clock.setInterval(watch, watchPeriodMs)

  function watch(): void {
    const nowMs = clock.monotonicMs()
    bondedLinks.watch(nowMs)
    if (caller.stats().links.some(({ up }) => up)) {
      answeredMs = nowMs
      if (!isAnswered) void openAll()
      isAnswered = true
      return
    }
    if (nowMs - answeredMs < (open ? lostAfterMs : startLimitMs)) return
    log.warn({ databridge: id, links: caller.stats().links }, 'databridge: no answer on any link')
    const hadBegun = open !== undefined
    stop('databridge.gatewaySilent')
    if (hadBegun) onLost('databridge.gatewaySilent')
  }

  /** Nothing is accepted from the crew before it can be sent. */
  async function openAll(): Promise<void> {
    try {
      const opened = await openPorts(host, ports, caller)
      if (isStopped) {
        opened.close()
        return
      }
      open = opened
      begin()
    } catch (error) {
      fail(error)
    }
  }

  function stop(why: Reason = 'transmission.startCancelled'): void {
    isStopped = true
    clock.clearInterval(timer)
    open?.close()
    bondedLinks.close()
    caller.close()
    fail(new Refused(why))
  }

  return {
    begun,
    stats: caller.stats,
    useLinks: (next) => bondedLinks.use(next, clock.monotonicMs()),
    stop: () => stop(),
  }
}
