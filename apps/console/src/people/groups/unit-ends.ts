// The times at which the units of one group leave it automatically.
import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import type { MembershipDuration } from '@backhaul/contract/nouns/membership-expiry'
import { call, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'

export const unitEnds = createList(
  'unitEnds',
  (groupId: string) => readAll((query) => call(calls.units, { params: { id: groupId }, query })),
  ({ uid }) => uid,
)

/** Sets the end this long from now; returns the fault. */
export const lend = (
  currentGroup: string,
  unitId: string,
  duration: MembershipDuration,
): Promise<Fault | undefined> =>
  unitEnds.change(() => call(calls.setExpiration, { params: { currentGroup, unitId }, body: { duration } }))
