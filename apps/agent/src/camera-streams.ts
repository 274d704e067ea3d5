// Several cameras in one transmission: each has an encoder and a bonded sender of its own, over the same links.

import type { LinkTerms } from '@backhaul/bonding/link-terms'
import type { SenderStats } from '@backhaul/bonding/sender'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import { ratesOf } from '@backhaul/contract/nouns/cameras'
import { limitedKbps } from '@backhaul/contract/nouns/unit-settings'
import type { CameraFaults } from '@backhaul/contract/nouns/units'
import type { Quality } from './encoder/encoder.ts'
import { type RateLimits, videoKbpsFor } from './encoder/rate-follower.ts'
import type { RawSource } from './encoder/raw-source.ts'
import type { UnitLink } from './links.ts'
import { type Sending, type SendingOptions, startSending } from './sending.ts'

const balancePeriodMs = 1000
/** Encoders change their rate no sooner than this after the last time, and not for less than this share of it. */
const balanceHoldMs = 6000
const balanceStepShare = 0.15

export interface CameraStreamOptions extends Omit<SendingOptions, 'encoder' | 'onPicture' | 'onFaults'> {
  encoder: Omit<SendingOptions['encoder'], 'source' | 'quality'>
}

/** All pictures of one transmission. */
export interface CameraStreams extends Omit<Sending, 'changeQuality' | 'setLimits' | 'limit'> {
  /** The limits of the channels changed. */
  followChannels(wanted: WantedTransmission): void
  /** The settings changed: on air from the next picture group on. */
  followSettings(limits: RateLimits): void
}

/** The rate that a camera would use, and its rank in cuts when the links carry less than the total. */
export interface CameraDemand {
  /** 1 is cut last. */
  priority: number
  wantedKbps: number
}

/** One picture of the transmission, to a receiver of its own. */
export interface CameraPart {
  wanted: WantedTransmission
  source: RawSource
  /** As the settings are now. */
  demand: () => CameraDemand
  quality: () => Quality
  onPicture: (isThere: boolean) => void
  onFaults: (faults: CameraFaults) => void
}

/**
 * It has begun when every picture is on its way, and is lost when one of them is. A single picture can move to another
 * receiver.
 */
export function startCameraStreams(
  options: CameraStreamOptions,
  parts: readonly CameraPart[],
  delayMs: number,
  links: readonly UnitLink[],
  terms: LinkTerms,
): CameraStreams {
  const { clock } = options
  let { limits } = options
  let stopping: Promise<void> | undefined
  const demands = () => parts.map(({ demand }) => demand())
  const sendings = parts.map((part, at) =>
    startSending(
      {
        ...options,
        encoder: { ...options.encoder, source: part.source, quality: part.quality() },
        limits: limitsOf(limits, part.demand().wantedKbps),
        onPicture: part.onPicture,
        onFaults: part.onFaults,
        onLost(why) {
          if (!stopping) void stop().then(() => options.onLost(why))
        },
      },
      part.wanted,
      delayMs,
      links,
      shareOf(at, demands(), terms),
    ),
  )
  let ceilings = demands().map(({ wantedKbps }) => wantedKbps)
  let balancedMs = clock.monotonicMs()
  const timer = sendings.length > 1 ? clock.setInterval(balance, balancePeriodMs) : undefined

  /** Lowers the cameras that come last when the links carry less than all want, and raises them again. */
  function balance(): void {
    const nowMs = clock.monotonicMs()
    const carriedKbps = sendings.reduce(
      (sum, sending) => sum + videoKbpsFor(sending.stats().targetKbps, limits),
      0,
    )
    const next = ratesOf(carriedKbps, demands()).map((kbps) => Math.round(kbps))
    const isOther = next.some((kbps, at) => Math.abs(kbps - ceilings[at]!) > ceilings[at]! * balanceStepShare)
    if (!isOther || nowMs - balancedMs < balanceHoldMs) return
    ceilings = next
    balancedMs = nowMs
    for (const [at, sending] of sendings.entries()) sending.setLimits(limitsOf(limits, next[at]!))
  }

  function stop(): Promise<void> {
    clock.clearInterval(timer)
    stopping ??= Promise.all(sendings.map((sending) => sending.stop())).then(() => {})
    return stopping
  }

  return {
    begun: begunTogether(sendings, stop),
    stats: () => statsTogether(sendings.map((sending) => sending.stats())),
    videoKbps() {
      const rates = sendings.flatMap((sending) => sending.videoKbps() ?? [])
      return rates.length > 0 ? rates.reduce((sum, kbps) => sum + kbps, 0) : undefined
    },
    isAtBest: () =>
      sendings.every((sending) => sending.isAtBest()) &&
      demands().every(({ wantedKbps }, at) => ceilings[at]! >= wantedKbps),
    useLinks(nextLinks, nextTerms) {
      for (const [at, sending] of sendings.entries())
        sending.useLinks(nextLinks, shareOf(at, demands(), nextTerms))
    },
    updateDelay(next) {
      for (const sending of sendings) sending.updateDelay(next)
    },
    async moveTo(wanted, nextDelayMs, signal) {
      const [only] = sendings
      if (!only || sendings.length > 1) throw new RangeError('Only a single picture can move')
      await only.moveTo(wanted, nextDelayMs, signal)
    },
    followChannels(wanted) {
      const flows = [wanted, ...(wanted.feeds ?? [])]
      for (const [at, sending] of sendings.entries()) sending.limit(limitedKbps(flows[at]?.limitKbps))
    },
    followSettings(next) {
      limits = next
      ceilings = demands().map(({ wantedKbps }) => wantedKbps)
      for (const [at, sending] of sendings.entries())
        sending.changeQuality(parts[at]!.quality(), limitsOf(next, ceilings[at]!))
    },
    stop,
  }
}

