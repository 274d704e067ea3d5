import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { filterUnitsBy, useFleet, useFleetIsKnown } from '../fleet/units/units.ts'
import { useFilter } from '../session/preferences/preferences.ts'
import { type Look, liveLook, presenceLook, previewLook, StatusGlyph } from '../ui/StatusGlyph.tsx'
import { useLink } from './link.ts'
import { homePath } from './routes.ts'

interface Counter {
  id: 'live' | 'preview' | 'ready' | 'offline' | 'critical'
  facet: 'status' | 'alert'
  look: Look
  count: number
}

const countersOf = (byLabel: ReturnType<typeof useFleet>['byLabel'], critical: number): Counter[] => [
  { id: 'live', facet: 'status', look: liveLook, count: byLabel.live ?? 0 },
  { id: 'preview', facet: 'status', look: previewLook, count: byLabel.preview ?? 0 },
  { id: 'ready', facet: 'status', look: presenceLook(true), count: byLabel.ready ?? 0 },
  { id: 'offline', facet: 'status', look: presenceLook(false), count: byLabel.offline ?? 0 },
  {
    id: 'critical',
    facet: 'alert',
    look: { shape: 'octagon', tone: critical === 0 ? 'offline' : 'critical' },
    count: critical,
  },
]

/**
 * The units of the group in numbers, each that of the chip of the same word; each filters the list, and lets go when
 * pressed again. Preview comes with the first unit in it.
 */
export function FleetCounters() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { t: words } = useTranslation('ui')
  const { byLabel, critical } = useFleet()
  const isKnown = useFleetIsKnown()
  const { chosen } = useFilter('device')
  const link = useLink()
  const counters = countersOf(byLabel, critical)
  const isOnly = ({ facet, id }: Counter) => chosen[facet]?.length === 1 && chosen[facet][0] === id
  const shown = counters.filter((counter) => counter.id !== 'preview' || counter.count > 0 || isOnly(counter))
  return (
    <fieldset
      className="fleet"
      data-stale={link.kind !== 'open' || undefined}
      data-many={shown.length === counters.length || undefined}
    >
      <legend className="visually-hidden">{t('fleet.label')}</legend>
      {shown.map((counter) => {
        const { id, facet, look, count } = counter
        const pressed = isOnly(counter)
        const what = t(`fleet.${id}`)
        return (
          <button
            key={id}
            type="button"
            className="fleet-counter"
            aria-pressed={pressed}
            data-tip={pressed ? t('fleet.showAll') : t('fleet.show', { what })}
            onClick={() => {
              filterUnitsBy(facet, [id])
              void navigate({ href: homePath })
            }}
          >
            <StatusGlyph {...look} />
            <span className="fleet-word">{what}</span>
            <b>{isKnown ? count : words('none')}</b>
          </button>
        )
      })}
    </fieldset>
  )
}
