import { type Capping, cappingOptions, linkModes } from '@backhaul/contract/nouns/unit-settings'
import { NativeSelect, NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { closedBy } from '../../ui/closed.ts'
import { decimal } from '../../ui/locale.ts'
import { Choice, Limit, type SettingForm } from './setting-fields.tsx'

const limits = ['totalLimitKbps', 'cellularLimitKbps', 'cameraLimitKbps'] as const
const cappings = ['totalCapping', 'cellularCapping'] as const

/** What the unit may send: limits of its own, and cappings of the network; the lower one counts. */
export function NetworkTab({ form }: { form: SettingForm }) {
  const { t } = useTranslation('unitSettings')
  return (
    <>
      <Choice
        form={form}
        name="linkMode"
        choices={linkModes.map((value) => ({ value, label: t(`linkModes.${value}`) }))}
      />
      <p className="quiet">{t('hint.limits')}</p>
      <div className="setting-pair">
        {limits.map((name) => (
          <Limit key={name} form={form} name={name} />
        ))}
      </div>
      {cappings.map((name) => (
        <CappingField key={name} form={form} name={name} />
      ))}
    </>
  )
}

function CappingField({ form, name }: { form: SettingForm; name: (typeof cappings)[number] }) {
  const { t } = useTranslation('unitSettings')
  const capping: Capping = form.settings[name] ?? { option: 'disabled', customMbps: null }
  const closed = closedBy(form.whyClosed(name))
  const set = (next: Capping) => form.set({ [name]: next })
  return (
    <div className="setting-pair">
      <NativeSelect
        label={t(`setting.${name}`)}
        error={form.fault(name)}
        {...closed}
        data={cappingOptions.map((option) => ({
          value: String(option),
          label: typeof option === 'number' ? `${decimal(option, 1)} Mbps` : t(`capping.${option}`),
        }))}
        value={String(capping.option)}
        onChange={({ currentTarget }) => {
          const option = cappingOptions.find((one) => String(one) === currentTarget.value)
          if (option !== undefined) set({ option, customMbps: option === 'custom' ? 5 : null })
        }}
      />
      {capping.option === 'custom' ? (
        <NumberInput
          label={t('customMbps')}
          error={form.fault(`${name}.customMbps`)}
          {...closed}
          suffix=" Mbps"
          min={1}
          max={20}
          step={0.1}
          decimalScale={1}
          value={capping.customMbps ?? ''}
          onChange={(value) => set({ option: 'custom', customMbps: value === '' ? null : Number(value) })}
        />
      ) : null}
    </div>
  )
}
