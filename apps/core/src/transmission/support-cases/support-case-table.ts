import type { SupportCase } from '@backhaul/contract/nouns/support-cases'
import type { SupportCaseRow } from '../../database/access-schema.ts'
import type { Queries } from '../../database/schema.ts'

const newestAtMost = 50

export async function insertCase(db: Queries, row: SupportCaseRow): Promise<void> {
  await db.insertInto('support_cases').values(row).execute()
}

/** The cases that were opened while the unit belonged to this customer. */
export async function casesOfUnit(db: Queries, unitId: string, inventoryId: string): Promise<SupportCase[]> {
  const rows = await db
    .selectFrom('support_cases')
    .selectAll()
    .where('unit_id', '=', unitId)
    .where('inventory_id', '=', inventoryId)
    .orderBy('opened_ms', 'desc')
    .orderBy('id')
    .limit(newestAtMost)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    unit: row.unit_id,
    unitName: row.unit_name,
    description: row.description,
    by: row.opened_by,
    email: row.email,
    withLogs: row.with_logs === 1,
    openedAt: new Date(Number(row.opened_ms)).toISOString(),
  }))
}
