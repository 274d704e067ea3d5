// One picture on its way to the unit: its links call the server of the return, and the picture comes back over them.
import { type CallingReceiver, createCallingReceiver } from '@backhaul/bonding/calling-receiver'
import type { LinkTerms } from '@backhaul/bonding/link-terms'
import type { Reason } from '@backhaul/contract/define/refusals'
import type { WantedVideoReturn } from '@backhaul/contract/gateway/units'
import { Refused } from '@backhaul/device/refused'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { createBondedLinks } from '../bonded-links.ts'
import { createLinkHolder } from '../link-holder.ts'
import type { UnitLink } from '../links.ts'

const watchPeriodMs = 200
/** A start without a picture by then has failed. */
const startLimitMs = 15_000
/** Nothing may come for this long before the return counts as lost; shorter cuts recover by themselves. */
const lostAfterMs = 10_000

export interface ReturnFlowOptions {
  /** The bus that the picture is put on; it is empty at first. */
  bus: TsBus
  clock: Clock
  log: Log
  /** Nothing has come for long; everything has been stopped by then. */
  onLost: (why: Reason) => void
}

/**
 * 1. calling: every usable link calls the server; to 2 with the first key frame. Without one within 15 s it fails;
 * 2. receiving: to 3 when nothing has come for 10 s;
 * 3. ended: failed, lost or stopped; nothing is left running.
 */
export interface ReturnFlow {
  /** Settles with the first picture; rejects when the start fails. */
  readonly begun: Promise<void>
  stats: CallingReceiver['stats']
  useLinks(links: readonly UnitLink[], terms: LinkTerms): void
  setDelay(delayMs: number): void
  stop(): void
}

/** Throws when the key or the delay is unusable. */
export function startReturnFlow(
  { bus, clock, log, onLost }: ReturnFlowOptions,
  { id, key, targets, latencyMs }: WantedVideoReturn,
  links: readonly UnitLink[],
  terms: LinkTerms,
): ReturnFlow {
  const receiver = createCallingReceiver({
    sessionId: id,
    key: Buffer.from(key, 'base64'),
    bufferMs: latencyMs,
  })
  const bondedLinks = createBondedLinks(receiver, targets, createLinkHolder({ clock, log }))
  const { promise: begun, resolve: begin, reject: fail } = Promise.withResolvers<void>()
  const startedMs = clock.monotonicMs()
  let dataMs = startedMs
  let isBegun = false
  receiver.onData((payload) => {
    dataMs = clock.monotonicMs()
    bus.push(Buffer.from(payload))
  })
  useLinks(links, terms)
  const timer = clock.setInterval(watch, watchPeriodMs)

  function useLinks(next: readonly UnitLink[], nextTerms: LinkTerms): void {
    receiver.setTerms(nextTerms)
    bondedLinks.use(next, clock.monotonicMs())
  }

  function watch(): void {
    const nowMs = clock.monotonicMs()
    bondedLinks.watch(nowMs)
    if (!isBegun && bus.hasKeyFrame()) {
      isBegun = true
      begin()
    }
    if (!isBegun && nowMs - startedMs > startLimitMs) {
      const why = reason()
      stop()
      fail(new Refused(why))
    }
    if (isBegun && nowMs - dataMs > lostAfterMs) {
      const why = reason()
      log.warn({ reason: why }, 'video return lost')
      stop()
      onLost(why)
    }
  }

  const reason = () =>
    receiver.stats().links.some(({ up }) => up) ? 'videoReturn.noPicture' : 'videoReturn.serverSilent'

  function stop(): void {
    clock.clearInterval(timer)
    bondedLinks.close()
    receiver.close()
  }

  return {
    begun,
    stats: receiver.stats,
    useLinks,
    setDelay: receiver.setBufferMs,
    stop,
  }
}
