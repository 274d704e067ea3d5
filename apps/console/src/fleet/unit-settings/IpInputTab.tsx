import { type IpInput, ipProtocols } from '@backhaul/contract/nouns/unit-settings'
import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import type { SettingForm } from './setting-fields.tsx'
import styles from './unit-settings.module.css'

/** A picture that the unit receives over the network, instead of from a socket. */
export function IpInputTab({ form, input }: { form: SettingForm; input: IpInput }) {
  const { t } = useTranslation('unitSettings')
  const closed = disabledBecause(form.whyClosed('ipInput'))
  const set = (changes: Partial<IpInput>) => form.set({ ipInput: { ...input, ...changes } })
  return (
    <>
      <Switch
        label={t('ipInput.enabled')}
        description={t('ipInput.hint')}
        {...closed}
        checked={input.enabled}
        onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
      />
      <div className={styles.settingPair}>
        <NativeSelect
          label={t('ipInput.protocol')}
          {...closed}
          data={ipProtocols.map((value) => ({ value, label: t(`ipInput.protocols.${value}`) }))}
          value={input.protocol}
          onChange={({ currentTarget }) => {
            const protocol = ipProtocols.find((one) => one === currentTarget.value)
            if (protocol) set({ protocol })
          }}
        />
        <TextInput
          label={t('ipInput.url')}
          error={form.fault('ipInput.url')}
          {...closed}
          value={input.url}
          onChange={({ currentTarget }) => set({ url: currentTarget.value })}
        />
        <NumberInput
          label={t('ipInput.port')}
          error={form.fault('ipInput.port')}
          {...closed}
          allowDecimal={false}
          hideControls
          clampBehavior="none"
          value={input.port}
          onChange={(value) => set({ port: Number(value) })}
        />
      </div>
    </>
  )
}
