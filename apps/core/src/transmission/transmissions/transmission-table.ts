import type { CameraActivity, CameraFeed } from '@backhaul/contract/nouns/cameras'
import type { Queries } from '../../database/schema.ts'

export interface OpenTransmission {
  id: string
  unitId: string
  channelId: string
  inventoryId: string
  delayMs: number
  startedMs: number
  startedBy: string
  liveMs: number | null
  /** The time for which test data is sent in place of a programme. */
  speedTestMs?: number
  /** With several cameras: how they are sent, and the channel of each; the first goes to `channelId`. */
  activity?: CameraActivity
  feeds?: CameraFeed[]
  /** Point-to-multipoint machines to which the server of `channelId` sends the picture on. */
  copies?: string[]
}

/** Every channel that the unit sends to. */
export const channelsOf = ({ channelId, feeds }: Pick<OpenTransmission, 'channelId' | 'feeds'>): string[] =>
  feeds?.map((feed) => feed.channelId) ?? [channelId]

/** Every channel that the transmission holds. */
export const heldChannelsOf = (transmission: OpenTransmission): string[] => [
  ...channelsOf(transmission),
  ...(transmission.copies ?? []),
]

export async function insertTransmission(db: Queries, transmission: OpenTransmission): Promise<void> {
  await db
    .insertInto('transmissions')
    .values({
      id: transmission.id,
      unit_id: transmission.unitId,
      channel_id: transmission.channelId,
      group_id: null,
      inventory_id: transmission.inventoryId,
      delay_ms: transmission.delayMs,
      started_ms: transmission.startedMs,
      started_by: transmission.startedBy,
      live_ms: null,
      stopped_ms: null,
      stopped_by: null,
      stop_reason: null,
      details: detailsOf(transmission),
    })
    .execute()
}

export async function saveLive(db: Queries, id: string, liveMs: number): Promise<void> {
  await db.updateTable('transmissions').set({ live_ms: liveMs }).where('id', '=', id).execute()
}

export async function saveCopies(db: Queries, transmission: OpenTransmission): Promise<void> {
  await db
    .updateTable('transmissions')
    .set({ details: detailsOf(transmission) })
    .where('id', '=', transmission.id)
    .execute()
}

type TransmissionDetails = Pick<OpenTransmission, 'speedTestMs' | 'activity' | 'feeds' | 'copies'>

const detailsOf = ({ speedTestMs, activity, feeds, copies }: OpenTransmission): string =>
  JSON.stringify({ speedTestMs, activity, feeds, copies } satisfies {
    [K in keyof TransmissionDetails]: unknown
  })

/** False when it had ended before. */
export async function endTransmission(
  db: Queries,
  id: string,
  end: { atMs: number; by: string | null; reason: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('transmissions')
    .set({ stopped_ms: end.atMs, stopped_by: end.by, stop_reason: end.reason })
    .where('id', '=', id)
    .where('stopped_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) > 0
}

export async function openTransmissions(db: Queries): Promise<OpenTransmission[]> {
  const rows = await db
    .selectFrom('transmissions')
    .select([
      'id',
      'unit_id',
      'channel_id',
      'inventory_id',
      'delay_ms',
      'started_ms',
      'started_by',
      'live_ms',
      'details',
    ])
    .where('stopped_ms', 'is', null)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    unitId: row.unit_id,
    channelId: row.channel_id ?? '',
    inventoryId: row.inventory_id,
    delayMs: row.delay_ms,
    startedMs: row.started_ms,
    startedBy: row.started_by ?? '',
    liveMs: row.live_ms,
    ...(JSON.parse(row.details) as TransmissionDetails),
  }))
}
