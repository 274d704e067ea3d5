// One transmission of the unit: its encoder or test data, the bonded sender, and the video rate that follows the links.
import { createSender, type SenderStats } from '@backhaul/bonding/sender'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { createBondedLinks, firstLinkKbps } from './bonded-links.ts'
import { type EncoderOptions, type Quality, startEncoder } from './encoder/encoder.ts'
import { createRateFollower, type RateLimits, videoKbpsFor } from './encoder/rate-follower.ts'
import { startTestData } from './encoder/test-data.ts'
import { createLinkHolder } from './link-holder.ts'
import type { UnitLink } from './links.ts'

const watchPeriodMs = 200
/** A start without an answer from the receiver and a picture by then has failed. */
const startLimitMs = 15_000
/** So long every link may be silent before the transmission counts as lost; shorter cuts heal by themselves. */
const lostAfterMs = 10_000

export interface SendingOptions {
  encoder: Omit<EncoderOptions, 'onPackets' | 'onSwitch' | 'clock' | 'log'>
  limits: RateLimits
  clock: Clock
  log: Log
  /** All links have been silent for long; everything has been stopped by then. */
  onLost: (reason: string) => void
  /** The source began or ceased to give pictures. */
  onPicture: (isThere: boolean) => void
}

export interface Sending {
  /** Settles when a link is answered by the receiver and a picture is on its way; rejects when that fails. */
  readonly begun: Promise<void>
  stats(): SenderStats
  videoKbps(): number | undefined
  useLinks(links: readonly UnitLink[]): void
  updateDelay(delayMs: number): void
  /** On air from the next picture group on. */
  changeQuality(quality: Quality, limits: RateLimits): void
  stop(): Promise<void>
}

/** Starts at once; the delay is the bonding buffer. Throws when the key or a link is unusable. */
export function startSending(
  options: SendingOptions,
  wanted: WantedTransmission,
  delayMs: number,
  links: readonly UnitLink[],
): Sending {
  const { clock, log, limits } = options
  const sender = createSender({
    sessionId: wanted.id,
    key: Buffer.from(wanted.key, 'base64'),
    bufferMs: delayMs,
    links: [],
  })
  const bondedLinks = createBondedLinks(sender, wanted.targets, createLinkHolder({ clock, log }))
  bondedLinks.use(links, clock.monotonicMs())

  const startKbps = videoKbpsFor(Math.max(1, links.length) * firstLinkKbps * 0.85, limits)
  const follower = createRateFollower(startKbps, limits, clock.monotonicMs())
  const isTest = wanted.speedTestMs !== undefined
  const encoder = isTest
    ? startTestData({ clock, targetKbps: () => sender.targetKbps, onPackets: sender.push })
    : startEncoder(
        { ...options.encoder, clock, log, onPackets: sender.push, onSwitch: () => watch() },
        startKbps,
      )
  const { promise: begun, resolve: begin, reject: fail } = Promise.withResolvers<void>()
  const startedMs = clock.monotonicMs()
  let heardMs = startedMs
  let hadPicture = false
  let isBegun = false
  let stopped = false
  const timer = clock.setInterval(watch, watchPeriodMs)

  function watch(): void {
    if (stopped) return
    const nowMs = clock.monotonicMs()
    const isHeard = sender.stats().links.some(({ up }) => up)
    const hasPicture = encoder.videoKbps() !== undefined
    bondedLinks.watch(nowMs)
    if (isHeard) heardMs = nowMs
    if (hasPicture !== hadPicture) options.onPicture(hasPicture)
    hadPicture = hasPicture
    if (!isBegun) watchStart(isHeard, hasPicture, nowMs)
    else if (nowMs - heardMs > lostAfterMs) lose()
    // The target of links that are all down says nothing about what they carry when they are back.
    if (isHeard && isBegun && !isTest) followCapacity(nowMs)
  }

  function watchStart(isHeard: boolean, hasPicture: boolean, nowMs: number): void {
    if (isHeard && hasPicture) {
      isBegun = true
      begin()
    } else if (nowMs - startedMs > startLimitMs) {
      const reason = isHeard ? 'The source gives no picture' : 'The receiver does not answer on any link'
      void stop().then(() => fail(new Error(reason)))
    }
  }

  function lose(): void {
    log.warn('no link reaches the receiver any more')
    void stop().then(() => options.onLost('No link reaches the receiver'))
  }

  function followCapacity(nowMs: number): void {
    const onAirKbps = encoder.videoKbps()
    // A change that the encoder gave up.
    if (!encoder.isChanging() && onAirKbps !== undefined && onAirKbps !== follower.videoKbps())
      follower.switched(onAirKbps, nowMs)
    const next = follower.note(sender.targetKbps, nowMs)
    if (next === undefined || encoder.isChanging()) return
    log.info(
      { fromKbps: follower.videoKbps(), toKbps: next, capacityKbps: sender.targetKbps },
      'rate changes',
    )
    follower.switched(next, nowMs)
    encoder.changeRate(next)
  }

  async function stop(): Promise<void> {
    stopped = true
    clock.clearInterval(timer)
    await encoder.stop()
    bondedLinks.close()
    sender.close()
  }

  return {
    begun,
    stats: () => sender.stats(),
    videoKbps: encoder.videoKbps,
    useLinks: (next) => bondedLinks.use(next, clock.monotonicMs()),
    updateDelay: (next) => sender.setBufferMs(next),
    changeQuality(quality, next) {
      follower.setLimits(next)
      encoder.changeQuality(quality)
    },
    stop,
  }
}
