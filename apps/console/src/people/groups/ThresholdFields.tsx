import type { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { AlertSeverity } from '@backhaul/contract/nouns/alerts'
import { NumberInput, Select, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './manage-groups.module.css'

type Thresholds = AlertsConfiguration['thresholds']
type Flag = { [Name in keyof Thresholds]: Thresholds[Name] extends boolean ? Name : never }[keyof Thresholds]
type Pair = Exclude<keyof Thresholds, Flag>

interface ThresholdFieldsProps {
  configuration: Pick<AlertsConfiguration, 'thresholds' | 'severity'>
  /** Thresholds that are shown: a unit has no storage of a server. */
  pairs: readonly Pair[]
  /** The same of alerts that are shown or not. */
  flags: readonly Flag[]
  isFixed: boolean
  /** By field, as core names them. */
  faults: Readonly<Record<string, string>>
  onChange: (changes: Partial<AlertsConfiguration>) => void
}

const severities = ['warning', 'critical'] as const

/** Thresholds from which alerts are shown. */
export function ThresholdFields({
  configuration,
  pairs,
  flags,
  isFixed,
  faults,
  onChange,
}: ThresholdFieldsProps) {
  const { t } = useTranslation('groups')
  const { thresholds, severity } = configuration
  const set = (changes: Partial<Thresholds>) => onChange({ thresholds: { ...thresholds, ...changes } })
  return (
    <>
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
                error={isFixed ? undefined : faults[`thresholds.${name}.${grave}`]}
                onChange={(value) => set({ [name]: { ...thresholds[name], [grave]: Number(value) } })}
              />
            ))}
          </fieldset>
        ))}
      </div>
      {flags.map((name) => (
        <Switch
          key={name}
          label={t(`manage.alerts.${name}`)}
          checked={thresholds[name]}
          disabled={isFixed}
          onChange={(event) => set({ [name]: event.currentTarget.checked })}
        />
      ))}
      <Select
        label={t('manage.alerts.severity')}
        data={AlertSeverity.options.map((value) => ({
          value,
          label: t(`manage.alerts.severities.${value}`),
        }))}
        value={severity}
        allowDeselect={false}
        disabled={isFixed}
        onChange={(value) => onChange({ severity: value ?? severity })}
      />
    </>
  )
}
