import { englishOfEvent, type UnitEvent, type UnitEventWhat } from '@backhaul/contract/nouns/unit-events'
import { insertMany } from '../../database/dialect.ts'
import type { Queries } from '../../database/schema.ts'

export interface NewUnitEvent extends Pick<UnitEvent, 'id' | 'ts' | 'kind' | 'severity'> {
  unitId: string
  what: UnitEventWhat
}

/** The stored form of an event; one of an earlier version has a text and no code. */
type StoredEvent = Pick<UnitEvent, 'severity'> & ({ what: UnitEventWhat } | { text: string })

export async function insertEvents(db: Queries, events: readonly NewUnitEvent[]): Promise<void> {
  const rows = events.map(({ id, unitId, ts, kind, severity, what }) => ({
    id,
    unit_id: unitId,
    at_ms: ts,
    kind,
    data: JSON.stringify({ severity, what } satisfies StoredEvent),
  }))
  await insertMany(db, 'unit_events', rows)
}

/** Both moments in ms; `since` is part of the page, `before` is not. */
export interface EventPage {
  limit: number
  since: number
  before?: number | undefined
}

export async function eventsOfUnit(
  db: Queries,
  unitId: string,
  { limit, since, before }: EventPage,
): Promise<UnitEvent[]> {
  const rows = await db
    .selectFrom('unit_events')
    .select(['id', 'at_ms', 'kind', 'data'])
    .where('unit_id', '=', unitId)
    .where('at_ms', '>=', since)
    .$if(before !== undefined, (query) => query.where('at_ms', '<', before as number))
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, at_ms, kind, data }) => ({
    id,
    ts: at_ms,
    kind: kind as UnitEvent['kind'],
    ...shownOf(JSON.parse(data) as StoredEvent),
  }))
}

const shownOf = (stored: StoredEvent) =>
  'what' in stored ? { ...stored, text: englishOfEvent(stored.what) } : stored

/** Deletes events older than the time, a batch at a time; answers how many. */
export async function forgetEvents(db: Queries, beforeMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('unit_events')
    .where('at_ms', '<', beforeMs)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
