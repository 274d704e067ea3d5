import type { Link, UnitSample } from '@backhaul/contract/gateway/units'
import { type UnitEventWhat, unitEvent } from '@backhaul/contract/nouns/unit-events'

/** Which enabled links came up or went down between two samples, for the unit's history. */
export function linkNews(
  links: readonly Link[],
  before: UnitSample | null,
  after: UnitSample | null,
): UnitEventWhat[] {
  if (!before || !after) return []
  return after.links.flatMap(({ port, up }) => {
    const link = links.find((one) => one.port === port)
    const was = before.links.find((one) => one.port === port)
    if (!link?.enabled || !was || was.up === up) return []
    const name = link.carrier ? `${link.id} (${link.carrier})` : link.id
    return [unitEvent(up ? 'link.up' : 'link.down', { link: name })]
  })
}
