import type { DeviceService, DeviceServiceName } from '@backhaul/contract/nouns/device-services'
import type { Queries } from '../../database/schema.ts'
import type { DeviceServiceRow } from '../../database/settings-schema.ts'
import type { Kept } from '../../platform/system-settings/system-settings.ts'

export async function deviceServices(db: Queries): Promise<Kept<DeviceService>[]> {
  const rows = await db
    .selectFrom('device_services')
    .selectAll()
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(({ id, device_id, service, expires_ms }) => ({
    id,
    device: device_id,
    service: service as DeviceServiceName,
    expiration: expires_ms === null ? null : new Date(Number(expires_ms)).toISOString(),
  }))
}

/** Names of those that are not over. */
export async function inForceOf(db: Queries, deviceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('device_services')
    .select('service')
    .where('device_id', '=', deviceId)
    .where('is_over', '=', 0)
    .orderBy('service')
    .execute()
  return rows.map(({ service }) => service)
}

export async function insertDeviceService(db: Queries, row: DeviceServiceRow): Promise<void> {
  await db.insertInto('device_services').values(row).execute()
}

export async function updateDeviceService(
  db: Queries,
  id: string,
  changes: Pick<DeviceServiceRow, 'device_id' | 'service' | 'expires_ms'>,
): Promise<void> {
  await db
    .updateTable('device_services')
    .set({ ...changes, is_over: 0 })
    .where('id', '=', id)
    .execute()
}

export async function deleteDeviceService(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('device_services').where('id', '=', id).execute()
}

/** Devices with a service that has expired and is not over yet. */
export async function devicesDue(db: Queries, nowMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('device_services')
    .select('device_id')
    .distinct()
    .where('is_over', '=', 0)
    .where('expires_ms', '<=', nowMs)
    .execute()
  return rows.map(({ device_id }) => device_id)
}

export async function endDue(db: Queries, deviceId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('device_services')
    .set({ is_over: 1 })
    .where('device_id', '=', deviceId)
    .where('is_over', '=', 0)
    .where('expires_ms', '<=', nowMs)
    .execute()
}
