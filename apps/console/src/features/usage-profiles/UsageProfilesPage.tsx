// /manage/usage_profiles: how much the units of each inventory may use in a month.
import type { UsageProfile } from '@backhaul/contract/nouns/usage-profiles'
import { IconPlus } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { useValue } from '../../ui/value.ts'
import { inventoryName } from '../inventory-names/inventory-names.ts'
import { ConfirmDialog } from '../lists/ConfirmDialog.tsx'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { UsageProfileDialog } from './UsageProfileDialog.tsx'
import { limitText, profiles, removeProfile } from './usage-profiles.ts'

/** What stands over the list: a profile to edit or a new one, or the question whether to delete one. */
type Dialog =
  | { kind: 'edit'; profile: UsageProfile | null }
  | { kind: 'delete'; profile: UsageProfile }
  | null

export function UsageProfilesPage() {
  const { t } = useTranslation('usageProfiles')
  const { state, text: fault } = useValue(profiles.state)
  const [text, setText] = useState('')
  const [dialog, setDialog] = useState<Dialog>(null)
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => matcher(text), [text])
  useEffect(() => void profiles.load(), [])
  const withProfile = (kind: 'edit' | 'delete') => (id: string) => {
    const profile = profiles.store.get(id)
    if (profile) setDialog({ kind, profile })
  }
  const [edit, remove] = [withProfile('edit'), withProfile('delete')]
  const close = () => setDialog(null)
  const add = (
    <button
      type="button"
      className="plain-button tool-button"
      onClick={() => setDialog({ kind: 'edit', profile: null })}
    >
      <IconPlus size={16} aria-hidden />
      <span>{t('add')}</span>
    </button>
  )
  return (
    <ListScreen
      gridId="usageProfiles"
      search={{ label: t('search'), text, onText: setText }}
      actions={add}
      label={t('title')}
      store={profiles.store}
      columns={columns}
      defaultCompare={byName}
      filter={matches}
      onOpen={edit}
      rowMenu={(id) => [
        { id: 'edit', label: t('edit'), run: () => edit(id) },
        { id: 'delete', label: t('delete'), run: () => remove(id) },
      ]}
      state={state}
      errorText={fault}
      onRetry={() => void profiles.load()}
      empty={{ ...t('empty', { returnObjects: true }), action: add }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="usage-profiles"
    >
      {dialog?.kind === 'edit' ? (
        <UsageProfileDialog
          key={dialog.profile?.id ?? 'new'}
          profile={dialog.profile}
          onDelete={(profile) => setDialog({ kind: 'delete', profile })}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('deleteTitle', { name: dialog.profile.name })}
          text={t('deleteText')}
          okLabel={t('delete')}
          run={() => removeProfile(dialog.profile.id)}
          done={{ title: t('deleted'), text: dialog.profile.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byName = (a: UsageProfile, b: UsageProfile): number =>
  compareTexts(inventoryName(a.inventoryId), inventoryName(b.inventoryId)) || compareTexts(a.name, b.name)

const matcher = (text: string) => {
  const wanted = text.trim().toLowerCase()
  return ({ name, inventoryId }: UsageProfile) =>
    `${name}\n${inventoryName(inventoryId)}`.toLowerCase().includes(wanted)
}

function columnsOf(t: TFunction<'usageProfiles'>): readonly GridColumn<UsageProfile>[] {
  type Words = 'name' | 'inventory' | 'type' | 'isDefault'
  const words = (
    id: Words,
    width: number,
    text: (profile: UsageProfile) => string,
  ): GridColumn<UsageProfile> => ({
    id,
    title: t(`column.${id}`),
    width,
    render: text,
    text,
    compare: (a, b) => compareTexts(text(a), text(b)),
  })
  const figure = (
    id: 'monthlyLimit' | 'resetDay' | 'units',
    width: number,
    value: (profile: UsageProfile) => number,
    text = (profile: UsageProfile) => String(value(profile)),
  ): GridColumn<UsageProfile> => ({
    id,
    title: t(`column.${id}`),
    width,
    align: 'end',
    render: text,
    text,
    compare: (a, b) => value(a) - value(b),
  })
  return [
    { ...words('name', 260, ({ name }) => name), required: true },
    words('inventory', 220, ({ inventoryId }) => inventoryName(inventoryId)),
    words('type', 110, ({ type }) => t(`type.${type}`)),
    figure('monthlyLimit', 150, ({ monthlyLimit }) => monthlyLimit, limitText),
    figure('resetDay', 110, ({ resetDay }) => resetDay),
    figure('units', 90, ({ units }) => units.length),
    words('isDefault', 110, ({ isDefault }) => t(isDefault ? 'yes' : 'no')),
  ]
}
