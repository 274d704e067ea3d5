// /services/unit_license_activation: which licences each unit of a customer has, and how many are left.
import { unitLicences } from '@backhaul/contract/nouns/gates'
import { type HeldLicence, Licence, type LicensedUnit, mayActivate } from '@backhaul/contract/nouns/licences'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import { GridEmpty } from '../../ui/grid/GridStates.tsx'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { LicenceDialog } from './LicenceDialog.tsx'
import styles from './licences.module.css'
import { licensedUnits } from './licences.ts'

/** Users without the permission see a notice and no call is made (RO-PERM-33). */
export function ActivationPage() {
  const { t } = useTranslation('licences')
  const who = useSignedIn()
  const may = who && mayActivate({ roles: who.configuration.loggedUserRoles, ODA: who.user.ODA })
  if (!may) return <GridEmpty {...t('noPermission', { returnObjects: true })} />
  return <Activation />
}

function Activation() {
  const { t } = useTranslation('licences')
  const { choice, inventory, ...list } = useCustomerList(licensedUnits)
  const [text, setText] = useState('')
  const [open, setOpen] = useState<string | null>(null)
  const unit = useItem(list.store, open)
  const held = list.answer?.stock ?? []
  const columns = useMemo(() => columnsOf(t), [t])
  const filter = useMemo(() => textFilter(text, searched), [text])
  return (
    <ListScreen
      {...list}
      gridId="unitLicences"
      search={{ label: t('search'), text, onText: setText }}
      actions={choice}
      notice={list.state === 'ready' ? <Stock held={held} /> : null}
      label={t('title')}
      columns={columns}
      defaultCompare={byName}
      filter={filter}
      onOpen={setOpen}
      rowMenu={(uid) => [{ id: 'edit', label: t('edit'), run: () => setOpen(uid) }]}
      empty={t('empty', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="licences"
    >
      {unit ? (
        <LicenceDialog
          key={unit.uid}
          unit={unit}
          inventory={inventory}
          held={held}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </ListScreen>
  )
}

/** Licences that the customer holds, and how much of each is given away. */
function Stock({ held }: { held: readonly HeldLicence[] }) {
  const { t } = useTranslation('licences')
  if (held.length === 0) return null
  return (
    <section aria-label={t('stock.label')}>
      <dl className={styles.licenceStock}>
        {held.map(({ licence, total, assigned }) => (
          <div key={licence} data-licence={licence} data-used-up={assigned >= total || undefined}>
            <dt>{t(`label.${licence}`)}</dt>
            <dd>{t('stock.assigned', { assigned, total })}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const byName = (a: LicensedUnit, b: LicensedUnit): number => compareTexts(a.name, b.name)

const searched = ({ name, type, serialNumber }: LicensedUnit) => [name, type, serialNumber]

function columnsOf(t: TFunction<'licences'>): readonly GridColumn<LicensedUnit>[] {
  const licenceColumn = (licence: Licence): GridColumn<LicensedUnit> => {
    const amount = ({ licences }: LicensedUnit) => Number(licences[licence])
    const title = t(`label.${licence}`)
    if (!(unitLicences as readonly string[]).includes(licence))
      return figureColumn(licence, title, 98, amount)
    return textColumn(licence, title, 98, (unit) => t(amount(unit) > 0 ? 'has' : 'hasNot'))
  }
  return [
    textColumn('name', t('columns.name'), 200, ({ name }) => name, { required: true }),
    textColumn('type', t('columns.type'), 100, ({ type }) => type),
    textColumn('serialNumber', t('columns.serialNumber'), 140, ({ serialNumber }) => serialNumber),
    textColumn('state', t('columns.state'), 106, ({ isLicensed }) =>
      t(isLicensed ? 'state.assigned' : 'state.open'),
    ),
    ...Licence.options.map(licenceColumn),
  ]
}
