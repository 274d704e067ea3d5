// Units that belong to a group for a time only: until when, and their removal when it is over and they are idle.
import { NotFound } from '@backhaul/contract/define/errors'
import {
  type MembershipDuration,
  type MembershipEnd,
  membershipEndMs,
} from '@backhaul/contract/nouns/membership-expiry'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Audit } from '../../platform/audit/audit.ts'
import { bySchedule } from './due-jobs.ts'
import type { GroupFacts } from './group-table.ts'
import { removeExpiredMembers, saveUnitEnd, unitEndMs } from './member-table.ts'

export interface MembershipExpiry {
  /** Throws NotFound for a unit that is not in the group, or a group outside the caller's scope. */
  of(scope: Scope, groupId: string, unitId: string): Promise<MembershipEnd>
  /** Counts from now. Throws NotFound in the same cases. */
  set(scope: Scope, groupId: string, unitId: string, duration: MembershipDuration): Promise<MembershipEnd>
  /** Removes units whose membership has expired. */
  expireDue(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  audit: Audit
  get(scope: Scope, groupId: string): Promise<GroupFacts>
  notify(groupId: string, kind: 'unit', memberId: string, isNew: boolean): void
}

export function createMembershipExpiry({ db, clock, audit, get, notify }: Needs): MembershipExpiry {
  const shown = (endMs: number | null): MembershipEnd => ({
    expiresAt: endMs === null ? null : new Date(endMs).toISOString(),
  })
  return {
    async of(scope, groupId, unitId) {
      await get(scope, groupId)
      const endMs = await unitEndMs(db, groupId, unitId)
      if (endMs === undefined) throw new NotFound('unit')
      return shown(endMs)
    },
    async set(scope, groupId, unitId, duration) {
      await get(scope, groupId)
      const endMs = membershipEndMs(duration, clock.nowMs())
      if (!(await saveUnitEnd(db, groupId, unitId, endMs))) throw new NotFound('unit')
      return shown(endMs)
    },
    async expireDue() {
      const gone = await removeExpiredMembers(db, clock.nowMs())
      for (const { groupId, unitId } of gone) notify(groupId, 'unit', unitId, false)
      for (const { groupId, unitId } of gone) {
        await audit.record({
          ...bySchedule,
          action: 'groups.endMembership',
          objectKind: 'units',
          objectId: unitId,
          inventoryId: null,
          details: { group: groupId },
        })
      }
    },
  }
}
