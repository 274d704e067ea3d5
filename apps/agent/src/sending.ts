// One transmission of the unit: its encoder or test data, the bonded sender, and the video rate that follows the links.

import { isDeepStrictEqual } from 'node:util'
import type { LinkTerms } from '@backhaul/bonding/link-terms'
import { createSender, type Sender, type SenderStats } from '@backhaul/bonding/sender'
import type { Reason } from '@backhaul/contract/define/refusals'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import { limitedKbps } from '@backhaul/contract/nouns/unit-settings'
import type { CameraFaults } from '@backhaul/contract/nouns/units'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type BondedLinks, createBondedLinks, firstLinkKbps } from './bonded-links.ts'
import { type EncoderOptions, type Quality, startEncoder } from './encoder/encoder.ts'
import { createRateFollower, type RateLimits, videoKbpsFor } from './encoder/rate-follower.ts'
import { startTestData } from './encoder/test-data.ts'
import { createLinkHolder } from './link-holder.ts'
import type { UnitLink } from './links.ts'

const watchPeriodMs = 200
/** A start without an answer from the receiver and a picture by then has failed. */
const startLimitMs = 15_000
/** All links may be silent for this long before the transmission counts as lost; shorter cuts recover by themselves. */
const lostAfterMs = 10_000
/** In addition to the delay, a new receiver needs a key frame before it has a picture. */
const keyFrameMs = 2000
/** Limit for serving both receivers at any delay: the links carry the picture twice meanwhile. */
const longestOverlapMs = 10_000

export interface SendingOptions {
  encoder: Omit<EncoderOptions, 'onPackets' | 'onSwitch' | 'clock' | 'log'>
  limits: RateLimits
  clock: Clock
  log: Log
  /** All links have been silent for long; everything has been stopped by then. */
  onLost: (why: Reason) => void
  /** The source started or stopped delivering pictures. */
  onPicture: (isThere: boolean) => void
  /** Another share of its frames is lost, or none any more; or its hardware encoder has failed. */
  onFaults: (faults: CameraFaults) => void
}

export interface Sending {
  /** Settles when a link is answered by the receiver and a picture is on its way; rejects when that fails. */
  readonly begun: Promise<void>
  stats(): SenderStats
  videoKbps(): number | undefined
  /** The picture has the highest rate that is allowed, and one receiver: links may have more to give. */
  isAtBest(): boolean
  useLinks(links: readonly UnitLink[], terms: LinkTerms): void
  updateDelay(delayMs: number): void
  /**
   * Sends to another receiver as well, and to the old one no longer as soon as the new one has had time for its first
   * picture. Rejects, with the old one still served, when the new one does not answer or `signal` is aborted.
   */
  moveTo(wanted: WantedTransmission, delayMs: number, signal: AbortSignal): Promise<void>
  /** Takes effect on air from the next picture group on. */
  changeQuality(quality: Quality, limits: RateLimits): void
  /** Sets the total limit towards the receiver over all links, with repairs; Infinity without a limit. */
  limit(kbps: number): void
  /** Adapts the rate to them and keeps the quality. */
  setLimits(limits: RateLimits): void
  stop(): Promise<void>
}

/** The route to one receiver. */
interface Route {
  readonly sender: Sender
  readonly bondedLinks: BondedLinks
  /** The delay of its channel. */
  limitKbps: number
}

/** A second route, until it takes over. */
interface Move {
  readonly to: Route
  readonly startedMs: number
  readonly overlapMs: number
  /** The time at which the new receiver first answered a link. */
  answeredMs: number | undefined
  settle(fault?: Error): void
}

