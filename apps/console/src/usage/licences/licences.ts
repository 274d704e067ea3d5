// Licences of one customer: what it holds, and what each of its units has of it.
import { licences as calls } from '@backhaul/contract/api/licences'
import {
  amountOf,
  type HeldLicence,
  Licence,
  type LicenceChange,
  type LicensedUnit,
  type UnitLicences,
} from '@backhaul/contract/nouns/licences'
import { call, type Fault } from '../../doors/api.ts'
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

/** Only what was changed is sent, so that two administrators do not undo each other's work unseen. */
export function saveLicences(
  id: string,
  before: LicensedUnit,
  request: UnitLicences,
): Promise<Fault | undefined> {
  const changed = Licence.options.filter((licence) => request[licence] !== before.licences[licence])
  const body: LicenceChange = Object.fromEntries(changed.map((licence) => [licence, request[licence]]))
  return licensedUnits.change(() => call(calls.assign, { params: { id, unit: before.uid }, body }))
}

export const removeLimit = (id: string, { uid: unit }: LicensedUnit): Promise<Fault | undefined> =>
  licensedUnits.change(() => call(calls.removeLimit, { params: { id, unit } }))

/** How much of a licence a unit may have: what is free, and what it has itself. */
export const withinReach = (unit: LicensedUnit, { licence, total, assigned }: HeldLicence): number =>
  Math.max(total - assigned, 0) + amountOf(unit.licences, licence)

/** Those that differ, one after the other; the first refusal ends it and is thrown. */
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
