// How a file may use the links of the unit: by their settings, and after the live picture.
import type { TunnelTerms } from '@backhaul/bonding/tunnel-flow'
import type { LinkTerms } from '../bonded-links.ts'

/** So much gets through at least, over all links together, while the links carry less than the best picture. */
const leastKbps = 100
/** A limit that the picture uses up leaves this. */
const restKbps = 10

/** What is live on the links. */
interface LiveTraffic {
  /** The picture has the best rate that is set: what is still free is free for others. */
  readonly isAtBest: boolean
  readonly links: readonly { readonly id: string; readonly kbps: number }[]
}

/**
 * 1. nothing is live: as fast as the links and their limits allow;
 * 2. the picture is at its best: what it leaves free of the links, and of each limit;
 * 3. the picture is below its best, or starting: as little as keeps the upload going.
 */
export function uploadTerms(
  { ranks, limits }: LinkTerms,
  linkIds: readonly string[],
  live: LiveTraffic | undefined,
): TunnelTerms {
  if (!live) return { ranks, limits, isBackground: false }
  const liveKbps = (ids: readonly string[]) =>
    live.links.reduce((sum, { id, kbps }) => (ids.includes(id) ? sum + kbps : sum), 0)
  const left = limits.map(({ links, kbps }) => ({ links, kbps: Math.max(restKbps, kbps - liveKbps(links)) }))
  const least = live.isAtBest || linkIds.length === 0 ? [] : [{ links: linkIds, kbps: leastKbps }]
  return { ranks, limits: [...left, ...least], isBackground: true }
}
