import {
  ManagedServiceStatus,
  PlanType,
  type ServiceContract,
  UsageType,
} from '@backhaul/contract/nouns/services'
import { byName } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'
import { type Customers, inventoryInScope, isCustomerIn, type Scope } from '../../database/scope.ts'
import type { InventoryServiceRow } from '../../database/usage-schema.ts'

export interface StoredService extends ServiceContract {
  inventoryId: string
  name: string
  plan: PlanType | null
  trialStartedMs: number | null
  renewal: string
  instanceLimit: number | null
  /** The usage counts from here. */
  countedFromMs: number
  /** The time at which its administrators were notified that the package is used up. */
  overNotifiedMs: number | null
}

export type NamedService = StoredService & { inventoryName: string }

const named = (db: Queries) =>
  db
    .selectFrom('inventory_services')
    .innerJoin('inventories', 'inventories.id', 'inventory_services.inventory_id')

export const serviceKeys = ['name', 'inventoryName', 'plan', 'status', 'renewal'] as const
type Key = (typeof serviceKeys)[number]

const columnOf = {
  name: 'inventory_services.name',
  inventoryName: 'inventories.name',
  plan: 'inventory_services.plan',
  status: 'inventory_services.status',
  renewal: 'inventory_services.renewal',
} as const

/** A service that was removed and is kept only for its trial is not in the list. */
export async function servicePage(
  db: Queries,
  scope: Scope,
  { limit, offset, search, sort }: Paging<Key>,
): Promise<{ items: NamedService[]; total: number }> {
  const matching = named(db)
    .where((eb) => inventoryInScope(scope, eb.ref('inventory_services.inventory_id')))
    .where('inventory_services.status', '!=', 'na')
    .where((eb) => isFound(db, search, (key) => eb.fn.coalesce(eb.ref(columnOf[key]), eb.val(''))))
  const total = await countOf(matching)
  const rows = await matching
    .selectAll('inventory_services')
    .select('inventories.name as inventoryName')
    .orderBy((eb) => byName(db, eb.fn.coalesce(eb.ref(columnOf[sort.key]), eb.val(''))), sort.direction)
    .orderBy('inventory_services.inventory_id')
    .orderBy('inventory_services.name')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(namedOf), total }
}

export async function servicesIn(db: Queries, customers: readonly Customers[]): Promise<StoredService[]> {
  const rows = await db
    .selectFrom('inventory_services')
    .selectAll()
    .where((eb) => isCustomerIn(customers, eb.ref('inventory_id')))
    .orderBy('name')
    .execute()
  return rows.map(serviceOf)
}

export async function servicesOf(db: Queries, inventoryIds: readonly string[]): Promise<StoredService[]> {
  if (inventoryIds.length === 0) return []
  const rows = await db
    .selectFrom('inventory_services')
    .selectAll()
    .where('inventory_id', 'in', inventoryIds)
    .orderBy('name')
    .execute()
  return rows.map(serviceOf)
}

/** Every service with a package, of all customers. */
export async function packagedServices(db: Queries): Promise<NamedService[]> {
  const rows = await named(db)
    .selectAll('inventory_services')
    .select('inventories.name as inventoryName')
    .where('inventory_services.package_milli', 'is not', null)
    .where('inventory_services.usage_type', '!=', 'na')
    .execute()
  return rows.map(namedOf)
}

/** Reads the service and locks it until the transaction ends. */
export async function holdService(
  db: Queries,
  inventoryId: string,
  name: string,
): Promise<StoredService | undefined> {
  const row = await db
    .updateTable('inventory_services')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('inventory_id', '=', inventoryId)
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirst()
  return row && serviceOf(row)
}

/** Answers false, and inserts nothing, when it exists already. */
export async function insertService(db: Queries, service: StoredService): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('inventory_services')
    .values(rowOf(service))
    .onConflict((conflict) => conflict.columns(['inventory_id', 'name']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

export async function updateService(db: Queries, service: StoredService): Promise<void> {
  const { inventory_id, name, ...columns } = rowOf(service)
  await db
    .updateTable('inventory_services')
    .set(columns)
    .where('inventory_id', '=', inventory_id)
    .where('name', '=', name)
    .execute()
}

export async function deleteService(db: Queries, inventoryId: string, name: string): Promise<void> {
  await db
    .deleteFrom('inventory_services')
    .where('inventory_id', '=', inventoryId)
    .where('name', '=', name)
    .execute()
}

const milli = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000))
const whole = (value: number | null): number | null => (value === null ? null : value / 1000)

function rowOf(service: StoredService): InventoryServiceRow {
  return {
    inventory_id: service.inventoryId,
    name: service.name,
    plan: service.plan,
    status: service.status,
    expires_ms: service.expiresMs,
    trial_started_ms: service.trialStartedMs,
    renewal: service.renewal,
    instance_limit: service.instanceLimit,
    usage_type: service.usageType,
    package_milli: milli(service.packageSize),
    used_milli: milli(service.used),
    counted_from_ms: service.countedFromMs,
    over_told_ms: service.overNotifiedMs,
  }
}

function serviceOf(row: InventoryServiceRow): StoredService {
  return {
    inventoryId: row.inventory_id,
    name: row.name,
    plan: row.plan === null ? null : PlanType.parse(row.plan),
    status: ManagedServiceStatus.parse(row.status),
    expiresMs: row.expires_ms,
    trialStartedMs: row.trial_started_ms,
    renewal: row.renewal,
    instanceLimit: row.instance_limit,
    usageType: UsageType.parse(row.usage_type),
    packageSize: whole(row.package_milli),
    used: whole(row.used_milli),
    countedFromMs: row.counted_from_ms,
    overNotifiedMs: row.over_told_ms,
  }
}

const namedOf = ({
  inventoryName,
  ...row
}: InventoryServiceRow & { inventoryName: string }): NamedService => ({
  ...serviceOf(row),
  inventoryName,
})
