import type { Alert } from '@backhaul/contract/nouns/alerts'
import type { Queries } from '../../database/schema.ts'

export async function insertAlert(db: Queries, alert: Alert, groups: readonly string[]): Promise<void> {
  await db
    .insertInto('alerts')
    .values({
      id: alert.id,
      unit_id: alert.uid,
      type: alert.type,
      severity: alert.severity,
      data: dataOf(alert, groups),
      raised_ms: alert.since,
      cleared_ms: null,
    })
    .execute()
}

export async function saveAlertGroups(db: Queries, alert: Alert, groups: readonly string[]): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ data: dataOf(alert, groups) })
    .where('id', '=', alert.id)
    .execute()
}

export async function clearAlert(db: Queries, id: string, clearedMs: number): Promise<void> {
  await db.updateTable('alerts').set({ cleared_ms: clearedMs }).where('id', '=', id).execute()
}

/** Those that stood when core stopped; their names are those of the devices now. */
export async function standingAlerts(db: Queries): Promise<KeptAlert[]> {
  const rows = await db.selectFrom('alerts').selectAll().where('cleared_ms', 'is', null).execute()
  return rows.map((row) => ({
    id: row.id,
    uid: row.unit_id,
    type: row.type as Alert['type'],
    severity: row.severity as Alert['severity'],
    since: row.raised_ms,
    ...(JSON.parse(row.data) as Data),
  }))
}

/** Alerts of earlier releases do not say in which groups they are shown. */
interface Data {
  value: number | null
  groups?: string[]
}

export type KeptAlert = Omit<Alert, 'name' | 'value'> & Data

const dataOf = ({ value }: Alert, groups: readonly string[]): string => JSON.stringify({ value, groups })
