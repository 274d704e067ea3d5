/** The topics that a signed-in user may follow. */
import { client } from '@backhaul/contract/api/client'
import { units } from '@backhaul/contract/api/units'
import type { Person } from '../../tests/stage/person.ts'

/** Topics of all units in all groups of the user. */
export async function topicsOf({ call }: Person): Promise<string[]> {
  const groups = await call(client.lightGroups, {})
  const lists = await Promise.all(groups.map(({ uid }) => call(units.ofGroup, { query: { group: uid } })))
  return [...new Set(lists.flat().map(({ uid }) => `unit.${uid}`))]
}
