import {
  type FollowedSetting,
  GENLOCK_OFFSET_MAX,
  type ServerCapabilities,
  ServerSettings,
  serverTimeZones,
  zoneAbbreviation,
} from '@backhaul/contract/nouns/servers'
import { NativeSelect, NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'

interface ServerSettingsFieldsProps {
  settings: ServerSettings
  onSettings: (changes: Partial<ServerSettings>) => void
  /** The faults by the name of the setting. */
  faults: Readonly<Record<string, string>>
  /** null: the machine has never joined; it receives the settings when it does. */
  capabilities: ServerCapabilities | null
}

const choices = {
  IFBMode: ServerSettings.shape.IFBMode.options,
  publishingMode: ServerSettings.shape.publishingMode.options,
  hotfolderOutputFormat: ServerSettings.shape.hotfolderOutputFormat.options,
  metadataFormat: ServerSettings.shape.metadataFormat.options,
} as const

export function ServerSettingsFields(props: ServerSettingsFieldsProps) {
  const { settings, onSettings, faults, capabilities } = props
  const { t } = useTranslation('deviceAdministration')
  const closed = (name: FollowedSetting) =>
    disabledBecause(
      capabilities && !capabilities.settings?.includes(name)
        ? reasonText('server.settingUnsupported')
        : undefined,
    )
  const figure = (name: 'maxChannels' | 'webrtcPort' | 'genlockOffset') => ({
    label: t(`setting.${name}`),
    value: settings[name] ?? '',
    error: faults[`settings.${name}`],
    allowDecimal: false,
    onChange: (value: number | string) => onSettings({ [name]: value === '' ? null : Number(value) }),
  })
  const choice = (name: keyof typeof choices) => (
    <NativeSelect
      label={t(`setting.${name}`)}
      data={choices[name].map((value) => ({ value, label: t(`${name}.${value}` as 'IFBMode.off') }))}
      value={settings[name]}
      error={faults[`settings.${name}`]}
      {...closed(name)}
      onChange={(event) => onSettings({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <fieldset className="form-group form-row">
      <legend>{t('settings')}</legend>
      <NumberInput {...figure('maxChannels')} min={1} />
      {choice('IFBMode')}
      {choice('publishingMode')}
      {choice('hotfolderOutputFormat')}
      {choice('metadataFormat')}
      <NumberInput {...figure('webrtcPort')} min={1} max={65_535} {...closed('webrtcPort')} />
      <NumberInput
        {...figure('genlockOffset')}
        min={-GENLOCK_OFFSET_MAX}
        max={GENLOCK_OFFSET_MAX}
        {...closed('genlockOffset')}
      />
      <NativeSelect
        label={t('setting.timezone')}
        data={serverTimeZones.map((zone) => ({
          value: zone,
          label: `${zone} (${zoneAbbreviation(zone)})`,
        }))}
        value={settings.timezone}
        error={faults['settings.timezone']}
        {...closed('timezone')}
        onChange={(event) => onSettings({ timezone: event.currentTarget.value })}
      />
    </fieldset>
  )
}
