import type { Link, UnitSample } from '@backhaul/contract/gateway/units'
import { type UnitEventWhat, unitEvent } from '@backhaul/contract/nouns/unit-events'

const none: readonly UnitEventWhat[] = []

/** The enabled links that came up or went down between two samples, for the unit's history. */
export function linkNews(
  links: readonly Link[],
  before: UnitSample | null,
  after: UnitSample | null,
): readonly UnitEventWhat[] {
  if (!before || !after) return none
  let news: UnitEventWhat[] | undefined
  for (let at = 0; at < after.links.length; at++) {
    const { port, up } = after.links[at] as UnitSample['links'][number]
    // In nearly every second all links are in the same place as before and as up as before.
    const sameAt = before.links[at]
    const was = sameAt?.port === port ? sameAt : before.links.find((one) => one.port === port)
    if (!was || was.up === up) continue
    const link = links.find((one) => one.port === port)
    if (!link?.enabled) continue
    const name = link.carrier ? `${link.id} (${link.carrier})` : link.id
    news ??= []
    news.push(unitEvent(up ? 'link.up' : 'link.down', { link: name }))
  }
  return news ?? none
}
