import type { Page } from '@backhaul/contract/define/answers'
import type { AiProvider, AiSettings, aiSettingsKeys } from '@backhaul/contract/nouns/ai'
import type { AiSettingsRow } from '../../database/ai-schema.ts'
import { byName } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'

export async function settingsPage(
  db: Queries,
  { limit, offset, search, sort }: Paging<(typeof aiSettingsKeys)[number]>,
): Promise<Page<AiSettings>> {
  const matching = db.selectFrom('ai_settings').where((eb) => isFound(db, search, (key) => eb.ref(key)))
  const total = await countOf(matching)
  const rows = await matching
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref(sort.key)), sort.direction)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(shown), total, offset, limit }
}

export async function allSettings(db: Queries): Promise<AiSettings[]> {
  const rows = await db
    .selectFrom('ai_settings')
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref('name')))
    .execute()
  return rows.map(shown)
}

export async function findSettings(db: Queries, id: string): Promise<AiSettingsRow | undefined> {
  return await db.selectFrom('ai_settings').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertSettings(db: Queries, row: AiSettingsRow): Promise<void> {
  await db.insertInto('ai_settings').values(row).execute()
}

export async function updateSettings(db: Queries, { id, ...row }: AiSettingsRow): Promise<void> {
  await db.updateTable('ai_settings').set(row).where('id', '=', id).execute()
}

export async function deleteSettings(db: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('ai_settings').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export const shown = ({ id, name, provider, endpoint, model, secret }: AiSettingsRow): AiSettings => ({
  id,
  name,
  provider: provider as AiProvider,
  endpoint,
  model,
  hasSecret: secret !== null,
})
