import type { ShareLinkRow } from '../../database/communication-schema.ts'
import { countOf } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'

export interface StoredLink {
  id: string
  channelId: string
  description: string
  tokenHash: string
  /** Sealed. */
  token: string
  startsMs: number
  endsMs: number
  active: boolean
  createdBy: string
  createdMs: number
}

export async function linksOf(db: Queries, channelId: string): Promise<StoredLink[]> {
  const rows = await db
    .selectFrom('share_links')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('starts_ms')
    .orderBy('id')
    .execute()
  return rows.map(linkOf)
}

export async function link(db: Queries, channelId: string, id: string): Promise<StoredLink | undefined> {
  const row = await db
    .selectFrom('share_links')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && linkOf(row)
}

export async function linkBy(
  db: Queries,
  key: 'id' | 'token_hash',
  value: string,
): Promise<StoredLink | undefined> {
  const row = await db.selectFrom('share_links').selectAll().where(key, '=', value).executeTakeFirst()
  return row && linkOf(row)
}

export async function insertLink(db: Queries, one: StoredLink): Promise<void> {
  await db
    .insertInto('share_links')
    .values({
      id: one.id,
      channel_id: one.channelId,
      description: one.description,
      token_hash: one.tokenHash,
      token: one.token,
      starts_ms: one.startsMs,
      ends_ms: one.endsMs,
      active: one.active ? 1 : 0,
      created_by: one.createdBy,
      created_ms: one.createdMs,
    })
    .execute()
}

export async function updateLink(db: Queries, one: StoredLink): Promise<void> {
  await db
    .updateTable('share_links')
    .set({
      description: one.description,
      starts_ms: one.startsMs,
      ends_ms: one.endsMs,
      active: one.active ? 1 : 0,
    })
    .where('id', '=', one.id)
    .execute()
}

export async function deleteLink(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('share_links').where('id', '=', id).execute()
}

export async function deleteExpired(db: Queries, channelId: string, nowMs: number): Promise<void> {
  await db
    .deleteFrom('share_links')
    .where('channel_id', '=', channelId)
    .where('ends_ms', '<=', nowMs)
    .execute()
}

export async function countLinks(db: Queries, channelId: string): Promise<number> {
  return await countOf(db.selectFrom('share_links').where('channel_id', '=', channelId))
}

const linkOf = (row: ShareLinkRow): StoredLink => ({
  id: row.id,
  channelId: row.channel_id,
  description: row.description,
  tokenHash: row.token_hash,
  token: row.token,
  startsMs: Number(row.starts_ms),
  endsMs: Number(row.ends_ms),
  active: row.active === 1,
  createdBy: row.created_by,
  createdMs: Number(row.created_ms),
})
