// /manage/usage_profiles: how much the units of each inventory may use in a month.
import type { UsageProfile } from '@backhaul/contract/nouns/usage-profiles'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedListScreen } from '../../kit/EditedListScreen.tsx'
import { inventoryName } from '../../people/inventory-names/inventory-names.ts'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { UsageProfileDialog } from './UsageProfileDialog.tsx'
import { limitText, profiles, removeProfile } from './usage-profiles.ts'

export function UsageProfilesPage() {
  const { t } = useTranslation('usageProfiles')
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <EditedListScreen
      list={profiles}
      gridId="usageProfiles"
      exportName="usage-profiles"
      words={t('list', { returnObjects: true })}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ id }) => id}
      form={(profile, more) => <UsageProfileDialog key={profile?.id} profile={profile} {...more} />}
      question={({ id, name }) => ({
        title: t('deleteTitle', { name }),
        text: t('deleteText'),
        run: () => removeProfile(id),
        done: { title: t('deleted'), text: name },
      })}
    />
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
