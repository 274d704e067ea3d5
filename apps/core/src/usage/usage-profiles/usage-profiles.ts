// Usage profiles: how much units may use in a month, and what each has used since its reset day.
import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import type {
  NewUsageProfile,
  UsageProfile,
  UsageProfileChange,
} from '@backhaul/contract/nouns/usage-profiles'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { pagingOf } from '../../database/paging.ts'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { uniqueName } from '../../database/unique.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import { createUsageMeter } from './usage-meter.ts'
import * as table from './usage-profile-table.ts'

export interface UsageProfiles {
  page(scope: Scope, query: PageQuery): Promise<Page<UsageProfile>>
  /** Throws NotFound for one outside the caller's scope. */
  get(scope: Scope, id: string): Promise<UsageProfile>
  /**
   * Throws Conflict for a taken name, NotFound for a unit that is not of the inventory. A new default replaces
   * the former one of its type.
   */
  create(scope: Scope, profile: NewUsageProfile): Promise<UsageProfile>
  /** Throws the same, and InvalidRequest for a default that would no longer be one. */
  change(scope: Scope, id: string, change: UsageProfileChange): Promise<UsageProfile>
  /** Answers its inventory. Throws Conflict for a default, and while units have it. */
  remove(scope: Scope, id: string): Promise<{ inventoryId: string }>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  inventories: Inventories
  units: Units
}

export function createUsageProfiles(needs: Needs): UsageProfiles {
  const { db, clock, inventories } = needs
  const meter = createUsageMeter(needs)

  async function get(scope: Scope, id: string): Promise<UsageProfile> {
    const profile = await table.findProfile(db, scope, id)
    if (!profile) throw new NotFound('usageProfile')
    return profile
  }

  /** Locks the inventory's profiles for one transaction; then all units are measured again. */
  async function write<T>(inventoryId: string, run: (db: DatabaseTransaction) => Promise<T>): Promise<T> {
    const result = await uniqueName(
      db.transaction().execute(async (transaction) => {
        await table.holdProfilesOf(transaction, inventoryId)
        return await run(transaction)
      }),
      'usageProfile.nameNotUnique',
    )
    await meter.reread()
    return result
  }

  return {
    page: (scope, query) => table.profilePage(db, scope, pagingOf(query, ['name', 'type'])),
    get,
    async create(scope, { inventory, ...given }) {
      const { id: inventoryId } = await inventories.get(scope, inventory)
      const id = `up-${randomBytes(9).toString('base64url')}`
      return await write(inventoryId, async (transaction) => {
        const profile = { id, inventoryId, ...given }
        if (profile.isDefault) await table.clearDefault(transaction, inventoryId, profile.type)
        await table.insertProfile(transaction, profile, clock.nowMs())
        return await withUnits(transaction, profile, given.units)
      })
    },
    async change(scope, id, change) {
      const { inventoryId } = await get(scope, id)
      return await write(inventoryId, async (transaction) => {
        const held = await table.findProfile(transaction, scope, id)
        if (!held) throw new NotFound('usageProfile')
        const profile = { ...held, ...change } as UsageProfile
        if (held.isDefault) requireStillDefault(held, profile)
        else if (profile.isDefault) await table.clearDefault(transaction, inventoryId, profile.type)
        await table.updateProfile(transaction, profile)
        return change.units ? await withUnits(transaction, profile, change.units) : profile
      })
    },
    async remove(scope, id) {
      const { inventoryId } = await get(scope, id)
      await write(inventoryId, async (transaction) => {
        const held = await table.findProfile(transaction, scope, id)
        if (held?.isDefault) throw new Conflict('usageProfile.isDefault')
        if (held && held.units.length > 0) throw new Conflict('usageProfile.associated')
        await table.deleteProfile(transaction, id)
      })
      return { inventoryId }
    },
    start: meter.start,
    stop: meter.stop,
  }
}

/** A default is only replaced by another profile, so that units without one never lose their limit unnoticed. */
function requireStillDefault(held: UsageProfile, requested: UsageProfile): void {
  if (!requested.isDefault) throw InvalidRequest.at('isDefault', 'usageProfile.keepsDefault')
  if (requested.type !== held.type) throw InvalidRequest.at('type', 'usageProfile.keepsDefault')
}

/** A unit of another inventory is treated like one that does not exist. */
async function withUnits(
  transaction: DatabaseTransaction,
  profile: UsageProfile,
  requested: readonly string[],
): Promise<UsageProfile> {
  const units = [...new Set(requested)].sort()
  const known = units.length === 0 ? [] : await table.unitsAmong(transaction, profile.inventoryId, units)
  if (known.length < units.length) throw new NotFound('unit')
  await table.setUnits(transaction, profile.id, units)
  return { ...profile, units }
}
