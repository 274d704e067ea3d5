// The permanent registration key of each group: shown to administrators, renewed on request and on its schedule.
import { randomBytes } from 'node:crypto'
import { type KeySchedule, keyEndsMs, type RegistrationKey } from '@backhaul/contract/nouns/registration-keys'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Audit } from '../../platform/audit/audit.ts'
import { bySchedule } from './due-jobs.ts'
import * as table from './group-table.ts'

export interface RegistrationKeys {
  /** Throws NotFound for a group outside the caller's scope. */
  of(scope: Scope, groupId: string): Promise<RegistrationKey>
  /** A new key, another schedule, or both; from then on the old key admits no device. */
  change(
    scope: Scope,
    groupId: string,
    changes: { isNew: boolean; schedule: KeySchedule | undefined },
  ): Promise<RegistrationKey & { inventoryId: string }>
  /** The group that this key admits to; undefined also for an expired key. */
  find(key: string): Promise<table.GroupFacts | undefined>
  /** Renews keys that are due. */
  renewDue(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  audit: Audit
  get(scope: Scope, groupId: string): Promise<table.GroupFacts>
}

export const freshKey = (): string => randomBytes(15).toString('base64url')

const isOver = ({ keySchedule, keyMadeMs }: table.GroupFacts, nowMs: number): boolean => {
  const endsMs = keyEndsMs(keySchedule, keyMadeMs)
  return endsMs !== undefined && nowMs >= endsMs
}

export function createRegistrationKeys({ db, clock, log, audit, get }: Needs): RegistrationKeys {
  /** When two run at the same time, only one renews the key. */
  async function turn({ id, registrationKey, inventoryId, keySchedule }: table.GroupFacts): Promise<void> {
    if (!(await table.replaceKey(db, id, registrationKey, freshKey(), clock.nowMs()))) return
    log.info({ groupId: id, schedule: keySchedule }, 'registration key renewed')
    await audit.record({
      ...bySchedule,
      action: 'groups.turnRegistrationKey',
      objectKind: 'groups',
      objectId: id,
      inventoryId,
      details: { regenerate: keySchedule },
    })
  }

  async function current(scope: Scope, groupId: string): Promise<table.GroupFacts> {
    const group = await get(scope, groupId)
    if (!isOver(group, clock.nowMs())) return group
    await turn(group)
    return await get(scope, groupId)
  }

  return {
    of: async (scope, groupId) => shown(await current(scope, groupId)),
    async change(scope, groupId, { isNew, schedule }) {
      const group = await current(scope, groupId)
      if (schedule !== undefined) await table.saveKeySchedule(db, groupId, schedule)
      if (isNew) await table.replaceKey(db, groupId, group.registrationKey, freshKey(), clock.nowMs())
      // A shorter schedule can expire the present key.
      return { ...shown(await current(scope, groupId)), inventoryId: group.inventoryId }
    },
    async find(key) {
      const group = await table.findByRegistrationKey(db, key)
      return group && !isOver(group, clock.nowMs()) ? group : undefined
    },
    async renewDue() {
      const nowMs = clock.nowMs()
      for (const group of await table.groupsWithKeySchedule(db)) if (isOver(group, nowMs)) await turn(group)
    },
  }
}

function shown({ registrationKey: key, keySchedule, keyMadeMs }: table.GroupFacts): RegistrationKey {
  const endsMs = keyEndsMs(keySchedule, keyMadeMs)
  return {
    key,
    regenerate: keySchedule,
    madeAt: new Date(keyMadeMs).toISOString(),
    endsAt: endsMs === undefined ? null : new Date(endsMs).toISOString(),
  }
}
