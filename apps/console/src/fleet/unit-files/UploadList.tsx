// The newest uploads of a unit: how far each is, why it ended, and the end of one that runs.
import { type FileUpload, isUploadOver, UPLOAD_WAITS_HOURS } from '@backhaul/contract/nouns/unit-files'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { givenReason } from '../../texts/generic.ts'
import { dateAndTime, sizeText } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import type { KnownUnit } from '../units/units.ts'
import styles from './unit-files.module.css'
import { cancelUpload, percentOf } from './unit-files.ts'

export function UploadList({ unit }: { unit: KnownUnit | undefined }) {
  const { t } = useTranslation('unitFiles')
  const uploads = unit?.uploadedFiles ?? []
  return (
    <aside className={styles.uploadList} aria-label={t('uploads.title')}>
      <h2>{t('uploads.title')}</h2>
      {unit ? (
        <p className="quiet">
          {unit.selectedChannelName
            ? t('uploads.to', { channel: unit.selectedChannelName })
            : t('uploads.noChannel')}
        </p>
      ) : null}
      {uploads.length === 0 ? <p className="quiet">{t('uploads.none')}</p> : null}
      <ol>
        {unit ? uploads.map((upload) => <Upload key={upload.id} uid={unit.uid} upload={upload} />) : null}
      </ol>
    </aside>
  )
}

function Upload({ uid, upload }: { uid: string; upload: FileUpload }) {
  const { t } = useTranslation('unitFiles')
  const { name, path, state, sizeBytes, sentBytes, channelName, by, startedAt } = upload
  const reason = givenReason(upload)
  const percent = percentOf(upload)
  const isRunning = state === 'uploading'
  const isWaiting = state === 'waiting'
  const isUnderWay = isRunning || (isWaiting && sentBytes > 0)
  const size = sizeBytes === null ? '' : sizeText(sizeBytes)
  async function cancel(): Promise<void> {
    const fault = await cancelUpload(uid, path)
    if (fault) toast({ ...fault, tone: 'critical' })
  }
  return (
    <li data-state={state}>
      <div className={styles.uploadHead}>
        <span className={`clip ${styles.uploadName}`}>{name}</span>
        {isUploadOver(state) ? null : (
          <button
            type="button"
            className="plain-button icon-button"
            aria-label={t('uploads.cancel', { name })}
            data-tip={t('uploads.cancel', { name })}
            onClick={() => void cancel()}
          >
            <IconX size={16} aria-hidden />
          </button>
        )}
      </div>
      {isUnderWay ? (
        <progress aria-label={t('uploads.progress', { name })} max={100} value={percent ?? undefined} />
      ) : null}
      <p className={styles.uploadFacts}>
        <span className={styles.uploadState}>
          {isWaiting && reason !== '' ? reason : t(`state.${state}`)}
        </span>
        <span className="mono">
          {isUnderWay && percent !== null
            ? t('uploads.part', { sent: sizeText(sentBytes), size, percent })
            : size}
        </span>
      </p>
      {isWaiting ? <p className="quiet">{t('uploads.goesOn', { hours: UPLOAD_WAITS_HOURS })}</p> : null}
      {isWaiting || reason === '' ? null : <p className={styles.uploadReason}>{reason}</p>}
      <p className="quiet clip">
        {[channelName, by, dateAndTime(new Date(startedAt))].filter(Boolean).join(' · ')}
      </p>
    </li>
  )
}
