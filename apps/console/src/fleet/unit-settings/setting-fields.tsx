// The fields of the configuration: one setting each, with its fault and the reason why it is closed.
import type { SettingName, UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { type InputWrapperProps, NativeSelect, NumberInput, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { disabledBecause } from '../../ui/disabled-reason.ts'

export interface SettingForm {
  settings: UnitSettings
  set(changes: UnitSettings): void
  /** The faults by the dotted name of core. */
  fault(field: string): string | undefined
  whyClosed(name: SettingName): string | undefined
}

/** Settings whose values are of this type. */
type NameOf<Value> = {
  [N in SettingName]: NonNullable<UnitSettings[N]> extends Value ? N : never
}[SettingName]

/** Fields in a row keep their inputs on one line, whichever of them has a hint. */
const hintBelow: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error']

interface FieldProps<Name extends SettingName> {
  form: SettingForm
  name: Name
  hint?: string | undefined
}

interface ChoiceProps extends FieldProps<NameOf<string | number>> {
  /** Values of the setting; core checks their meaning. */
  choices: readonly { value: string | number; label: string; disabled?: boolean }[]
}

export function Choice({ form, name, hint, choices }: ChoiceProps) {
  const { t } = useTranslation('unitSettings')
  const value = form.settings[name]
  return (
    <NativeSelect
      label={t(`setting.${name}`)}
      description={hint}
      inputWrapperOrder={hintBelow}
      error={form.fault(name)}
      {...disabledBecause(form.whyClosed(name))}
      data={[
        ...(value === undefined ? [{ value: '', label: '—' }] : []),
        ...choices.map((choice) => ({ ...choice, value: String(choice.value) })),
      ]}
      value={String(value ?? '')}
      onChange={({ currentTarget }) => {
        const chosen = choices.find((choice) => String(choice.value) === currentTarget.value)
        if (chosen) form.set({ [name]: chosen.value } as UnitSettings)
      }}
    />
  )
}

export function Toggle({ form, name, hint }: FieldProps<NameOf<boolean>>) {
  const { t } = useTranslation('unitSettings')
  return (
    <Switch
      label={t(`setting.${name}`)}
      description={hint}
      error={form.fault(name)}
      {...disabledBecause(form.whyClosed(name))}
      checked={form.settings[name] ?? false}
      onChange={({ currentTarget }) => form.set({ [name]: currentTarget.checked })}
    />
  )
}

export function Limit({ form, name, hint }: FieldProps<NameOf<number>>) {
  const { t } = useTranslation('unitSettings')
  return (
    <NumberInput
      label={t(`setting.${name}`)}
      description={hint}
      inputWrapperOrder={hintBelow}
      error={form.fault(name)}
      {...disabledBecause(form.whyClosed(name))}
      suffix=" kbps"
      min={0}
      step={500}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      value={form.settings[name] ?? ''}
      onChange={(value) => form.set({ [name]: Number(value) })}
    />
  )
}