/** Nothing is left running when one of them fails. */
async function begunTogether(sendings: readonly Sending[], stop: () => Promise<void>): Promise<void> {
  try {
    await Promise.all(sendings.map(({ begun }) => begun))
  } catch (error) {
    await stop()
    throw error
  }
}

const limitsOf = (limits: RateLimits, highestKbps: number): RateLimits => ({
  ...limits,
  highestKbps: Math.max(limits.lowestKbps, Math.min(limits.highestKbps, highestKbps)),
})

/** The part of what the links may carry that one of the cameras gets. */
function shareOf(at: number, demands: readonly CameraDemand[], { ranks, limits }: LinkTerms): LinkTerms {
  const partOf = (kbps: number) => {
    const rates = ratesOf(kbps, demands)
    return (kbps * rates[at]!) / rates.reduce((sum, one) => sum + one, 0)
  }
  return { ranks, limits: limits.map((limit) => ({ ...limit, kbps: partOf(limit.kbps) })) }
}

function statsTogether(all: readonly SenderStats[]): SenderStats {
  const sumOf = (read: (stats: SenderStats) => number) => all.reduce((sum, stats) => sum + read(stats), 0)
  const links = Map.groupBy(
    all.flatMap((stats) => stats.links),
    ({ id }) => id,
  )
  return {
    links: [...links.values()].map(linkTogether),
    targetKbps: sumOf(({ targetKbps }) => targetKbps),
    waitingPackets: sumOf(({ waitingPackets }) => waitingPackets),
    rejected: sumOf(({ rejected }) => rejected),
  }
}

type LinkStats = SenderStats['links'][number]

/** One link as several senders see it: rates are added, shares are weighed by what each sends. */
function linkTogether(seen: readonly LinkStats[]): LinkStats {
  const [first] = seen
  if (!first) throw new RangeError('No statistics to join')
  const sumOf = (read: (link: LinkStats) => number) => seen.reduce((sum, link) => sum + read(link), 0)
  const kbps = sumOf((link) => link.kbps)
  const share = (read: (link: LinkStats) => number) =>
    kbps > 0 ? Math.round((sumOf((link) => read(link) * link.kbps) / kbps) * 10) / 10 : read(first)
  const rtts = seen.flatMap(({ rttMs }) => rttMs ?? [])
  const best = seen.find(({ up }) => up) ?? first
  return {
    ...best,
    kbps,
    capacityKbps: sumOf((link) => link.capacityKbps),
    rttMs: rtts.length > 0 ? Math.min(...rtts) : null,
    lossPercent: share((link) => link.lossPercent),
    retransmittedKbps: sumOf((link) => link.retransmittedKbps),
    retransmittedPercent: share((link) => link.retransmittedPercent),
    nacked: sumOf((link) => link.nacked),
  }
}