/** Starts immediately; the delay is the bonding buffer. Throws when the key or a link is unusable. */
export function startSending(
  options: SendingOptions,
  wanted: WantedTransmission,
  delayMs: number,
  links: readonly UnitLink[],
  terms: LinkTerms,
): Sending {
  const { clock, log } = options
  let { limits } = options
  let used = { links, terms }
  function openRoute({ id, key, targets, limitKbps }: WantedTransmission, bufferMs: number): Route {
    const sender = createSender({ sessionId: id, key: Buffer.from(key, 'base64'), bufferMs, links: [] })
    const bondedLinks = createBondedLinks(sender, targets, createLinkHolder({ clock, log }))
    return { sender, bondedLinks, limitKbps: limitedKbps(limitKbps) }
  }
  function closeRoute({ sender, bondedLinks }: Route): void {
    bondedLinks.close()
    sender.close()
  }
  let route = openRoute(wanted, delayMs)
  let move: Move | undefined
  const routes = () => (move ? [route, move.to] : [route])
  /** Two routes share what the links may carry. */
  function useLinks(): void {
    const { ranks, limits: whole } = used.terms
    const shared = whole.map((limit) => ({ ...limit, kbps: limit.kbps / routes().length }))
    const links = used.links.map(({ id }) => id)
    for (const { sender, bondedLinks, limitKbps } of routes()) {
      bondedLinks.use(used.links, clock.monotonicMs())
      sender.setRanks(ranks)
      sender.setLimits(limitKbps === Infinity ? shared : [...shared, { links, kbps: limitKbps }])
    }
  }
  useLinks()
  const push = (tsBytes: Uint8Array) => {
    for (const { sender } of routes()) sender.push(tsBytes)
  }

  /** One picture for all receivers: the lowest limit holds for it. */
  const limitsNow = (): RateLimits => {
    const limitKbps = Math.min(...routes().map((one) => one.limitKbps))
    return limitKbps === Infinity ? limits : { ...limits, highestKbps: videoKbpsFor(limitKbps, limits) }
  }
  const startKbps = videoKbpsFor(Math.max(1, links.length) * firstLinkKbps * 0.85, limitsNow())
  const follower = createRateFollower(startKbps, limitsNow(), clock.monotonicMs())
  function followLimits(): void {
    useLinks()
    follower.setLimits(limitsNow())
  }
  const isTest = wanted.speedTestMs !== undefined
  const encoder = isTest
    ? startTestData({ clock, targetKbps: () => route.sender.targetKbps, onPackets: push })
    : startEncoder({ ...options.encoder, clock, log, onPackets: push, onSwitch: () => watch() }, startKbps)
  const { promise: begun, resolve: begin, reject: fail } = Promise.withResolvers<void>()
  const startedMs = clock.monotonicMs()
  let answeredMs = startedMs
  let hadPicture = false
  let faults: CameraFaults = {}
  let isBegun = false
  let stopped = false
  const timer = clock.setInterval(watch, watchPeriodMs)

  function watch(): void {
    if (stopped) return
    const nowMs = clock.monotonicMs()
    const hasAnswer = isAnswered(route)
    const hasPicture = encoder.videoKbps() !== undefined
    for (const { bondedLinks } of routes()) bondedLinks.watch(nowMs)
    if (move) watchMove(move, nowMs)
    if (hasAnswer) answeredMs = nowMs
    if (hasPicture !== hadPicture) options.onPicture(hasPicture)
    hadPicture = hasPicture
    watchFaults()
    if (!isBegun) watchStart(hasAnswer, hasPicture, nowMs)
    else if (nowMs - answeredMs > lostAfterMs && !move) lose()
    // The target while all links are down does not predict what they carry when they are back.
    if (hasAnswer && isBegun && !isTest) followCapacity(nowMs)
  }

  function watchFaults(): void {
    const next = encoder.faults()
    if (isDeepStrictEqual(next, faults)) return
    const { frameLoss: before } = faults
    const { frameLoss } = next
    if (frameLoss && !before)
      log.warn({ percent: frameLoss.percent, reason: frameLoss.reason }, 'frames are lost')
    if (before && !frameLoss) log.info('no frames are lost any more')
    faults = next
    options.onFaults(next)
  }

  function watchStart(hasAnswer: boolean, hasPicture: boolean, nowMs: number): void {
    if (hasAnswer && hasPicture) {
      isBegun = true
      begin()
    } else if (nowMs - startedMs > startLimitMs) {
      const why = hasAnswer ? 'videoReturn.noPicture' : 'transmission.receiverSilent'
      void stop().then(() => fail(new Refused(why)))
    }
  }

  function watchMove(now: Move, nowMs: number): void {
    if (now.answeredMs === undefined && isAnswered(now.to)) now.answeredMs = nowMs
    if (now.answeredMs === undefined && nowMs - now.startedMs > startLimitMs)
      endMove(new Refused('transmission.newReceiverSilent'))
    if (now.answeredMs !== undefined && nowMs - now.answeredMs > now.overlapMs) takeOver(now, nowMs)
  }

  function takeOver({ to, settle }: Move, nowMs: number): void {
    closeRoute(route)
    route = to
    move = undefined
    followLimits()
    answeredMs = nowMs
    settle()
  }

  /** The old receiver is kept. */
  function endMove(fault: Error): void {
    const ended = move
    if (!ended) return
    move = undefined
    closeRoute(ended.to)
    if (!stopped) followLimits()
    ended.settle(fault)
  }

  function lose(): void {
    log.warn('transmission lost: no link reaches the receiver')
    void stop().then(() => options.onLost('link.noneReaches'))
  }

  function followCapacity(nowMs: number): void {
    const onAirKbps = encoder.videoKbps()
    // The encoder gave the change up.
    if (!encoder.isChanging() && onAirKbps !== undefined && onAirKbps !== follower.videoKbps())
      follower.switched(onAirKbps, nowMs)
    // Two receivers share what the links carry.
    const capacityKbps = route.sender.targetKbps / routes().length
    const next = follower.note(capacityKbps, nowMs)
    if (next === undefined || encoder.isChanging()) return
    log.info({ fromKbps: follower.videoKbps(), toKbps: next, capacityKbps }, 'changing the video rate')
    follower.switched(next, nowMs)
    encoder.changeRate(next)
  }

  async function stop(): Promise<void> {
    stopped = true
    clock.clearInterval(timer)
    endMove(new Refused('transmission.stopped'))
    await encoder.stop()
    closeRoute(route)
  }

  return {
    begun,
    stats: () => route.sender.stats(),
    videoKbps: encoder.videoKbps,
    isAtBest: () => !isTest && !move && (encoder.videoKbps() ?? 0) >= limitsNow().highestKbps,
    useLinks(nextLinks, nextTerms) {
      used = { links: nextLinks, terms: nextTerms }
      useLinks()
    },
    updateDelay(next) {
      for (const { sender } of routes()) sender.setBufferMs(next)
    },
    async moveTo(target, bufferMs, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      move = {
        to: openRoute(target, bufferMs),
        startedMs: clock.monotonicMs(),
        overlapMs: Math.min(bufferMs + keyFrameMs, longestOverlapMs),
        answeredMs: undefined,
        settle: (fault) => (fault ? reject(fault) : resolve()),
      }
      followLimits()
      const abort = () => endMove(new Refused('transmission.moveCancelled'))
      signal.addEventListener('abort', abort, { once: true })
      await promise.finally(() => signal.removeEventListener('abort', abort))
      log.info({ channelId: target.channelId }, 'transmission moved to another channel')
    },
    limit(kbps) {
      route.limitKbps = kbps
      followLimits()
    },
    changeQuality(quality, next) {
      limits = next
      follower.setLimits(limitsNow())
      encoder.changeQuality(quality)
    },
    setLimits(next) {
      limits = next
      follower.setLimits(limitsNow())
    },
    stop,
  }
}

const isAnswered = ({ sender }: Route): boolean => sender.stats().links.some(({ up }) => up)
