import type { Alert } from '@backhaul/contract/nouns/alerts'
import type { Queries } from '../../database/schema.ts'
import type { Shown } from './group-alerts.ts'

export async function insertAlert(db: Queries, shown: Shown): Promise<void> {
  const { alert } = shown
  await db
    .insertInto('alerts')
    .values({
      id: alert.id,
      unit_id: alert.uid,
      type: alert.type,
      severity: alert.severity,
      data: dataOf(shown),
      raised_ms: alert.since,
      cleared_ms: null,
    })
    .execute()
}

/** Updates an alert that is still active: its readers, its subject and its cause. */
export async function updateAlert(db: Queries, shown: Shown): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ data: dataOf(shown) })
    .where('id', '=', shown.alert.id)
    .execute()
}

export async function clearAlert(db: Queries, id: string, clearedMs: number): Promise<void> {
  await db.updateTable('alerts').set({ cleared_ms: clearedMs }).where('id', '=', id).execute()
}

/** Those that were active when core stopped, with the present names of the devices. */
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

/** Alerts of earlier releases have no list of groups. */
interface Data extends Pick<Alert, 'value' | 'about' | 'reason' | 'cause'> {
  groups?: string[]
  usualKbps?: number
}

export type KeptAlert = Omit<Alert, 'name'> & Data

const dataOf = ({ alert: { value, about, reason, cause }, groups, usualKbps }: Shown): string =>
  JSON.stringify({ value, about, reason, cause, groups, usualKbps })
