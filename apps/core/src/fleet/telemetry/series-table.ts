import { upsertMany } from '../../database/dialect.ts'
import type { Queries, SeriesChunkRow } from '../../database/schema.ts'
import { type Chunk, decodeChunk, type Figures } from './chunk.ts'

/** Writes the chunks as they are now; one that was written before is replaced by its longer self. */
export async function saveChunks(
  db: Queries,
  chunks: readonly { id: string; chunk: Chunk }[],
): Promise<void> {
  const rows: SeriesChunkRow[] = chunks.map(({ id, chunk }) => ({
    unit_id: id,
    resolution_ms: chunk.resolutionMs,
    from_ms: chunk.fromMs,
    to_ms: chunk.toMs,
    data: chunk.encode(),
  }))
  await upsertMany(db, 'series_chunks', ['unit_id', 'resolution_ms', 'from_ms'], rows)
}

export async function readFigures(
  db: Queries,
  unitId: string,
  resolutionMs: number,
  fromMs: number,
  toMs: number,
): Promise<Figures[]> {
  const rows = await db
    .selectFrom('series_chunks')
    .selectAll()
    .where('unit_id', '=', unitId)
    .where('resolution_ms', '=', resolutionMs)
    .where('to_ms', '>', fromMs)
    .where('from_ms', '<=', toMs)
    .orderBy('from_ms')
    .execute()
  return rows
    .flatMap((row) => decodeChunk(row.data, resolutionMs, row.from_ms))
    .filter(({ ts }) => ts > fromMs && ts <= toMs)
}

export async function forgetChunks(db: Queries, resolutionMs: number, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('series_chunks')
    .where('resolution_ms', '=', resolutionMs)
    .where('to_ms', '<', beforeMs)
    .execute()
}
