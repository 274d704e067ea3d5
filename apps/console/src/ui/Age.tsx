import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ageParts, isStale } from './age.ts'
import { useSecond } from './seconds.ts'

/** "12 s", "3 min", "2 h": how long ago. */
export function Age({ atMs }: { atMs: number }) {
  const { t } = useTranslation('ui')
  const { unit, count } = ageParts(useSecond() - atMs)
  return <>{t(`age.${unit}`, { count })}</>
}

/** A value that admits when it is no longer current. */
export function Aged({
  atMs,
  intervalMs,
  children,
}: {
  atMs: number
  intervalMs: number
  children: ReactNode
}) {
  const { t } = useTranslation('ui')
  const nowMs = useSecond()
  const stale = isStale(atMs, intervalMs, nowMs)
  const { unit, count } = ageParts(nowMs - atMs)
  return (
    <span className="aged" data-stale={stale || undefined}>
      <span className="aged-value">{children}</span>
      {stale ? <span className="aged-note">{t('age.old', { age: t(`age.${unit}`, { count }) })}</span> : null}
    </span>
  )
}
