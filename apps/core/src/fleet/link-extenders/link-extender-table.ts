import type { Queries } from '../../database/schema.ts'
import type { LinkExtenderRow } from '../../database/unit-schema.ts'

/** The link extenders of a unit in the order in which they were paired. */
export const extendersOf = async (db: Queries, unitId: string): Promise<LinkExtenderRow[]> =>
  await db
    .selectFrom('link_extenders')
    .selectAll()
    .where('unit_id', '=', unitId)
    .orderBy('paired_ms')
    .orderBy('serial_number')
    .execute()

export async function insertExtender(db: Queries, row: LinkExtenderRow): Promise<void> {
  await db.insertInto('link_extenders').values(row).execute()
}

/** Answers how many were removed. */
export async function removeExtenders(db: Queries, unitId: string, serialNumber?: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('link_extenders')
    .where('unit_id', '=', unitId)
    .$if(serialNumber !== undefined, (query) => query.where('serial_number', '=', serialNumber ?? ''))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
