// A usage profile in parts: its rules, and the units that it holds for.
import {
  NewUsageProfile,
  resetDays,
  type UsageProfile,
  UsageType,
} from '@backhaul/contract/nouns/usage-profiles'
import { NativeSelect, NumberInput, Select, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { MemberPicker } from '../../people/groups/MemberPicker.tsx'
import { inventoryChoices, likelyInventory } from '../../people/inventory-names/inventory-names.ts'
import { useValue } from '../../ui/value.ts'
import { saveProfile } from './usage-profiles.ts'

interface UsageProfileDialogProps extends ItemEnds {
  /** null: a new one. */
  profile: UsageProfile | null
}

/** As typed: a figure is text while its field is empty. */
type Form = Omit<NewUsageProfile, 'monthlyLimit' | 'resetDay'> & {
  monthlyLimit: number | string
  resetDay: number | string
}

function formOf(profile: UsageProfile | null): Form {
  if (!profile) {
    return {
      inventory: likelyInventory(),
      name: '',
      type: 'data',
      monthlyLimit: '',
      resetDay: 1,
      isDefault: false,
      units: [],
    }
  }
  const { id: _, inventoryId, ...fields } = profile
  return { inventory: inventoryId, ...fields }
}

export function UsageProfileDialog({ profile, ...ends }: UsageProfileDialogProps) {
  const { t } = useTranslation('usageProfiles')
  const record = useRecordForm({
    start: () => formOf(profile),
    schema: NewUsageProfile,
    requestOf: (form) => Object.fromEntries(Object.entries(form).filter(([, value]) => value !== '')),
    title: t('incomplete'),
    save: (request) => saveProfile(profile, request),
  })
  const { values: form, set } = record

  return (
    <TabbedRecord
      title={profile ? t('editTitle', { name: profile.name }) : t('addTitle')}
      size={680}
      height={470}
      label={t('tabs.label')}
      record={record}
      done={(saved) => ({ title: t('saved'), text: saved.name })}
      tabs={[
        {
          id: 'rules',
          label: t('tabs.rules'),
          fields: <Rules record={record} isNew={profile === null} />,
        },
        {
          id: 'units',
          label: t('column.units'),
          count: form.units.length,
          fields: (
            <MemberPicker
              kind="unit"
              inventoryId={form.inventory}
              label={t('column.units')}
              chosen={form.units}
              readOnly={false}
              onChosen={(units) => set({ units })}
            />
          ),
        },
      ]}
      {...ends}
    />
  )
}

function Rules({ record, isNew }: { record: FieldsOf<Form>; isNew: boolean }) {
  const { values: form, set, faults } = record
  const { t } = useTranslation('usageProfiles')
  const inventories = useValue(inventoryChoices)
  return (
    <>
      <TextField record={record} name="name" label={t('column.name')} required data-autofocus />
      <Select
        label={t('column.inventory')}
        data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
        value={form.inventory}
        error={faults.inventory}
        allowDeselect={false}
        searchable
        disabled={!isNew}
        onChange={(inventory) => set({ inventory: inventory ?? '', units: [] })}
      />
      <NativeSelect
        label={t('column.type')}
        data={UsageType.options.map((value) => ({ value, label: t(`type.${value}`) }))}
        value={form.type}
        error={faults.type}
        onChange={(event) => set({ type: UsageType.parse(event.currentTarget.value) })}
      />
      <NumberInput
        label={t(form.type === 'data' ? 'monthlyMegabytes' : 'monthlyHours')}
        value={form.monthlyLimit}
        error={faults.monthlyLimit}
        required
        min={1}
        allowDecimal={false}
        thousandSeparator=","
        onChange={(monthlyLimit) => set({ monthlyLimit })}
      />
      <NumberInput
        label={t('column.resetDay')}
        description={t('resetHint')}
        value={form.resetDay}
        error={faults.resetDay}
        required
        min={resetDays.first}
        max={resetDays.last}
        clampBehavior="none"
        allowDecimal={false}
        onChange={(resetDay) => set({ resetDay })}
      />
      <Switch
        label={t('default')}
        description={faults.isDefault ?? t('defaultHint')}
        checked={form.isDefault}
        onChange={(event) => set({ isDefault: event.currentTarget.checked })}
      />
    </>
  )
}
