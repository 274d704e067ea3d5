import { useTranslation } from 'react-i18next'
import { dateFormat } from '../ui/locale.ts'
import { useSecond } from '../ui/seconds.ts'

const format = (timeZone: string | undefined) =>
  dateFormat({
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
    timeZone,
  })
const house = format(undefined)
const utc = format('UTC')

/** House time large, UTC next to it where the house keeps another, seconds always; both follow the clock of core. */
export function StationClock() {
  const { t } = useTranslation()
  const now = useSecond()
  return (
    <div className="clock" role="timer" aria-live="off" aria-label={t('clock.label')}>
      <time className="clock-house">{house(now)}</time>
      <span className="clock-utc">
        {utc(now) === house(now) ? null : utc(now)} {t('clock.utc')}
      </span>
    </div>
  )
}
