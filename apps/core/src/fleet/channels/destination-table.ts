import { type DestinationRequest, destinationAddress } from '@backhaul/contract/nouns/destinations'
import type { Queries } from '../../database/schema.ts'
import type { StoredSettings } from './destination-outputs.ts'

export interface StoredDestination {
  id: string
  channelId: string
  inventoryId: string
  /** Including the secrets, which only the server is sent. */
  settings: StoredSettings
}

export async function destinationsOf(db: Queries, channelId: string): Promise<StoredDestination[]> {
  const rows = await db
    .selectFrom('destinations')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('name_key')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    channelId: row.channel_id,
    inventoryId: row.inventory_id,
    settings: JSON.parse(row.settings) as StoredSettings,
  }))
}

/** The unique keys of a destination within its customer, as stored in the table. */
export const keysOf = (settings: DestinationRequest) => ({
  name_key: settings.name.toLowerCase(),
  stream_key: settings.streamId || null,
  // One address can have several streams by their names.
  address_key: [destinationAddress(settings), settings.streamId].filter(Boolean).join(' '),
})
export type Key = keyof ReturnType<typeof keysOf>

/** The keys that another destination of the customer has already. */
export async function takenKeys(
  db: Queries,
  { id, inventoryId, settings }: StoredDestination,
): Promise<Key[]> {
  const keys = keysOf(settings)
  const rows = await db
    .selectFrom('destinations')
    .select(['name_key', 'stream_key', 'address_key'])
    .where('inventory_id', '=', inventoryId)
    .where('id', '!=', id)
    .where((eb) =>
      eb.or([
        eb('name_key', '=', keys.name_key),
        eb('stream_key', '=', keys.stream_key ?? ''),
        eb('address_key', '=', keys.address_key),
      ]),
    )
    .execute()
  return (Object.keys(keys) as Key[]).filter(
    (key) => keys[key] !== null && rows.some((row) => row[key] === keys[key]),
  )
}

export async function saveDestination(
  db: Queries,
  { id, channelId, inventoryId, settings }: StoredDestination,
  nowMs: number,
): Promise<void> {
  const values = { ...keysOf(settings), settings: JSON.stringify(settings) }
  await db
    .insertInto('destinations')
    .values({ id, channel_id: channelId, inventory_id: inventoryId, created_ms: nowMs, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

export async function deleteDestination(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('destinations').where('id', '=', id).execute()
}
