// A usage profile in parts: its rules, and the units that it holds for.
import {
  NewUsageProfile,
  resetDays,
  type UsageProfile,
  UsageType,
} from '@backhaul/contract/nouns/usage-profiles'
import { NativeSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { MemberPicker } from '../../people/groups/MemberPicker.tsx'
import { inventoryChoices, likelyInventory } from '../../people/inventory-names/inventory-names.ts'
import { useValue } from '../../ui/value.ts'
import { saveProfile } from './usage-profiles.ts'

interface UsageProfileDialogProps {
  /** null: a new one. */
  profile: UsageProfile | null
  onDelete: () => void
  onClose: () => void
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

export function UsageProfileDialog({ profile, onDelete, onClose }: UsageProfileDialogProps) {
  const { t } = useTranslation('usageProfiles')
  const record = useRecordForm({
    start: () => formOf(profile),
    schema: NewUsageProfile,
    requestOf: (form) => Object.fromEntries(Object.entries(form).filter(([, value]) => value !== '')),
    title: t('incomplete'),
    save: (request) => saveProfile(profile, request),
  })
  const { values: form, set, faults } = record

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
          fields: <Rules form={form} onForm={set} isNew={profile === null} faults={faults} />,
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
      onDelete={profile ? onDelete : undefined}
      onClose={onClose}
    />
  )
}

interface RulesProps {
  form: Form
  onForm: (changes: Partial<Form>) => void
  isNew: boolean
  faults: Readonly<Record<string, string>>
}

function Rules({ form, onForm, isNew, faults }: RulesProps) {
  const { t } = useTranslation('usageProfiles')
  const inventories = useValue(inventoryChoices)
  return (
    <>
      <TextInput
        label={t('column.name')}
        value={form.name}
        error={faults.name}
        required
        data-autofocus
        onChange={(event) => onForm({ name: event.currentTarget.value })}
      />
      <Select
        label={t('column.inventory')}
        data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
        value={form.inventory}
        error={faults.inventory}
        allowDeselect={false}
        searchable
        disabled={!isNew}
        onChange={(inventory) => onForm({ inventory: inventory ?? '', units: [] })}
      />
      <NativeSelect
        label={t('column.type')}
        data={UsageType.options.map((value) => ({ value, label: t(`type.${value}`) }))}
        value={form.type}
        error={faults.type}
        onChange={(event) => onForm({ type: UsageType.parse(event.currentTarget.value) })}
      />
      <NumberInput
        label={t(form.type === 'data' ? 'monthlyMegabytes' : 'monthlyHours')}
        value={form.monthlyLimit}
        error={faults.monthlyLimit}
        required
        min={1}
        allowDecimal={false}
        thousandSeparator=","
        onChange={(monthlyLimit) => onForm({ monthlyLimit })}
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
        onChange={(resetDay) => onForm({ resetDay })}
      />
      <Switch
        label={t('default')}
        description={faults.isDefault ?? t('defaultHint')}
        checked={form.isDefault}
        onChange={(event) => onForm({ isDefault: event.currentTarget.checked })}
      />
    </>
  )
}
