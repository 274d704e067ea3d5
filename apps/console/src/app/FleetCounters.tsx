import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { filterUnitsBy, useFleet, useFleetIsKnown } from '../fleet/units/units.ts'
import { useFilter } from '../session/preferences/preferences.ts'
import { type GlyphShape, StatusGlyph, type Tone } from '../ui/StatusGlyph.tsx'
import { useLink } from './link.ts'
import { homePath } from './routes.ts'

interface Counter {
  id: 'live' | 'preview' | 'ready' | 'offline' | 'critical'
  facet: 'status' | 'alert'
  value: string
  shape: GlyphShape
  tone: Tone
  count: number
}

const countersOf = (byLabel: ReturnType<typeof useFleet>['byLabel'], critical: number): Counter[] => [
  { id: 'live', facet: 'status', value: 'live', shape: 'disc', tone: 'live', count: byLabel.live ?? 0 },
  {
    id: 'preview',
    facet: 'status',
    value: 'preview',
    shape: 'disc',
    tone: 'live',
    count: byLabel.preview ?? 0,
  },
  { id: 'ready', facet: 'status', value: 'ready', shape: 'ring', tone: 'ready', count: byLabel.ready ?? 0 },
  {
    id: 'offline',
    facet: 'status',
    value: 'offline',
    shape: 'slashedRing',
    tone: 'offline',
    count: byLabel.offline ?? 0,
  },
  { id: 'critical', facet: 'alert', value: 'critical', shape: 'octagon', tone: 'critical', count: critical },
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
  const isOnly = ({ facet, value }: Counter) => chosen[facet]?.length === 1 && chosen[facet][0] === value
  const shown = counters.filter((counter) => counter.id !== 'preview' || counter.count > 0 || isOnly(counter))
  return (
    <fieldset
      className="fleet"
      data-stale={link.kind !== 'open' || undefined}
      data-many={shown.length === counters.length || undefined}
    >
      <legend className="visually-hidden">{t('fleet.label')}</legend>
      {shown.map((counter) => {
        const { id, facet, value, shape, tone, count } = counter
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
              filterUnitsBy(facet, [value])
              void navigate({ href: homePath })
            }}
          >
            <StatusGlyph shape={shape} tone={count === 0 && id === 'critical' ? 'offline' : tone} />
            <span className="fleet-word">{what}</span>
            <b>{isKnown ? count : words('none')}</b>
          </button>
        )
      })}
    </fieldset>
  )
}
