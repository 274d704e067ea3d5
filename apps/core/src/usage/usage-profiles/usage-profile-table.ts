import type { Page } from '@backhaul/contract/define/answers'
import type { UsageProfile, UsageType } from '@backhaul/contract/nouns/usage-profiles'
import { byName, upsertMany } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'
import { inventoryInScope, type Scope } from '../../database/scope.ts'
import type { UsageProfileRow } from '../../database/usage-schema.ts'
import type { UsageCount } from './usage-count.ts'

export async function profilePage(
  db: Queries,
  scope: Scope,
  { limit, offset, search, sort }: Paging<'name' | 'type'>,
): Promise<Page<UsageProfile>> {
  const matching = db
    .selectFrom('usage_profiles')
    .where((eb) => inventoryInScope(scope, eb.ref('inventory_id')))
    .where((eb) => isFound(db, search, (key) => eb.ref(key)))
  const total = await countOf(matching)
  const rows = await matching
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref(sort.key)), sort.direction)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: await withUnits(db, rows), total, offset, limit }
}

export async function findProfile(db: Queries, scope: Scope, id: string): Promise<UsageProfile | undefined> {
  const rows = await db
    .selectFrom('usage_profiles')
    .selectAll()
    .where('id', '=', id)
    .where((eb) => inventoryInScope(scope, eb.ref('inventory_id')))
    .execute()
  return (await withUnits(db, rows))[0]
}

export async function allProfiles(db: Queries): Promise<UsageProfile[]> {
  const rows = await db.selectFrom('usage_profiles').selectAll().execute()
  return await withUnits(db, rows)
}

/** Locks the profiles of the inventory until the transaction ends. */
export async function holdProfilesOf(db: Queries, inventoryId: string): Promise<void> {
  await db
    .updateTable('inventories')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', inventoryId)
    .execute()
}

export async function insertProfile(db: Queries, profile: UsageProfile, nowMs: number): Promise<void> {
  const { id, inventoryId } = profile
  await db
    .insertInto('usage_profiles')
    .values({ id, inventory_id: inventoryId, created_ms: nowMs, ...columnsOf(profile) })
    .execute()
}

export async function updateProfile(db: Queries, profile: UsageProfile): Promise<void> {
  await db.updateTable('usage_profiles').set(columnsOf(profile)).where('id', '=', profile.id).execute()
}

export async function deleteProfile(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('usage_profiles').where('id', '=', id).execute()
}

/** Removes the default mark from the profile of this type that has it. */
export async function clearDefault(db: Queries, inventoryId: string, type: UsageType): Promise<void> {
  await db
    .updateTable('usage_profiles')
    .set({ is_default: 0 })
    .where('inventory_id', '=', inventoryId)
    .where('type', '=', type)
    .where('is_default', '=', 1)
    .execute()
}

/** The ids among these that are units of the inventory. */
export async function unitsAmong(
  db: Queries,
  inventoryId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('devices')
    .select('id')
    .where('kind', '=', 'unit')
    .where('inventory_id', '=', inventoryId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

/** Sets the units of the profile to exactly these; each leaves its former profile. */
export async function setUnits(db: Queries, profileId: string, unitIds: readonly string[]): Promise<void> {
  await db.deleteFrom('unit_usage_profiles').where('profile_id', '=', profileId).execute()
  const rows = unitIds.map((unit_id) => ({ unit_id, profile_id: profileId }))
  await upsertMany(db, 'unit_usage_profiles', ['unit_id'], rows)
}

export async function readCounts(db: Queries): Promise<[unitId: string, count: UsageCount][]> {
  const rows = await db.selectFrom('usage_counts').selectAll().execute()
  return rows.map(({ unit_id, from_ms, bytes, sending_ms }) => [
    unit_id,
    { fromMs: from_ms, bytes, streamingMs: sending_ms },
  ])
}

const countsAtOnce = 1000

/** Writes the counts of those units that still are there. */
export async function saveCounts(db: Queries, counts: ReadonlyMap<string, UsageCount>): Promise<void> {
  const all = [...counts.keys()]
  for (let start = 0; start < all.length; start += countsAtOnce) {
    const some = all.slice(start, start + countsAtOnce)
    const units = await db.selectFrom('devices').select('id').where('id', 'in', some).execute()
    const rows = units.flatMap(({ id }) => {
      const count = counts.get(id)
      return count
        ? [{ unit_id: id, from_ms: count.fromMs, bytes: count.bytes, sending_ms: count.streamingMs }]
        : []
    })
    await upsertMany(db, 'usage_counts', ['unit_id'], rows)
  }
}

function columnsOf(profile: UsageProfile): Omit<UsageProfileRow, 'id' | 'inventory_id' | 'created_ms'> {
  return {
    name: profile.name,
    type: profile.type,
    monthly_limit: profile.monthlyLimit,
    reset_day: profile.resetDay,
    is_default: profile.isDefault ? 1 : 0,
  }
}

async function withUnits(db: Queries, rows: readonly UsageProfileRow[]): Promise<UsageProfile[]> {
  if (rows.length === 0) return []
  const pairs = await db
    .selectFrom('unit_usage_profiles')
    .selectAll()
    .where(
      'profile_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('unit_id')
    .execute()
  const byProfile = Map.groupBy(pairs, (pair) => pair.profile_id)
  return rows.map((row) => ({
    id: row.id,
    inventoryId: row.inventory_id,
    name: row.name,
    type: row.type as UsageType,
    monthlyLimit: row.monthly_limit,
    resetDay: row.reset_day,
    isDefault: row.is_default === 1,
    units: (byProfile.get(row.id) ?? []).map(({ unit_id }) => unit_id),
  }))
}
