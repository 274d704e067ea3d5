import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import styles from './live-grid.module.css'

const skeletonRows = Array.from({ length: 24 }, (_, index) => index)

export function GridSkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.gridSkeleton} role="status" data-grid-skeleton>
      <span className="visually-hidden">{t('grid.loading')}</span>
      {skeletonRows.map((row) => (
        <div key={row} aria-hidden>
          <i style={{ width: 70 }} />
          <i style={{ width: 120 + ((row * 37) % 60) }} />
          <i style={{ width: 60 }} />
          <i style={{ width: 90 + ((row * 53) % 40) }} />
        </div>
      ))}
    </div>
  )
}

export function GridError({
  text,
  onRetry,
}: {
  text?: string | undefined
  onRetry?: (() => void) | undefined
}) {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.gridState} role="alert" data-grid-state>
      <div className={styles.gridStateInner}>
        <h2>{reasonText('system.gridError')}</h2>
        {text ? <p>{text}</p> : null}
        {onRetry ? (
          <button type="button" className="plain-button" onClick={onRetry}>
            {t('retry')}
          </button>
        ) : null}
      </div>
    </div>
  )
}

export function GridEmpty(props: { title: string; text: string; action?: ReactNode; clear?: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.gridState} data-grid-state>
      <div className={styles.gridStateInner}>
        <h2>{props.title}</h2>
        <p>{props.text}</p>
        {props.action}
        {props.clear ? (
          <button type="button" className="plain-button" onClick={props.clear}>
            {t('grid.clearFilters')}
          </button>
        ) : null}
      </div>
    </div>
  )
}

export function MovedNotice({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.gridMoved} role="status">
      {t('grid.moved', { count })}
      <button type="button" className="plain-button" onClick={onShow}>
        {t('grid.showMoved')}
      </button>
    </div>
  )
}
