import type { DataMonitoring } from '@backhaul/contract/nouns/unit-networks'
import { upsertMany } from '../../database/dialect.ts'
import type { Queries } from '../../database/schema.ts'
import type { ModemDataRow } from '../../database/usage-schema.ts'
import type { ModemData } from './modem-data-count.ts'

export interface ModemPlace {
  unitId: string
  port: number
}

export async function allModemData(db: Queries): Promise<(ModemPlace & { data: ModemData })[]> {
  const rows = await db.selectFrom('modem_data').selectAll().execute()
  return rows.map(({ unit_id: unitId, port, mode, use_limit, reset_day, from_ms, bytes, connected_ms }) => ({
    unitId,
    port,
    data: {
      monitoring: { mode: mode as DataMonitoring['mode'], limit: use_limit, resetDay: reset_day },
      fromMs: from_ms,
      bytes,
      connectedMs: connected_ms,
    },
  }))
}

/** Stores the data of units that still exist. */
export async function saveModemData(
  db: Queries,
  entries: readonly (ModemPlace & { data: ModemData })[],
): Promise<void> {
  const ids = [...new Set(entries.map(({ unitId }) => unitId))]
  if (ids.length === 0) return
  const known = await db.selectFrom('devices').select('id').where('id', 'in', ids).execute()
  const rows = entries.filter(({ unitId }) => known.some(({ id }) => id === unitId)).map(rowOf)
  await upsertMany(db, 'modem_data', ['unit_id', 'port'], rows)
}

const rowOf = ({ unitId, port, data }: ModemPlace & { data: ModemData }): ModemDataRow => ({
  unit_id: unitId,
  port,
  mode: data.monitoring.mode,
  use_limit: data.monitoring.limit,
  reset_day: data.monitoring.resetDay,
  from_ms: data.fromMs,
  bytes: Math.round(data.bytes),
  connected_ms: Math.round(data.connectedMs),
})
