import type { UnitCounters } from '@backhaul/contract/nouns/units'
import { useTranslation } from 'react-i18next'
import { useValue } from '../../ui/value.ts'
import { activeAlerts } from '../alerts/alerts.ts'
import { nothing } from './unit-presentation.ts'
import { useFleet, useFleetIsKnown } from './units.ts'
import styles from './units-page.module.css'

const shown = [
  'busy',
  'idle',
  'offline',
  'field',
  'camera',
  'lite',
  'smart',
  'ptmp',
  'ptp',
  'activeAlerts',
] as const satisfies (keyof UnitCounters)[]

/** The ten counters of the group; its alerts are those of the bell. */
export function UnitCountersBar() {
  const { t } = useTranslation('units')
  const { counters } = useFleet()
  const isKnown = useFleetIsKnown()
  const counted = { ...counters, activeAlerts: useValue(activeAlerts).length }
  return (
    <footer className={styles.countersBar}>
      <dl aria-label={t('counters.label')}>
        {shown.map((counter) => (
          <div key={counter}>
            <dt>{t(`counters.${counter}`)}</dt>
            <dd>{isKnown ? counted[counter] : nothing}</dd>
          </div>
        ))}
      </dl>
    </footer>
  )
}
