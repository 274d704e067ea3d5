// Why a channel is not put out as NDI, and what takes its place.
import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import type { ChannelTabProps } from './channel-administration.ts'

export function NdiTab({ onClose }: ChannelTabProps) {
  const { t } = useTranslation('channels')
  return (
    <>
      <div className="dialog-part">
        <Alert color="blue">{t('ndi.absent')}</Alert>
        <p className="quiet">{t('ndi.instead')}</p>
      </div>
      <ModalFooter mayWrite onCancel={onClose} />
    </>
  )
}
