import { PREFIX_MAX } from '@backhaul/contract/nouns/names'
import type { Unit } from '@backhaul/contract/nouns/units'
import { workingModesOf } from '@backhaul/contract/nouns/working-modes'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { PairingPart } from './PairingPart.tsx'
import { PowerPart } from './PowerPart.tsx'
import { Choice, type SettingForm, Toggle } from './setting-fields.tsx'

const switches = ['ntp', 'ancillaryData', 'liveuIq'] as const

export function AdvancedTab({ form, unit }: { form: SettingForm; unit: Unit }) {
  const { t } = useTranslation('unitSettings')
  return (
    <>
      <Choice
        form={form}
        name="workingMode"
        hint={t('hint.workingMode')}
        choices={workingModesOf(unit).map((mode) => ({ value: mode, label: t(`workingModes.${mode}`) }))}
      />
      <TextInput
        label={t('setting.filenamePrefix')}
        description={t('hint.filenamePrefix', { most: PREFIX_MAX })}
        error={form.fault('filenamePrefix')}
        {...disabledBecause(form.whyClosed('filenamePrefix'))}
        value={form.settings.filenamePrefix ?? ''}
        onChange={({ currentTarget }) => form.set({ filenamePrefix: currentTarget.value })}
      />
      {switches.map((name) => (
        <Toggle key={name} form={form} name={name} hint={t(`hint.${name}`)} />
      ))}
      <PairingPart uid={unit.uid} />
      <PowerPart unit={unit} />
    </>
  )
}
