import {
  type AlertsConfiguration,
  AlertsMode,
  configurationOfGroup,
} from '@backhaul/contract/nouns/alert-configuration'
import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ThresholdFields } from './ThresholdFields.tsx'

interface AlertsTabProps {
  configuration: AlertsConfiguration
  readOnly: boolean
  /** By field, as core names them. */
  faults: Readonly<Record<string, string>>
  onConfiguration: (configuration: AlertsConfiguration) => void
}

const pairs = [
  'batteryPercent',
  'bitrateDropPercent',
  'frameLossPercent',
  'serverCpuPercent',
  'serverStoragePercent',
] as const
const flags = ['cameraDisconnected', 'destinationFailed', 'serverFailed'] as const

/** Thresholds of the alerts for the users of the group; the group's own count in one of the modes only. */
export function AlertsTab({ configuration, readOnly, faults, onConfiguration }: AlertsTabProps) {
  const { t } = useTranslation('groups')
  const { mode } = configuration
  const set = (changes: Partial<AlertsConfiguration>) => onConfiguration({ ...configuration, ...changes })
  return (
    <>
      <Select
        label={t('manage.alerts.mode')}
        description={t(`manage.alerts.modeHints.${mode}`)}
        data={AlertsMode.options.map((value) => ({ value, label: t(`manage.alerts.modes.${value}`) }))}
        value={mode}
        allowDeselect={false}
        disabled={readOnly}
        onChange={(chosen) => set({ mode: chosen ?? mode })}
      />
      <ThresholdFields
        configuration={configurationOfGroup(configuration)}
        pairs={pairs}
        flags={flags}
        isFixed={readOnly || mode !== 'byGroup'}
        faults={faults}
        onChange={set}
      />
    </>
  )
}
