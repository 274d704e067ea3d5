import {
  type AlertsConfiguration,
  AlertsMode,
  defaultAlertsConfiguration,
} from '@backhaul/contract/nouns/alert-configuration'
import { AlertSeverity } from '@backhaul/contract/nouns/alerts'
import { NumberInput, Select, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './manage-groups.module.css'

interface AlertsTabProps {
  configuration: AlertsConfiguration
  readOnly: boolean
  /** By field, as core names them. */
  faults: Readonly<Record<string, string>>
  onConfiguration: (configuration: AlertsConfiguration) => void
}

const pairs = ['batteryPercent', 'bitrateDropPercent', 'serverCpuPercent', 'serverStoragePercent'] as const
const severities = ['warning', 'critical'] as const

/** From which values on the people of the group are shown alerts; the group's own count in one of the modes only. */
export function AlertsTab({ configuration, readOnly, faults, onConfiguration }: AlertsTabProps) {
  const { t } = useTranslation('groups')
  const isOwn = configuration.mode === 'byGroup'
  const { thresholds, severity } = isOwn ? configuration : defaultAlertsConfiguration
  const isFixed = readOnly || !isOwn
  const set = (changes: Partial<AlertsConfiguration>) => onConfiguration({ ...configuration, ...changes })
  const setThresholds = (changes: Partial<AlertsConfiguration['thresholds']>) =>
    set({ thresholds: { ...thresholds, ...changes } })
  return (
    <>
      <Select
        label={t('manage.alerts.mode')}
        description={t(`manage.alerts.modeHints.${configuration.mode}`)}
        data={AlertsMode.options.map((value) => ({ value, label: t(`manage.alerts.modes.${value}`) }))}
        value={configuration.mode}
        allowDeselect={false}
        disabled={readOnly}
        onChange={(mode) => set({ mode: mode ?? configuration.mode })}
      />
      <div className={styles.thresholds}>
        {pairs.map((name) => (
          <fieldset key={name} className={styles.threshold}>
            <legend>{t(`manage.alerts.${name}`)}</legend>
            {severities.map((grave) => (
              <NumberInput
                key={grave}
                aria-label={`${t(`manage.alerts.${name}`)}: ${t(`manage.alerts.${grave}`)}`}
                leftSection={<span className="quiet">{t(`manage.alerts.${grave}`)}</span>}
                leftSectionWidth={72}
                suffix=" %"
                min={1}
                max={100}
                allowDecimal={false}
                hideControls
                disabled={isFixed}
                value={thresholds[name][grave]}
                error={isOwn ? faults[`thresholds.${name}.${grave}`] : undefined}
                onChange={(value) =>
                  setThresholds({ [name]: { ...thresholds[name], [grave]: Number(value) } })
                }
              />
            ))}
          </fieldset>
        ))}
      </div>
      <Switch
        label={t('manage.alerts.cameraDisconnected')}
        checked={thresholds.cameraDisconnected}
        disabled={isFixed}
        onChange={(event) => setThresholds({ cameraDisconnected: event.currentTarget.checked })}
      />
      <Select
        label={t('manage.alerts.severity')}
        data={AlertSeverity.options.map((value) => ({
          value,
          label: t(`manage.alerts.severities.${value}`),
        }))}
        value={severity}
        allowDeselect={false}
        disabled={isFixed}
        onChange={(value) => set({ severity: value ?? severity })}
      />
    </>
  )
}
