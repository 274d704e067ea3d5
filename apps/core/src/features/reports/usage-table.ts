import type { UsageBy, UsageRow } from '@backhaul/contract/nouns/reports'
import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../../database/schema.ts'
import { larger, smaller } from '../../database/words.ts'

export interface SentData {
  transmissionId: string
  /** Where the quarter of an hour begins. */
  fromMs: number
  bytes: number
}

/** Adds to what is written; a transmission that is not there any more is passed over. */
export async function addSentData(db: Queries, sent: readonly SentData[]): Promise<void> {
  const rowsAtMost = 5000
  for (let start = 0; start < sent.length; start += rowsAtMost) {
    const rows = sent
      .slice(start, start + rowsAtMost)
      .map(
        ({ transmissionId, fromMs, bytes }) =>
          sql`(cast(${transmissionId} as text), cast(${fromMs} as bigint), cast(${bytes} as bigint))`,
      )
    await sql`with fresh(transmission_id, from_ms, bytes) as (values ${sql.join(rows)})
      insert into transmission_usage (transmission_id, from_ms, bytes)
      select fresh.transmission_id, fresh.from_ms, fresh.bytes from fresh
      where exists (select 1 from transmissions where transmissions.id = fresh.transmission_id)
      on conflict (transmission_id, from_ms)
      do update set bytes = transmission_usage.bytes + excluded.bytes`.execute(db)
  }
}

export interface Slot {
  fromMs: number
  toMs: number
}

/** What a report groups its rows by, and what each row is called. */
const keys: Readonly<Record<UsageBy, { id: RawBuilder<string | null>; name: RawBuilder<string | null> }>> = {
  unit: { id: sql`t.unit_id`, name: sql`devices.name` },
  channel: { id: sql`t.channel_id`, name: sql`channels.name` },
  user: { id: sql`t.started_by`, name: sql`users.first_name || ' ' || users.last_name` },
  day: { id: sql`cast(slots.at as text)`, name: sql`''` },
}

/**
 * What the transmissions of an inventory were in each slot; slots follow each other and do not overlap. Rows have the
 * number of the slot as their id when they stand for days.
 */
export async function usageIn(
  db: Queries,
  { inventoryId, by, slots, nowMs }: { inventoryId: string; by: UsageBy; slots: Slot[]; nowMs: number },
): Promise<UsageRow[]> {
  const values = slots.map(
    ({ fromMs, toMs }, at) =>
      sql`(cast(${at} as bigint), cast(${fromMs} as bigint), cast(${toMs} as bigint))`,
  )
  const now = sql<number>`cast(${nowMs} as bigint)`
  const end = smaller(db, sql`coalesce(t.stopped_ms, ${now})`, sql`slots.to_ms`)
  // Without a first picture there was nothing to watch: the difference is unknown, and counts as none.
  const streamed = larger(db, sql`0`, sql`${end} - ${larger(db, sql`t.live_ms`, sql`slots.from_ms`)}`)
  const { id, name } = keys[by]
  const { rows } = await sql<Record<keyof UsageRow, string | number | null>>`
    with slots(at, from_ms, to_ms) as (values ${sql.join(values)}),
    parts as (
      select ${id} as id, ${name} as name, t.stopped_ms,
        case when t.live_ms is null then 0 else ${streamed} end as streamed_ms,
        (select sum(u.bytes) from transmission_usage u where u.transmission_id = t.id
          and u.from_ms >= slots.from_ms and u.from_ms < slots.to_ms) as bytes
      from slots
      join transmissions t on t.inventory_id = ${inventoryId} and t.started_ms < slots.to_ms
        and t.started_ms < ${now} and (t.stopped_ms is null or t.stopped_ms > slots.from_ms)
      left join devices on devices.id = t.unit_id
      left join channels on channels.id = t.channel_id
      left join users on users.username = t.started_by
    )
    select id, max(name) as name, sum(streamed_ms) as "streamingMs", sum(bytes) as "dataBytes",
      count(*) as transmissions, sum(case when stopped_ms is null then 1 else 0 end) as running
    from parts group by id`.execute(db)
  return rows.map((row) => ({
    id: row.id === null ? null : String(row.id),
    name: String(row.name ?? ''),
    streamingMs: Number(row.streamingMs),
    dataBytes: row.dataBytes === null ? null : Number(row.dataBytes),
    transmissions: Number(row.transmissions),
    running: Number(row.running),
  }))
}
