// /manage/usage_profiles: how much the units of each inventory may use in a month.
import type { UsageProfile } from '@backhaul/contract/nouns/usage-profiles'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../ui/AddButton.tsx'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { inventoryName } from '../inventory-names/inventory-names.ts'
import { ConfirmDialog } from '../lists/ConfirmDialog.tsx'
import { useWholeList } from '../lists/lists.ts'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { UsageProfileDialog } from './UsageProfileDialog.tsx'
import { limitText, profiles, removeProfile } from './usage-profiles.ts'

export function UsageProfilesPage() {
  const { t } = useTranslation('usageProfiles')
  const list = useWholeList(profiles)
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => textFilter(text, searched), [text])
  const addButton = <AddButton label={t('add')} onClick={add} />
  return (
    <ListScreen
      {...list}
      gridId="usageProfiles"
      search={{ label: t('search'), text, onText: setText }}
      actions={addButton}
      label={t('title')}
      columns={columns}
      defaultCompare={byName}
      filter={matches}
      onOpen={(id) => open('edit', id)}
      rowMenu={(id) => [
        { id: 'edit', label: t('edit'), run: () => open('edit', id) },
        { id: 'delete', label: t('delete'), run: () => open('delete', id) },
      ]}
      empty={{ ...t('empty', { returnObjects: true }), action: addButton }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="usage-profiles"
    >
      {over?.kind === 'edit' ? (
        <UsageProfileDialog
          key={over.item?.id}
          profile={over.item}
          onDelete={() => open('delete', over.item?.id ?? '')}
          onClose={close}
        />
      ) : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('deleteTitle', { name: over.item.name })}
          text={t('deleteText')}
          okLabel={t('delete')}
          run={() => removeProfile(over.item.id)}
          done={{ title: t('deleted'), text: over.item.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byName = (a: UsageProfile, b: UsageProfile): number =>
  compareTexts(inventoryName(a.inventoryId), inventoryName(b.inventoryId)) || compareTexts(a.name, b.name)

const searched = ({ name, inventoryId }: UsageProfile) => [name, inventoryName(inventoryId)]

function columnsOf(t: TFunction<'usageProfiles'>): readonly GridColumn<UsageProfile>[] {
  return [
    textColumn('name', t('column.name'), 260, ({ name }) => name, { required: true }),
    textColumn('inventory', t('column.inventory'), 220, ({ inventoryId }) => inventoryName(inventoryId)),
    textColumn('type', t('column.type'), 110, ({ type }) => t(`type.${type}`)),
    figureColumn('monthlyLimit', t('column.monthlyLimit'), 150, (one) => one.monthlyLimit, {
      text: limitText,
    }),
    figureColumn('resetDay', t('column.resetDay'), 110, ({ resetDay }) => resetDay),
    figureColumn('units', t('column.units'), 90, ({ units }) => units.length),
    textColumn('isDefault', t('column.isDefault'), 110, ({ isDefault }) => t(isDefault ? 'yes' : 'no')),
  ]
}
