import type { UsageRow } from '@backhaul/contract/nouns/reports'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../ui/locale.ts'
import { gigabytesText, hoursText } from './report-figures.ts'
import styles from './reports.module.css'

interface DayBarsProps {
  /** Every day of the period, as `2026-11-21`. */
  dates: readonly string[]
  days: readonly UsageRow[]
}

const dayOf = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDayOf = dateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const moment = (date: string) => new Date(`${date}T00:00:00Z`)

/** Labels under the bars at most. */
const labelsAtMost = 16

/** Streaming hours of each day; the figures are in the list by day, and in the words of each bar. */
export function DayBars({ dates, days }: DayBarsProps) {
  const { t } = useTranslation('reports')
  const byDate = new Map(days.map((day) => [day.id, day]))
  const most = Math.max(1, ...days.map(({ streamingMs }) => streamingMs))
  const step = Math.ceil(dates.length / labelsAtMost)
  return (
    <figure className={styles.dayBars}>
      <figcaption>
        {t('chart.title')}{' '}
        <span className="quiet">{t('chart.most', { hours: hoursText(most === 1 ? 0 : most) })}</span>
      </figcaption>
      <ol>
        {dates.map((date, at) => {
          const day = byDate.get(date)
          const words = t('chart.bar', {
            date: longDayOf(moment(date)),
            hours: hoursText(day?.streamingMs ?? 0),
            data: gigabytesText(day?.dataBytes ?? null),
          })
          return (
            <li key={date} data-tip={words}>
              <span className="visually-hidden">{words}</span>
              <span
                className={styles.dayBar}
                style={{ height: `${((day?.streamingMs ?? 0) / most) * 100}%` }}
              />
              <span className={styles.dayLabel} aria-hidden="true">
                {at % step === 0 ? dayOf(moment(date)) : ''}
              </span>
            </li>
          )
        })}
      </ol>
    </figure>
  )
}
