import { units } from '@backhaul/contract/api/units'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAnswer } from '../../doors/reads.ts'
import { clockTime, dateFormat } from '../../ui/locale.ts'
import { eventText } from './event-texts.ts'
import styles from './unit-events.module.css'
import type { LiveUnit } from './units-live.ts'

const shown = 50
const settleMs = 800
const dayOf = dateFormat({ day: '2-digit', month: 'short' })

/** Events of the unit, newest first; read again a moment after anything that makes an event. */
export function UnitEvents({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation(['units', 'alerts', 'upgrades'])
  const { uid, command } = unit
  const links = unit.modems.map(({ connected }) => connected).join()
  const news = [
    unit.status,
    unit.transmission?.id,
    command?.id,
    command?.state,
    unit.alerts.length,
    unit.delay,
    unit.channelId,
    links,
  ].join()
  const [settled] = useDebouncedValue(news, settleMs)
  const { data: events } = useAnswer(
    ['unit', uid, 'events', settled],
    () => call(units.events, { params: { id: uid }, query: { limit: shown } }),
    { keepsBefore: true },
  )
  const today = dayOf(Date.now())
  return (
    <section className={styles.unitEvents} aria-label={t('events.title')}>
      <h3>{t('events.title')}</h3>
      {events?.length === 0 ? <p className="quiet">{t('events.none')}</p> : null}
      <ol>
        {events?.map((event) => (
          <li key={event.id} data-severity={event.severity}>
            <time dateTime={new Date(event.ts).toISOString()}>
              {dayOf(event.ts) === today ? '' : `${dayOf(event.ts)} `}
              {clockTime(event.ts)}
            </time>
            <span className="quiet">{t(`events.kind.${event.kind}`)}</span>
            <span>{eventText(t, event)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
