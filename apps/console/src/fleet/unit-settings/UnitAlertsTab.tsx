// Thresholds of the unit's alerts: those of the system, of its group, or its own (SC-CTAB-08).
import { alerts as alertCalls } from '@backhaul/contract/api/alerts'
import { type AlertsConfiguration, AlertsMode } from '@backhaul/contract/nouns/alert-configuration'
import { Alert, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { ThresholdFields } from '../../people/groups/ThresholdFields.tsx'
import { disabledBecause } from '../../ui/disabled-reason.ts'

interface UnitAlertsTabProps {
  uid: string
  configuration: AlertsConfiguration
  faults: Readonly<Record<string, string>>
  /** Why it cannot be changed. */
  closed: string | undefined
  onConfiguration: (configuration: AlertsConfiguration) => void
}

/** Alerts of servers do not concern it. */
const pairs = ['batteryPercent', 'bitrateDropPercent', 'frameLossPercent'] as const
const flags = ['cameraDisconnected'] as const

export function UnitAlertsTab({ uid, configuration, faults, closed, onConfiguration }: UnitAlertsTabProps) {
  const { t } = useTranslation('unitSettings')
  const group = useGroups().current
  const { mode } = configuration
  const isOwn = mode === 'manual'
  const query = mode === 'byGroup' && group ? { mode, groupId: group.uid } : { mode }
  const { data, errorText } = useRead(
    alertCalls.possible,
    { params: { id: uid }, query },
    { isAsked: !isOwn, keepsBefore: true },
  )
  const shown = isOwn ? configuration : data
  const set = (changes: Partial<AlertsConfiguration>) => onConfiguration({ ...configuration, ...changes })
  return (
    <>
      <NativeSelect
        label={t('alerts.mode')}
        description={t(`alerts.hints.${mode}`, { group: group?.name })}
        data={AlertsMode.options.map((value) => ({ value, label: t(`alerts.modes.${value}`) }))}
        value={mode}
        {...disabledBecause(closed)}
        onChange={({ currentTarget }) => set({ mode: AlertsMode.parse(currentTarget.value) })}
      />
      {errorText === undefined ? null : <Alert color="red">{errorText}</Alert>}
      {shown ? (
        <ThresholdFields
          configuration={shown}
          pairs={pairs}
          flags={flags}
          isFixed={!isOwn || closed !== undefined}
          faults={faults}
          onChange={set}
        />
      ) : null}
    </>
  )
}
