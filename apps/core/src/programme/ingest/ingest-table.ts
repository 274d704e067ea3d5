import type { NewsroomResult } from '@backhaul/contract/nouns/ingest'
import type { Queries } from '../../database/schema.ts'

export interface StoredAccount {
  /** Sealed. */
  password: string | null
  defaultServerId: string | null
  mapping: { name: string; content: string; uploadedMs: number } | null
  address: string | null
  username: string
  /** The time of the next read of the newsroom; null while the sync is off. */
  nextSyncMs: number | null
  lastSync: NewsroomResult | null
}

const none: StoredAccount = {
  password: null,
  defaultServerId: null,
  mapping: null,
  address: null,
  username: '',
  nextSyncMs: null,
  lastSync: null,
}

/** The account of a customer; an empty one without settings. */
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
    address: row.address,
    username: row.username ?? '',
    nextSyncMs: row.next_sync_ms === null ? null : Number(row.next_sync_ms),
    lastSync: row.last_sync === null ? null : JSON.parse(row.last_sync),
  }
}

export async function saveAccount(
  db: Queries,
  inventoryId: string,
  change: Partial<Omit<StoredAccount, 'lastSync'>>,
): Promise<void> {
  const { password, defaultServerId, mapping, address, username, nextSyncMs } = change
  const values = {
    ...(password !== undefined && { password }),
    ...(defaultServerId !== undefined && { default_server_id: defaultServerId }),
    ...(mapping !== undefined && {
      mapping_name: mapping?.name ?? null,
      mapping: mapping?.content ?? null,
      mapping_ms: mapping?.uploadedMs ?? null,
    }),
    ...(address !== undefined && { address }),
    ...(username !== undefined && { username }),
    ...(nextSyncMs !== undefined && { next_sync_ms: nextSyncMs }),
  }
  await db
    .insertInto('ingest_accounts')
    .values({ inventory_id: inventoryId, ...values })
    .onConflict((conflict) =>
      conflict.column('inventory_id').doUpdateSet({ inventory_id: inventoryId, ...values }),
    )
    .execute()
}

/**
 * Takes a customer whose newsroom is due and sets its next turn, so that no other core takes it too; undefined when none
 * is due. A turn that is two periods away was set before the clock was set back; less is the difference between the
 * clocks of two cores.
 */
export async function claimDueSync(
  db: Queries,
  nowMs: number,
  periodMs: number,
): Promise<string | undefined> {
  for (;;) {
    const due = await db
      .selectFrom('ingest_accounts')
      .select(['inventory_id', 'next_sync_ms'])
      .where((eb) => eb.or([eb('next_sync_ms', '<=', nowMs), eb('next_sync_ms', '>', nowMs + 2 * periodMs)]))
      .orderBy('next_sync_ms')
      .limit(1)
      .executeTakeFirst()
    if (!due) return undefined
    const taken = await db
      .updateTable('ingest_accounts')
      .set({ next_sync_ms: nowMs + periodMs })
      .where('inventory_id', '=', due.inventory_id)
      .where('next_sync_ms', '=', due.next_sync_ms)
      .executeTakeFirst()
    if (taken.numUpdatedRows > 0n) return due.inventory_id
  }
}

export async function saveSync(db: Queries, inventoryId: string, result: NewsroomResult): Promise<void> {
  await db
    .updateTable('ingest_accounts')
    .set({ last_sync: JSON.stringify(result) })
    .where('inventory_id', '=', inventoryId)
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

/** The ingest server of each channel that has one. */
export async function associations(db: Queries): Promise<Map<string, string>> {
  const rows = await db.selectFrom('channel_ingests').selectAll().execute()
  return new Map(rows.map((row) => [row.channel_id, row.server_id]))
}

export async function associate(db: Queries, channelId: string, serverId: string | null): Promise<void> {
  await db.deleteFrom('channel_ingests').where('channel_id', '=', channelId).execute()
  if (serverId === null) return
  await db.insertInto('channel_ingests').values({ channel_id: channelId, server_id: serverId }).execute()
}
