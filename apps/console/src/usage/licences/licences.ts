// Licences of one customer, and those that each of its units has of them.
import { licences as calls } from '@backhaul/contract/api/licences'
import {
  amountOf,
  type HeldLicence,
  type Licence,
  type LicensedUnit,
  type UnitLicences,
} from '@backhaul/contract/nouns/licences'
import { call, type Fault } from '../../doors/api.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { createList } from '../../kit/lists.ts'

/** Its units, and what it holds. */
export const licensedUnits = createList(
  'licensedUnits',
  async (id: string) => {
    const { stock, units } = await call(calls.ofInventory, { params: { id } })
    return { items: units, stock }
  },
  ({ uid }) => uid,
)

export function saveLicences(
  id: string,
  before: LicensedUnit,
  request: UnitLicences,
): Promise<Fault | undefined> {
  const body = changedFields(before.licences, request)
  return licensedUnits.change(() => call(calls.assign, { params: { id, unit: before.uid }, body }))
}

export const removeLimit = (id: string, { uid: unit }: LicensedUnit): Promise<Fault | undefined> =>
  licensedUnits.change(() => call(calls.removeLimit, { params: { id, unit } }))

/** Amount of a licence that a unit may have: the free ones, and its own. */
export const withinReach = (unit: LicensedUnit, { licence, total, assigned }: HeldLicence): number =>
  Math.max(total - assigned, 0) + amountOf(unit.licences, licence)

/** Saves the differences one after the other; the first refusal ends it and is thrown. */
export async function saveStock(
  id: string,
  before: readonly HeldLicence[],
  request: Partial<Record<Licence, number>>,
): Promise<undefined> {
  for (const { licence, total: held } of before) {
    const total = request[licence] ?? held
    if (total !== held) await call(calls.setStock, { params: { id }, body: { licence, total } })
  }
}
