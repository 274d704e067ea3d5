import type { UnitCounters } from '@backhaul/contract/nouns/units'
import { useTranslation } from 'react-i18next'
import { useListVersion } from '../../ui/keyed-store.ts'
import { nothing } from './unit-words.ts'
import { useFleet, useFleetIsKnown } from './units.ts'
import { type LiveUnit, unitStore } from './units-live.ts'

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

/** The ten counters of the group, and how much of it the filters let through. */
export function UnitCountersBar({ matches }: { matches: ((unit: LiveUnit) => boolean) | undefined }) {
  const { t } = useTranslation('units')
  const { counters, total } = useFleet()
  const isKnown = useFleetIsKnown()
  return (
    <footer className="counters-bar">
      <dl aria-label={t('counters.label')}>
        {shown.map((counter) => (
          <div key={counter}>
            <dt>{t(`counters.${counter}`)}</dt>
            <dd>{isKnown ? counters[counter] : nothing}</dd>
          </div>
        ))}
      </dl>
      {matches && isKnown ? <Shown matches={matches} total={total} /> : null}
    </footer>
  )
}

function Shown({ matches, total }: { matches: (unit: LiveUnit) => boolean; total: number }) {
  const { t } = useTranslation('units')
  useListVersion(unitStore)
  let count = 0
  for (const uid of unitStore.ids()) if (matches(unitStore.get(uid) as LiveUnit)) count += 1
  return <span className="quiet">{t('counters.shown', { shown: count, total })}</span>
}
