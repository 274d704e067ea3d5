import type { Upgrade, UpgradeState } from '@backhaul/contract/nouns/upgrades'
import { causeColumn, causeOfColumn } from '../../database/causes.ts'
import { upsertMany } from '../../database/dialect.ts'
import type { Queries } from '../../database/schema.ts'

/** An upgrade under the id that the device gets for it. */
export type KeptUpgrade = Upgrade & { id: string }

export async function allUpgrades(db: Queries): Promise<KeptUpgrade[]> {
  const rows = await db.selectFrom('upgrades').selectAll().execute()
  return rows.map((row) => ({
    id: row.id,
    device: row.device_id,
    state: row.state as UpgradeState,
    percent: row.percent,
    resultCode: row.result_code,
    reason: row.reason,
    ...causeOfColumn(row.cause),
    version: row.version,
    versionNumberId: row.version_id,
    by: row.asked_by,
    changedAt: Number(row.changed_ms),
  }))
}

export async function saveUpgrade(db: Queries, upgrade: KeptUpgrade): Promise<void> {
  const row = {
    device_id: upgrade.device,
    id: upgrade.id,
    version_id: upgrade.versionNumberId,
    version: upgrade.version,
    state: upgrade.state,
    percent: upgrade.percent,
    result_code: upgrade.resultCode,
    reason: upgrade.reason,
    cause: causeColumn(upgrade.cause),
    asked_by: upgrade.by,
    changed_ms: upgrade.changedAt,
  }
  await upsertMany(db, 'upgrades', ['device_id'], [row])
}

export async function deleteUpgrade(db: Queries, deviceId: string): Promise<void> {
  await db.deleteFrom('upgrades').where('device_id', '=', deviceId).execute()
}
