import type { Queries } from '../../database/schema.ts'

export interface StoredAccount {
  /** Sealed. */
  password: string | null
  defaultServerId: string | null
  mapping: { name: string; content: string; uploadedMs: number } | null
}

const none: StoredAccount = { password: null, defaultServerId: null, mapping: null }

/** For a customer without settings an empty one. */
export async function account(db: Queries, inventoryId: string): Promise<StoredAccount> {
  const row = await db
    .selectFrom('ingest_accounts')
    .selectAll()
    .where('inventory_id', '=', inventoryId)
    .executeTakeFirst()
  if (!row) return none
  const { mapping_name: name, mapping: content, mapping_ms: ms } = row
  return {
    password: row.password,
    defaultServerId: row.default_server_id,
    mapping: name === null || content === null ? null : { name, content, uploadedMs: Number(ms) },
  }
}

export async function saveAccount(
  db: Queries,
  inventoryId: string,
  { password, defaultServerId, mapping }: Partial<StoredAccount>,
): Promise<void> {
  const values = {
    ...(password !== undefined && { password }),
    ...(defaultServerId !== undefined && { default_server_id: defaultServerId }),
    ...(mapping !== undefined && {
      mapping_name: mapping?.name ?? null,
      mapping: mapping?.content ?? null,
      mapping_ms: mapping?.uploadedMs ?? null,
    }),
  }
  await db
    .insertInto('ingest_accounts')
    .values({ inventory_id: inventoryId, ...values })
    .onConflict((conflict) =>
      conflict.column('inventory_id').doUpdateSet({ inventory_id: inventoryId, ...values }),
    )
    .execute()
}

export async function defaultServers(db: Queries): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('ingest_accounts')
    .select(['inventory_id', 'default_server_id'])
    .where('default_server_id', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [row.inventory_id, row.default_server_id ?? '']))
}

/** Of each channel that has one, its ingest server. */
export async function associations(db: Queries): Promise<Map<string, string>> {
  const rows = await db.selectFrom('channel_ingests').selectAll().execute()
  return new Map(rows.map((row) => [row.channel_id, row.server_id]))
}

export async function associate(db: Queries, channelId: string, serverId: string | null): Promise<void> {
  await db.deleteFrom('channel_ingests').where('channel_id', '=', channelId).execute()
  if (serverId === null) return
  await db.insertInto('channel_ingests').values({ channel_id: channelId, server_id: serverId }).execute()
}
