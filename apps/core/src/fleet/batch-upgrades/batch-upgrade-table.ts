import type { ListedBatch } from '@backhaul/contract/nouns/batch-upgrades'
import type { BatchUpgradeRow, BatchUpgradeRowRow } from '../../database/access-schema.ts'
import type { Window } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'
import type { BatchLine } from './batch-csv.ts'

export async function insertBatch(
  db: Queries,
  batch: BatchUpgradeRow,
  lines: readonly BatchLine[],
): Promise<void> {
  await db.insertInto('batch_upgrades').values(batch).execute()
  const none = { device_id: null, device_name: null, from_version: null, upgrade_id: null }
  const values = lines.map(({ line, serialNumber, targetVersion }) => ({
    batch_id: batch.id,
    line,
    serial_number: serialNumber,
    target_version: targetVersion,
    ...none,
    state: null,
    reason: null,
    cause: null,
  }))
  await db.insertInto('batch_upgrade_rows').values(values).execute()
}

/** Files that were checked and not run are of use for a while only. */
export async function dropUnstarted(db: Queries, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('batch_upgrades')
    .where('started_ms', 'is', null)
    .where('made_ms', '<', beforeMs)
    .execute()
}

export const findBatch = (db: Queries, id: string): Promise<BatchUpgradeRow | undefined> =>
  db.selectFrom('batch_upgrades').selectAll().where('id', '=', id).executeTakeFirst()

export const rowsOf = (db: Queries, batchId: string): Promise<BatchUpgradeRowRow[]> =>
  db.selectFrom('batch_upgrade_rows').selectAll().where('batch_id', '=', batchId).orderBy('line').execute()

/** False where it was started before. */
export async function markStarted(db: Queries, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batch_upgrades')
    .set({ started_ms: nowMs })
    .where('id', '=', id)
    .where('started_ms', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type Outcome = Partial<Omit<BatchUpgradeRowRow, 'batch_id' | 'line'>>

export async function saveRow(db: Queries, batchId: string, line: number, outcome: Outcome): Promise<void> {
  await db
    .updateTable('batch_upgrade_rows')
    .set(outcome)
    .where('batch_id', '=', batchId)
    .where('line', '=', line)
    .execute()
}

export async function saveUpgradeState(db: Queries, upgradeId: string, outcome: Outcome): Promise<void> {
  await db.updateTable('batch_upgrade_rows').set(outcome).where('upgrade_id', '=', upgradeId).execute()
}

/** Batches whose run was interrupted. */
export const unfinished = (db: Queries): Promise<{ id: string; made_by: string }[]> =>
  db
    .selectFrom('batch_upgrades')
    .select(['id', 'made_by'])
    .where('started_ms', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('batch_upgrade_rows')
          .select('line')
          .whereRef('batch_id', '=', 'batch_upgrades.id')
          .where('state', 'is', null),
      ),
    )
    .execute()

export async function batchPage(
  db: Queries,
  { limit, offset }: Window,
): Promise<{ items: ListedBatch[]; total: number }> {
  const { total } = await db
    .selectFrom('batch_upgrades')
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('batch_upgrades')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('batch_upgrade_rows')
        .select((eb) => eb.fn.countAll<number | string>().as('devices'))
        .whereRef('batch_id', '=', 'batch_upgrades.id')
        .as('devices'),
    )
    .orderBy('made_ms', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const items = rows.map((row) => ({ ...batchOf(row), devices: Number(row.devices) }))
  return { items, total: Number(total) }
}

export const batchOf = ({ id, made_by, made_ms, started_ms }: BatchUpgradeRow) => ({
  id,
  by: made_by,
  createdAt: new Date(Number(made_ms)).toISOString(),
  startedAt: started_ms === null ? null : new Date(Number(started_ms)).toISOString(),
})
