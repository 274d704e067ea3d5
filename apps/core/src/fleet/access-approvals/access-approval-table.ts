import type { Page } from '@backhaul/contract/define/answers'
import { type AccessApproval, accessStateOf } from '@backhaul/contract/nouns/access-approvals'
import type { AccessApprovalRow } from '../../database/access-schema.ts'
import { countOf, type Window } from '../../database/paging.ts'
import type { Database, Queries } from '../../database/schema.ts'
import { type Scope, unitInScope } from '../../database/scope.ts'

const inScope = (db: Queries, scope: Scope) =>
  db
    .selectFrom('access_approvals')
    .innerJoin('devices', 'devices.id', 'access_approvals.device_id')
    .where((eb) =>
      unitInScope(scope, { id: eb.ref('devices.id'), inventoryId: eb.ref('devices.inventory_id') }),
    )

const withNames = (rows: ReturnType<typeof inScope>) =>
  rows
    .innerJoin('inventories', 'inventories.id', 'devices.inventory_id')
    .selectAll('access_approvals')
    .select([
      'devices.name as device_name',
      'devices.inventory_id as inventory_id',
      'inventories.name as inventory_name',
    ])

/** The newest first. */
export async function approvalPage(
  db: Queries,
  scope: Scope,
  { device, limit, offset, nowMs }: Window & { device: string | undefined; nowMs: number },
): Promise<Page<AccessApproval>> {
  const matching = inScope(db, scope).$if(device !== undefined, (query) =>
    query.where('device_id', '=', device ?? ''),
  )
  const total = await countOf(matching)
  const rows = await withNames(matching)
    .orderBy('start_ms', 'desc')
    .orderBy('access_approvals.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map((row) => shown(row, nowMs)), total, offset, limit }
}

export async function findApproval(
  db: Queries,
  scope: Scope,
  id: string,
  nowMs: number,
): Promise<AccessApproval | undefined> {
  const row = await withNames(inScope(db, scope)).where('access_approvals.id', '=', id).executeTakeFirst()
  return row && shown(row, nowMs)
}

/** Locks the device against other grants until the transaction ends. */
async function holdDevice(db: Queries, deviceId: string): Promise<void> {
  await db
    .updateTable('devices')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', deviceId)
    .execute()
}

/** False while access to the device is open. */
export async function insertUnlessOpen(db: Database, row: AccessApprovalRow): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    await holdDevice(transaction, row.device_id)
    if (await hasOpen(transaction, row.device_id, row.start_ms)) return false
    await transaction.insertInto('access_approvals').values(row).execute()
    return true
  })
}

export async function hasOpen(db: Queries, deviceId: string, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('access_approvals')
    .select('id')
    .where('device_id', '=', deviceId)
    .where('end_ms', '>', nowMs)
    .executeTakeFirst()
  return row !== undefined
}

/** The time at which the open access expires, for each device that has one. */
export async function openEnds(
  db: Queries,
  deviceIds: readonly string[],
  nowMs: number,
): Promise<Map<string, number>> {
  if (deviceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('access_approvals')
    .select(['device_id', 'end_ms'])
    .where('device_id', 'in', deviceIds)
    .where('end_ms', '>', nowMs)
    .execute()
  return new Map(rows.map((row) => [row.device_id, row.end_ms]))
}

/** The approvals of all devices that have not ended. */
export async function openOnes(
  db: Queries,
  nowMs: number,
): Promise<Pick<AccessApprovalRow, 'device_id' | 'end_ms'>[]> {
  return await db
    .selectFrom('access_approvals')
    .select(['device_id', 'end_ms'])
    .where('end_ms', '>', nowMs)
    .execute()
}

/** False when it had ended before. */
export async function endApproval(db: Queries, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('access_approvals')
    .set({ end_ms: nowMs })
    .where('id', '=', id)
    .where('end_ms', '>', nowMs)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the first use only; answers whether it is this one. */
export async function noteUse(
  db: Queries,
  deviceId: string,
  use: { by: string; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('access_approvals')
    .set({ used_ms: use.nowMs, used_by: use.by })
    .where('device_id', '=', deviceId)
    .where('end_ms', '>', use.nowMs)
    .where('used_ms', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Resolves when the transaction that has noted the use is over, whether or not it was committed. */
export async function useStored(db: Database, deviceId: string): Promise<void> {
  await db
    .updateTable('access_approvals')
    .set((eb) => ({ used_ms: eb.ref('used_ms') }))
    .where('device_id', '=', deviceId)
    .execute()
}

const isoTime = (ms: number) => new Date(ms).toISOString()

type NamedRow = AccessApprovalRow & { device_name: string; inventory_id: string; inventory_name: string }

const shown = (row: NamedRow, nowMs: number): AccessApproval => ({
  id: row.id,
  device: row.device_id,
  deviceName: row.device_name,
  inventoryId: row.inventory_id,
  inventoryName: row.inventory_name,
  grantedBy: row.granted_by,
  start: isoTime(row.start_ms),
  end: isoTime(row.end_ms),
  state: accessStateOf({ endMs: row.end_ms, usedMs: row.used_ms }, nowMs),
  usedBy: row.used_by,
  usedOn: row.used_ms === null ? null : isoTime(row.used_ms),
})
