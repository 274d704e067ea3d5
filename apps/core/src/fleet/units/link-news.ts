import type { Link, UnitSample } from '@backhaul/contract/gateway/units'

/** Which enabled links came up or went down between two samples, as texts for the unit's history. */
export function linkNews(
  links: readonly Link[],
  before: UnitSample | null,
  after: UnitSample | null,
): string[] {
  if (!before || !after) return []
  return after.links.flatMap(({ port, up }) => {
    const link = links.find((one) => one.port === port)
    const was = before.links.find((one) => one.port === port)
    if (!link?.enabled || !was || was.up === up) return []
    return [`${link.id}${link.carrier ? ` (${link.carrier})` : ''} ${up ? 'up' : 'down'}`]
  })
}
