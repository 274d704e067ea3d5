import type { Queries } from '../../database/schema.ts'
import type { SystemSettingRow } from '../../database/settings-schema.ts'

export async function settingRows(db: Queries, child: string): Promise<SystemSettingRow[]> {
  return await db
    .selectFrom('system_settings')
    .selectAll()
    .where('child', '=', child)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
}

export async function insertSetting(db: Queries, row: SystemSettingRow): Promise<void> {
  await db.insertInto('system_settings').values(row).execute()
}

export async function updateSetting(
  db: Queries,
  id: string,
  changes: Pick<SystemSettingRow, 'unique_key' | 'data'>,
): Promise<void> {
  await db.updateTable('system_settings').set(changes).where('id', '=', id).execute()
}

export async function deleteSetting(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('system_settings').where('id', '=', id).execute()
}
