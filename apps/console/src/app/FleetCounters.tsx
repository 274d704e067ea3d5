import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFilter } from '../features/preferences/preferences.ts'
import { filterUnitsBy, useFleet, useFleetIsKnown } from '../features/units/units.ts'
import { type GlyphShape, StatusGlyph, type Tone } from '../ui/StatusGlyph.tsx'
import { useLink } from './link.ts'
import { homePath } from './routes.ts'

interface Counter {
  id: 'live' | 'ready' | 'offline' | 'critical'
  facet: 'status' | 'alert'
  values: readonly string[]
  shape: GlyphShape
  tone: Tone
  count: number
}

/** The fleet in four numbers; each of them filters the list, and lets go when pressed again. */
export function FleetCounters() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { t: words } = useTranslation('ui')
  const { byLabel, critical } = useFleet()
  const isKnown = useFleetIsKnown()
  const { chosen } = useFilter('device')
  const link = useLink()
  const counters: Counter[] = [
    {
      id: 'live',
      facet: 'status',
      values: ['live', 'preview'],
      shape: 'disc',
      tone: 'live',
      count: (byLabel.live ?? 0) + (byLabel.preview ?? 0),
    },
    {
      id: 'ready',
      facet: 'status',
      values: ['ready'],
      shape: 'ring',
      tone: 'ready',
      count: byLabel.ready ?? 0,
    },
    {
      id: 'offline',
      facet: 'status',
      values: ['offline'],
      shape: 'slashedRing',
      tone: 'offline',
      count: byLabel.offline ?? 0,
    },
    {
      id: 'critical',
      facet: 'alert',
      values: ['critical'],
      shape: 'octagon',
      tone: 'critical',
      count: critical,
    },
  ]
  return (
    <fieldset className="fleet" data-stale={link.kind !== 'open' || undefined}>
      <legend className="visually-hidden">{t('fleet.label')}</legend>
      {counters.map(({ id, facet, values, shape, tone, count }) => {
        const now = chosen[facet] ?? []
        const pressed = now.length === values.length && values.every((value) => now.includes(value))
        const what = t(`fleet.${id}`)
        return (
          <button
            key={id}
            type="button"
            className="fleet-counter"
            aria-pressed={pressed}
            data-tip={pressed ? t('fleet.showAll') : t('fleet.show', { what })}
            onClick={() => {
              filterUnitsBy(facet, values)
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
