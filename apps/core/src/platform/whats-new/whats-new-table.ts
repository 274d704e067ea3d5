import type { Page } from '@backhaul/contract/define/answers'
import type { NewsNote, newsKeys } from '@backhaul/contract/nouns/whats-new'
import { byName } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { Queries, WhatsNewRow } from '../../database/schema.ts'

/** The published notes, the newest first. */
export async function publishedNotes(db: Queries, nowMs: number, atMost: number): Promise<NewsNote[]> {
  const rows = await db
    .selectFrom('whats_new')
    .selectAll()
    .where('published_ms', '<=', nowMs)
    .orderBy('published_ms', 'desc')
    .orderBy('id')
    .limit(atMost)
    .execute()
  return rows.map(noteOf)
}

export async function notePage(
  db: Queries,
  { limit, offset, search, sort }: Paging<(typeof newsKeys)[number]>,
): Promise<Page<NewsNote>> {
  const matching = db.selectFrom('whats_new').where((eb) => isFound(db, search, () => eb.ref('title')))
  const total = await countOf(matching)
  const rows = await matching
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref(sort.key === 'date' ? 'date' : 'title')), sort.direction)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(noteOf), total, offset, limit }
}

export async function findNote(db: Queries, id: string): Promise<WhatsNewRow | undefined> {
  return await db.selectFrom('whats_new').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertNote(db: Queries, row: WhatsNewRow): Promise<void> {
  await db.insertInto('whats_new').values(row).execute()
}

export async function updateNote(db: Queries, { id, ...row }: WhatsNewRow): Promise<void> {
  await db.updateTable('whats_new').set(row).where('id', '=', id).execute()
}

export async function deleteNote(db: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('whats_new').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export const noteOf = ({ id, date, title, text, published_ms }: WhatsNewRow): NewsNote => ({
  id,
  date,
  title,
  text,
  publishedOn: new Date(published_ms).toISOString(),
})
