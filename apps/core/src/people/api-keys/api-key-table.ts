import type { Page } from '@backhaul/contract/define/answers'
import { Role } from '@backhaul/contract/define/role-schemas'
import type { ApiKey, apiKeyKeys } from '@backhaul/contract/nouns/api-keys'
import type { ApiKeyRow } from '../../database/access-schema.ts'
import { byName } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'
import { inventoryInScope, type Scope } from '../../database/scope.ts'

/** A key as it is read where it is used. */
export interface StoredKey {
  id: string
  inventoryId: string
  userId: string
  name: string
  role: Role
  prefix: string
  expiresMs: number | null
  lastUsedMs: number | null
}

const inScope = (db: Queries, scope: Scope) =>
  db.selectFrom('api_keys').where((eb) => inventoryInScope(scope, eb.ref('inventory_id')))

const withMaker = (rows: ReturnType<typeof inScope>) =>
  rows.innerJoin('users', 'users.id', 'api_keys.user_id').selectAll('api_keys').select('users.username')

export async function keyPage(
  db: Queries,
  scope: Scope,
  { limit, offset, search, sort }: Paging<(typeof apiKeyKeys)[number]>,
): Promise<Page<ApiKey>> {
  const matching = inScope(db, scope).where((eb) => isFound(db, search, (key) => eb.ref(`api_keys.${key}`)))
  const total = await countOf(matching)
  const rows = await withMaker(matching)
    .orderBy((eb) => byName(db, eb.ref(`api_keys.${sort.key}`)), sort.direction)
    .orderBy('api_keys.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(shown), total, offset, limit }
}

export async function findKey(db: Queries, scope: Scope, id: string): Promise<ApiKey | undefined> {
  const row = await withMaker(inScope(db, scope)).where('api_keys.id', '=', id).executeTakeFirst()
  return row && shown(row)
}

export async function countOfInventory(db: Queries, inventoryId: string): Promise<number> {
  return await countOf(db.selectFrom('api_keys').where('inventory_id', '=', inventoryId))
}

export async function insertKey(
  db: Queries,
  key: Omit<StoredKey, 'lastUsedMs'> & { secretHash: string; createdMs: number },
): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      id: key.id,
      inventory_id: key.inventoryId,
      user_id: key.userId,
      name: key.name,
      role: key.role,
      prefix: key.prefix,
      secret_hash: key.secretHash,
      created_ms: key.createdMs,
      expires_ms: key.expiresMs,
      last_used_ms: null,
    })
    .execute()
}

export async function findByHash(db: Queries, secretHash: string): Promise<StoredKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      inventoryId: row.inventory_id,
      userId: row.user_id,
      name: row.name,
      role: Role.parse(row.role),
      prefix: row.prefix,
      expiresMs: row.expires_ms,
      lastUsedMs: row.last_used_ms,
    }
  )
}

export async function noteUse(db: Queries, id: string, lastUsedMs: number): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_ms: lastUsedMs }).where('id', '=', id).execute()
}

/** Answers whose it was, if it was still there. */
export async function deleteKey(
  db: Queries,
  id: string,
): Promise<{ id: string; userId: string } | undefined> {
  return await db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .returning(['id', 'user_id as userId'])
    .executeTakeFirst()
}

export async function keyIdsOf(db: Queries, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('api_keys').select('id').where('user_id', '=', userId).execute()
  return rows.map(({ id }) => id)
}

/** The keys that expired after `sinceMs`, up to `untilMs`. */
export async function keysEndedBetween(
  db: Queries,
  sinceMs: number,
  untilMs: number,
): Promise<{ id: string; userId: string }[]> {
  return await db
    .selectFrom('api_keys')
    .select(['id', 'user_id as userId'])
    .where('expires_ms', '>', sinceMs)
    .where('expires_ms', '<=', untilMs)
    .execute()
}

const isoTime = (ms: number) => new Date(ms).toISOString()

const shown = (row: ApiKeyRow & { username: string }): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  inventoryId: row.inventory_id,
  role: Role.parse(row.role),
  username: row.username,
  createdOn: isoTime(row.created_ms),
  expiresOn: row.expires_ms === null ? null : isoTime(row.expires_ms),
  lastUsedOn: row.last_used_ms === null ? null : isoTime(row.last_used_ms),
})
