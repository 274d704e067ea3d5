import {
  amountOf,
  type HeldLicence,
  Licence,
  noLicences,
  type UnitLicences,
} from '@backhaul/contract/nouns/licences'
import { upsertMany } from '../../database/dialect.ts'
import type { Queries } from '../../database/schema.ts'

type Totals = Partial<Record<Licence, number>>

/** Makes sure that the row exists, reads it and locks it until the transaction ends. */
export async function holdTotals(db: Queries, inventoryId: string): Promise<Totals> {
  await db
    .insertInto('licence_stocks')
    .values({ inventory_id: inventoryId, totals: '{}' })
    .onConflict((conflict) => conflict.column('inventory_id').doNothing())
    .execute()
  const { totals } = await db
    .updateTable('licence_stocks')
    .set((eb) => ({ totals: eb.ref('totals') }))
    .where('inventory_id', '=', inventoryId)
    .returning('totals')
    .executeTakeFirstOrThrow()
  return JSON.parse(totals) as Totals
}

export async function saveTotals(db: Queries, inventoryId: string, totals: Totals): Promise<void> {
  await db
    .updateTable('licence_stocks')
    .set({ totals: JSON.stringify(totals) })
    .where('inventory_id', '=', inventoryId)
    .execute()
}

/** Every licence with the customer's stock and how many of it are assigned. */
export async function stockOf(db: Queries, inventoryId: string): Promise<HeldLicence[]> {
  const [kept, rows] = await Promise.all([
    db
      .selectFrom('licence_stocks')
      .select('totals')
      .where('inventory_id', '=', inventoryId)
      .executeTakeFirst(),
    db
      .selectFrom('unit_licences')
      .innerJoin('devices', 'devices.id', 'unit_licences.unit_id')
      .where('devices.inventory_id', '=', inventoryId)
      .groupBy('licence')
      .select((eb) => ['licence', eb.fn.sum<number | string>('amount').as('assigned')])
      .execute(),
  ])
  const totals = kept ? (JSON.parse(kept.totals) as Totals) : {}
  const assigned = new Map(rows.map((row) => [row.licence, Number(row.assigned)]))
  return Licence.options.map((licence) => ({
    licence,
    total: totals[licence] ?? 0,
    assigned: assigned.get(licence) ?? 0,
  }))
}

/** The licences by unit; a unit without an entry never had any. */
export async function licencesOf(db: Queries, inventoryId: string): Promise<Map<string, UnitLicences>> {
  const rows = await db
    .selectFrom('unit_licences')
    .innerJoin('devices', 'devices.id', 'unit_licences.unit_id')
    .where('devices.inventory_id', '=', inventoryId)
    .select(['unit_id', 'licence', 'amount'])
    .execute()
  const found = new Map<string, UnitLicences>()
  for (const { unit_id, licence, amount } of rows) {
    const known = found.get(unit_id) ?? { ...noLicences }
    const name = Licence.parse(licence)
    found.set(unit_id, { ...known, [name]: name.endsWith('Hours') ? amount : amount > 0 })
  }
  return found
}

export async function saveLicences(db: Queries, unitId: string, licences: UnitLicences): Promise<void> {
  await upsertMany(
    db,
    'unit_licences',
    ['unit_id', 'licence'],
    Licence.options.map((licence) => ({ unit_id: unitId, licence, amount: amountOf(licences, licence) })),
  )
}

export async function deleteLicences(db: Queries, unitId: string): Promise<void> {
  await db.deleteFrom('unit_licences').where('unit_id', '=', unitId).execute()
}
