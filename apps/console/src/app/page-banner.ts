// Selects the one banner under the top bar: one fault is shown once, and the worse before the lesser.
import type { LinkState } from '../doors/push.ts'
import type { Missing } from './partial-access.ts'

export type BrokenLink = Extract<LinkState, { sinceMs: number }>

/** In the order of precedence. `missing` names other unavailable data, and why access counts as partial. */
export type PageBanner =
  | { kind: 'connection'; link: BrokenLink; missing: readonly Missing[] }
  | { kind: 'behind'; seconds: number; missing: readonly Missing[] }
  | { kind: 'partial'; missing: readonly Missing[] }

/** A short break heals before a banner can be read; the values dim meanwhile. */
const quietMs = 1500

export function pageBanner(now: {
  link: LinkState
  nowMs: number
  missing: readonly Missing[]
}): PageBanner | undefined {
  const { link, nowMs, missing } = now
  const isBroken = link.kind === 'lost' || link.kind === 'gaveUp'
  if (isBroken && (nowMs - link.sinceMs >= quietMs || missing.includes('push')))
    return { kind: 'connection', link, missing }
  if (link.kind === 'open' && link.behindS > 0) return { kind: 'behind', seconds: link.behindS, missing }
  return missing.length > 0 ? { kind: 'partial', missing } : undefined
}
