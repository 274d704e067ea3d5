import type { NewsroomResult } from '@backhaul/contract/nouns/ingest'
import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { givenReason } from '../../texts/generic.ts'
import { dateAndTime } from '../../ui/locale.ts'

/** Result of the newest reading of the newsroom. */
export function LastSync({ result }: { result: NewsroomResult | null }) {
  const { t } = useTranslation('stories')
  if (result === null) return <p className="quiet">{t('newsroom.never')}</p>
  const { at, cause, reason, stories, created, changed, removed, kept, skipped } = result
  const time = dateAndTime(new Date(at))
  const why = givenReason({ reason, cause })
  if (why !== '' && skipped === 0)
    return <Alert color="red">{t('newsroom.failed', { time, reason: why })}</Alert>
  return (
    <Alert color={skipped === 0 ? 'green' : 'yellow'} title={t('newsroom.last', { time })}>
      {t('newsroom.counts', { count: stories, created, changed, removed, kept, skipped })}
      {why === '' ? null : <div>{why}</div>}
    </Alert>
  )
}
