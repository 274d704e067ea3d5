import type { DeviceLog, LogState } from '@backhaul/contract/nouns/device-logs'
import type { DeviceLogRow } from '../../database/access-schema.ts'
import type { Queries } from '../../database/schema.ts'
import { type Scope, unitInScope } from '../../database/scope.ts'

const newestAtMost = 50

export async function insertLog(db: Queries, row: DeviceLogRow): Promise<void> {
  await db.insertInto('device_logs').values(row).execute()
}

/** A part that was received twice counts once. */
export async function addPart(db: Queries, log_id: string, at: number, text: string): Promise<void> {
  const added = await db
    .insertInto('device_log_parts')
    .values({ log_id, at, text })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (Number(added.numInsertedOrUpdatedRows ?? 0) === 0) return
  await db
    .updateTable('device_logs')
    .set((eb) => ({ bytes: eb('bytes', '+', Buffer.byteLength(text)) }))
    .where('id', '=', log_id)
    .execute()
}

export async function endLog(db: Queries, id: string, state: LogState): Promise<void> {
  await db.updateTable('device_logs').set({ state }).where('id', '=', id).execute()
}

/** Logs that were being received when core stopped cannot be completed. */
export async function failRunning(db: Queries): Promise<void> {
  await db.updateTable('device_logs').set({ state: 'failed' }).where('state', '=', 'running').execute()
}

const logsIn = (db: Queries, scope: Scope) =>
  db
    .selectFrom('device_logs')
    .innerJoin('devices', (join) =>
      // The log of a channel belongs to the server that sent it.
      join.on((eb) => eb('devices.id', '=', eb.fn.coalesce('device_logs.unit_id', 'device_logs.device_id'))),
    )
    .where((eb) =>
      unitInScope(scope, { id: eb.ref('devices.id'), inventoryId: eb.ref('devices.inventory_id') }),
    )

/** The logs that started then or later. */
export async function logsOfUnit(db: Queries, unitId: string, sinceMs: number): Promise<DeviceLog[]> {
  const rows = await db
    .selectFrom('device_logs')
    .selectAll()
    .where('unit_id', '=', unitId)
    .where('started_ms', '>=', sinceMs)
    .orderBy('started_ms', 'desc')
    .orderBy('id')
    .limit(newestAtMost)
    .execute()
  return rows.map(logOf)
}

export async function logsOfChannel(db: Queries, scope: Scope, channelId: string): Promise<DeviceLog[]> {
  const rows = await logsIn(db, scope)
    .selectAll('device_logs')
    .where('channel_id', '=', channelId)
    .orderBy('started_ms', 'desc')
    .orderBy('device_logs.id')
    .limit(newestAtMost)
    .execute()
  return rows.map(logOf)
}

const logOf = (row: DeviceLogRow): DeviceLog => ({
  id: row.id,
  source: row.channel_id === null ? 'unit' : 'channel',
  name: row.name,
  description: row.description,
  by: row.requested_by,
  startedAt: new Date(Number(row.started_ms)).toISOString(),
  state: row.state as LogState,
  bytes: Number(row.bytes),
})

export const findLog = (db: Queries, scope: Scope, id: string) =>
  logsIn(db, scope)
    .select(['device_logs.name', 'started_ms', 'unit_id', 'device_id'])
    .where('device_logs.id', '=', id)
    .executeTakeFirst()

export async function textOf(db: Queries, logId: string): Promise<string> {
  const parts = await db
    .selectFrom('device_log_parts')
    .select('text')
    .where('log_id', '=', logId)
    .orderBy('at')
    .execute()
  return parts.map(({ text }) => text).join('')
}
