// The use of the links by all that a unit sends: by their settings, in this order.
//
// 1. speech: over every usable link, regardless of its rank and limit: it is little, and may not be late;
// 2. the picture: within the ranks and limits, less what is kept free of the limits for an IP pipe or a databridge;
// 3. IP pipe and databridge: what the picture leaves of the limits, and at least what is kept free for them;
// 4. files: what the others leave of the links and of the limits.
//
// A limit holds for what the unit sends, and for what servers send to it: in each direction by itself. Towards the unit the
// returned picture comes first in the same way.
import type { LinkTerms, TunnelTerms } from '@backhaul/bonding/link-terms'
import { linkLimits, linkRank, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { UnitLink } from './links.ts'

/** Kept free of each limit of a picture while the unit has a tunnel: enough for the control of a camera. */
const tunnelKbps = 100
/** Files get so much at least, over all links together, while the links carry less than the best picture. */
const leastFileKbps = 100
/** A limit that the others use up leaves this for files. */
const restKbps = 10

/** The rate that is sent over a link. */
export interface LinkRate {
  readonly id: string
  readonly kbps: number
}

/** A picture on the links. */
export interface LivePicture {
  /** It has the best rate that is set: what is still free is free for others. */
  readonly isAtBest: boolean
  readonly links: readonly LinkRate[]
}

/** The terms of a tunnel: for the data that the unit sends, and for those that it receives. */
export interface CallTerms {
  readonly up: TunnelTerms
  readonly down: TunnelTerms
}

/** The settings of the links: what holds for everything together. */
export function termsOf(settings: UnitSettings, links: readonly UnitLink[]): LinkTerms {
  const idOf = new Map(links.map(({ port, id }) => [port, id]))
  return {
    ranks: Object.fromEntries(links.map((link) => [link.id, linkRank(settings, link)])),
    limits: linkLimits(settings, links).map(({ ports, kbps }) => ({
      links: ports.flatMap((port) => idOf.get(port) ?? []),
      kbps,
    })),
  }
}

/** The terms of a picture that the unit sends, and of one that is returned to it. */
export const pictureTerms = ({ ranks, limits }: LinkTerms, hasTunnel: boolean): LinkTerms => ({
  ranks,
  limits: hasTunnel ? limits.map(({ links, kbps }) => ({ links, kbps: kbps - tunnelKbps })) : limits,
})

/** The rest of each limit after the other links, at least `leastKbps`. */
const leftOf = (limits: LinkTerms['limits'], others: readonly LinkRate[], leastKbps: number) =>
  limits.map(({ links, kbps }) => {
    const used = others.reduce((sum, { id, kbps: one }) => (links.includes(id) ? sum + one : sum), 0)
    return { links, kbps: Math.max(leastKbps, kbps - used) }
  })

/** The terms of an IP pipe or a databridge; `returned` is the picture that the unit receives. */
export const tunnelTerms = (
  own: LinkTerms,
  live: LivePicture | undefined,
  returned: readonly LinkRate[],
): CallTerms => ({
  up: { ...own, limits: leftOf(own.limits, live?.links ?? [], tunnelKbps), isBackground: false },
  down: { ...own, limits: leftOf(own.limits, returned, tunnelKbps), isBackground: false },
})

/**
 * 1. nothing is live: what the tunnels leave of the limits, as fast as the links allow;
 * 2. the picture is at its best: what it leaves free of the links, and of each limit;
 * 3. the picture is below its best, or starting: as little as keeps the upload going.
 */
export function fileTerms(
  own: LinkTerms,
  linkIds: readonly string[],
  live: LivePicture | undefined,
  inTunnels: readonly LinkRate[],
  returned: readonly LinkRate[],
): CallTerms {
  const others = [...(live?.links ?? []), ...inTunnels]
  const least =
    !live || live.isAtBest || linkIds.length === 0 ? [] : [{ links: linkIds, kbps: leastFileKbps }]
  return {
    up: {
      ranks: own.ranks,
      limits: [...leftOf(own.limits, others, restKbps), ...least],
      isBackground: live !== undefined,
    },
    down: { ...own, limits: leftOf(own.limits, returned, restKbps), isBackground: false },
  }
}
