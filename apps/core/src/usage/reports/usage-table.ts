import type { UsageRow } from '@backhaul/contract/nouns/reports'
import { type RawBuilder, sql } from 'kysely'
import { larger, smaller } from '../../database/dialect.ts'
import type { Queries } from '../../database/schema.ts'
import type { Run, Slice } from './day-rows.ts'
import type { ExtraUsage } from './extra-usage.ts'

export interface SentData {
  transmissionId: string
  /** The beginning of the quarter of an hour. */
  fromMs: number
  bytes: number
}

/** Adds to the stored figures; a transmission that no longer exists is ignored. */
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

interface Period {
  inventoryId: string
  fromMs: number
  toMs: number
  nowMs: number
}

/** Transmissions of the inventory in the period, whole or in part. */
const ranIn = ({ inventoryId, fromMs, toMs, nowMs }: Period) =>
  sql`t.inventory_id = ${inventoryId} and t.started_ms < ${Math.min(toMs, nowMs)}
    and (t.stopped_ms is null or t.stopped_ms > ${fromMs})`

/** The keys that a report groups its rows by, and the name of each row. */
const keys = {
  // The name that a unit has at another customer is not shown.
  unit: {
    id: sql`t.unit_id`,
    name: sql`case when devices.inventory_id = t.inventory_id then devices.name end`,
  },
  channel: { id: sql`t.channel_id`, name: sql`channels.name` },
  user: { id: sql`t.started_by`, name: sql`users.first_name || ' ' || users.last_name` },
}

type Ran = 'transmissions' | 'video_returns'

const moments = ({ fromMs, toMs, nowMs }: Period) =>
  [fromMs, toMs, nowMs].map((ms) => sql<number>`cast(${ms} as bigint)`) as [
    RawBuilder<number>,
    RawBuilder<number>,
    RawBuilder<number>,
  ]

/** The time with a picture within the period; without a first one there was nothing to view. */
function seenMs(db: Queries, period: Period): RawBuilder<number> {
  const [fromMs, toMs, now] = moments(period)
  const end = smaller(db, sql`coalesce(t.stopped_ms, ${now})`, toMs)
  const seen = larger(db, sql`0`, sql`${end} - ${larger(db, sql`t.live_ms`, fromMs)}`)
  return sql`case when t.live_ms is null then 0 else ${seen} end`
}

/** The columns by which rows are grouped; each row names a unit, a channel and a user. */
const named = (table: Ran | 'unit_uploads') => sql`${sql.table(table)} t
  left join devices on devices.id = t.unit_id
  left join channels on channels.id = t.channel_id
  left join users on users.username = t.started_by`

const source = (table: Ran, period: Period) => sql`${named(table)} where ${ranIn(period)}`

/** Files that arrived completely in the period. */
const arrivedIn = ({ inventoryId, fromMs, toMs }: Period) =>
  sql`t.inventory_id = ${inventoryId} and t.state = 'success'
    and t.ended_ms >= ${fromMs} and t.ended_ms < ${toMs}`

export async function usageBy(db: Queries, by: keyof typeof keys, period: Period): Promise<UsageRow[]> {
  const [fromMs, toMs] = moments(period)
  const { id, name } = keys[by]
  const { rows } = await sql<Record<keyof UsageRow, string | number | null>>`
    with parts as (
      select ${id} as id, ${name} as name, t.stopped_ms, ${seenMs(db, period)} as streamed_ms,
        (select sum(u.bytes) from transmission_usage u where u.transmission_id = t.id
          and u.from_ms >= ${fromMs} and u.from_ms < ${toMs}) as bytes
      from ${source('transmissions', period)}
    )
    select id, max(name) as name, sum(streamed_ms) as "streamingMs", sum(bytes) as "dataBytes",
      count(*) as transmissions, sum(case when stopped_ms is null then 1 else 0 end) as running
    from parts group by id`.execute(db)
  return rows.map((row) => ({
    id: row.id === null ? null : String(row.id),
    name: String(row.name ?? ''),
    streamingMs: Number(row.streamingMs),
    dataBytes: row.dataBytes === null ? null : Number(row.dataBytes),
    videoReturnMs: 0,
    storeAndForwardFiles: 0,
    transmissions: Number(row.transmissions),
    running: Number(row.running),
  }))
}

export async function returnedBy(db: Queries, by: keyof typeof keys, period: Period): Promise<ExtraUsage[]> {
  const { id, name } = keys[by]
  const { rows } = await sql<Record<'id' | 'name' | 'videoReturnMs', string | number | null>>`
    with parts as (
      select ${id} as id, ${name} as name, ${seenMs(db, period)} as seen_ms
      from ${source('video_returns', period)}
    )
    select id, max(name) as name, sum(seen_ms) as "videoReturnMs" from parts group by id`.execute(db)
  return rows.map((row) => ({
    id: row.id === null ? null : String(row.id),
    name: String(row.name ?? ''),
    videoReturnMs: Number(row.videoReturnMs),
  }))
}

export async function filesBy(db: Queries, by: keyof typeof keys, period: Period): Promise<ExtraUsage[]> {
  const { id, name } = keys[by]
  const { rows } = await sql<Record<'id' | 'name' | 'files', string | number | null>>`
    with parts as (select ${id} as id, ${name} as name from ${named('unit_uploads')} where ${arrivedIn(period)})
    select id, max(name) as name, count(*) as files from parts group by id`.execute(db)
  return rows.map((row) => ({
    id: row.id === null ? null : String(row.id),
    name: String(row.name ?? ''),
    storeAndForwardFiles: Number(row.files),
  }))
}

/** The time of arrival of each file. */
export async function filesIn(db: Queries, period: Period): Promise<number[]> {
  const { rows } = await sql<{ ms: string | number }>`
    select t.ended_ms as ms from unit_uploads t where ${arrivedIn(period)}`.execute(db)
  return rows.map(({ ms }) => Number(ms))
}

export async function runsIn(db: Queries, period: Period, table: Ran = 'transmissions'): Promise<Run[]> {
  const { rows } = await sql<Run>`
    select t.started_ms as "startedMs", t.live_ms as "liveMs", t.stopped_ms as "stoppedMs"
    from ${sql.table(table)} t where ${ranIn(period)}`.execute(db)
  return rows
}

/** The data sent by all transmissions of the inventory, by quarters of an hour. */
export async function slicesIn(db: Queries, period: Period): Promise<Slice[]> {
  const { rows } = await sql<Record<keyof Slice, string | number>>`
    select u.from_ms as "fromMs", sum(u.bytes) as bytes
    from transmissions t join transmission_usage u on u.transmission_id = t.id
      and u.from_ms >= ${period.fromMs} and u.from_ms < ${period.toMs}
    where ${ranIn(period)} group by u.from_ms`.execute(db)
  return rows.map(({ fromMs, bytes }) => ({ fromMs: Number(fromMs), bytes: Number(bytes) }))
}
