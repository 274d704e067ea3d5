// The figures of the feeds of transceivers; those of units are in series-table.ts.
import { upsertMany } from '../../database/dialect.ts'
import type { Queries } from '../../database/schema.ts'
import { type Chunk, decodeChunk, type Figures } from './chunk.ts'

export async function saveFeedChunks(
  db: Queries,
  chunks: readonly { id: string; chunk: Chunk }[],
): Promise<void> {
  const rows = chunks.map(({ id, chunk }) => ({
    channel_id: id,
    resolution_ms: chunk.resolutionMs,
    from_ms: chunk.fromMs,
    to_ms: chunk.toMs,
    data: chunk.encode(),
  }))
  await upsertMany(db, 'feed_chunks', ['channel_id', 'resolution_ms', 'from_ms'], rows)
}

export async function readFeedFigures(
  db: Queries,
  channelId: string,
  resolutionMs: number,
  fromMs: number,
  toMs: number,
): Promise<Figures[]> {
  const rows = await db
    .selectFrom('feed_chunks')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('resolution_ms', '=', resolutionMs)
    .where('to_ms', '>', fromMs)
    .where('from_ms', '<=', toMs)
    .orderBy('from_ms')
    .execute()
  return rows
    .flatMap((row) => decodeChunk(row.data, resolutionMs, row.from_ms))
    .filter(({ ts }) => ts > fromMs && ts <= toMs)
}

export async function forgetFeedChunks(db: Queries, resolutionMs: number, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('feed_chunks')
    .where('resolution_ms', '=', resolutionMs)
    .where('to_ms', '<', beforeMs)
    .execute()
}
