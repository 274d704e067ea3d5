// The columns that lists of units and of servers have in common.
import type { AdministeredServer, AdministeredUnit } from '@backhaul/contract/nouns/device-administration'
import i18next, { type TFunction } from 'i18next'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { upgradeText } from '../upgrades/upgrades.ts'

type Kept = AdministeredServer | AdministeredUnit

const groupNames = ({ groups }: Kept) => groups.map(({ name }) => name).join(', ')

export const byName = (a: Kept, b: Kept): number => compareTexts(a.name, b.name) || compareTexts(a.uid, b.uid)

export const searched = (one: Kept) => [
  one.name,
  one.serialNumber,
  one.productType,
  one.inventoryName,
  one.comment,
  groupNames(one),
]

/** `own` are those of the kind, after what a device is and before whose it is. */
export function deviceColumns<T extends Kept>(
  t: TFunction<'deviceAdministration'>,
  own: readonly GridColumn<T>[],
): readonly GridColumn<T>[] {
  const title = (id: 'name' | 'serialNumber' | 'swVersion' | 'groups' | 'inventory' | 'comment' | 'since') =>
    t(`column.${id}`)
  const words = i18next.getFixedT(null, 'upgrades')
  return [
    textColumn('name', title('name'), 190, ({ name }) => name, { required: true }),
    ...own,
    textColumn('serialNumber', title('serialNumber'), 150, ({ serialNumber }) => serialNumber),
    textColumn('swVersion', title('swVersion'), 90, ({ swVersion }) => swVersion),
    textColumn('upgrade', words('column'), 200, ({ upgrade }) => upgradeText(words, upgrade)),
    textColumn('groups', title('groups'), 210, groupNames),
    textColumn('inventory', title('inventory'), 190, ({ inventoryName }) => inventoryName),
    textColumn('comment', title('comment'), 180, ({ comment }) => comment, { hiddenAtFirst: true }),
    timeColumn('registeredAt', title('since'), 180, ({ registeredAt }) => registeredAt, {
      hiddenAtFirst: true,
    }),
  ]
}
