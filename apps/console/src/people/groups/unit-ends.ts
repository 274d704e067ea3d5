// When the units of one group leave it by themselves.
import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import type { GroupMember } from '@backhaul/contract/nouns/groups'
import type { MembershipDuration } from '@backhaul/contract/nouns/membership-ends'
import { call, type Fault } from '../../doors/api.ts'
import { createWholeList, type WholeList } from '../../kit/lists.ts'

export type UnitEnds = WholeList<GroupMember>

export const unitEndsOf = (groupId: string): UnitEnds =>
  createWholeList<GroupMember>(
    (query) => call(calls.units, { params: { id: groupId }, query }),
    ({ uid }) => uid,
  )

/** For so long from now; answers what went wrong. */
export const lend = (
  ends: UnitEnds,
  currentGroup: string,
  unitId: string,
  duration: MembershipDuration,
): Promise<Fault | undefined> =>
  ends.change(() => call(calls.setExpiration, { params: { currentGroup, unitId }, body: { duration } }))
