import type { Alert } from '@backhaul/contract/nouns/alerts'
import type { Queries } from '../../database/schema.ts'

export async function insertAlert(db: Queries, alert: Alert): Promise<void> {
  await db
    .insertInto('alerts')
    .values({
      id: alert.id,
      unit_id: alert.uid,
      type: alert.type,
      severity: alert.severity,
      data: JSON.stringify({ value: alert.value }),
      raised_ms: alert.since,
      cleared_ms: null,
    })
    .execute()
}

export async function clearAlert(db: Queries, id: string, clearedMs: number): Promise<void> {
  await db.updateTable('alerts').set({ cleared_ms: clearedMs }).where('id', '=', id).execute()
}

/** Those that stood when core stopped; their names are those of the devices now. */
export async function standingAlerts(db: Queries): Promise<Omit<Alert, 'name'>[]> {
  const rows = await db.selectFrom('alerts').selectAll().where('cleared_ms', 'is', null).execute()
  return rows.map((row) => ({
    id: row.id,
    uid: row.unit_id,
    type: row.type as Alert['type'],
    severity: row.severity as Alert['severity'],
    since: row.raised_ms,
    value: (JSON.parse(row.data) as { value: number | null }).value,
  }))
}
