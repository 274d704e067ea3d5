// The stored figures: one table for units, and one of the same shape for the feeds of transceivers.
import { upsertMany } from '../../database/dialect.ts'
import type { Queries } from '../../database/schema.ts'
import { type Chunk, decodeChunk, type Figures } from './chunk.ts'

export interface SeriesTable {
  /** Writes the chunks as they are now; one that was written before is replaced by its longer self. */
  save(db: Queries, chunks: readonly { id: string; chunk: Chunk }[]): Promise<void>
  /** The figures after `fromMs` up to `toMs`, oldest first. */
  read(db: Queries, id: string, resolutionMs: number, fromMs: number, toMs: number): Promise<Figures[]>
  forget(db: Queries, resolutionMs: number, beforeMs: number): Promise<void>
}

export const unitChunks = seriesTable('series_chunks', 'unit_id')
export const feedChunks = seriesTable('feed_chunks', 'channel_id')

function seriesTable(name: 'series_chunks' | 'feed_chunks', idColumn: 'unit_id' | 'channel_id'): SeriesTable {
  // The queries are typed as those of units.
  const [table, column] = [name as 'series_chunks', idColumn as 'unit_id']
  return {
    async save(db, chunks) {
      const rows = chunks.map(({ id, chunk }) => ({
        [column]: id,
        resolution_ms: chunk.resolutionMs,
        from_ms: chunk.fromMs,
        to_ms: chunk.toMs,
        data: chunk.encode(),
      }))
      await upsertMany(db, table, [column, 'resolution_ms', 'from_ms'], rows)
    },
    async read(db, id, resolutionMs, fromMs, toMs) {
      const rows = await db
        .selectFrom(table)
        .select(['from_ms', 'data'])
        .where(column, '=', id)
        .where('resolution_ms', '=', resolutionMs)
        .where('to_ms', '>', fromMs)
        .where('from_ms', '<=', toMs)
        .orderBy('from_ms')
        .execute()
      return rows
        .flatMap((row) => decodeChunk(row.data, resolutionMs, row.from_ms))
        .filter(({ ts }) => ts > fromMs && ts <= toMs)
    },
    async forget(db, resolutionMs, beforeMs) {
      await db
        .deleteFrom(table)
        .where('resolution_ms', '=', resolutionMs)
        .where('to_ms', '<', beforeMs)
        .execute()
    },
  }
}
