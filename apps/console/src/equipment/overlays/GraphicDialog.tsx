// One graphic as it would lie over a programme, and on which channels it lies.
import type { Overlay } from '@backhaul/contract/nouns/overlays'
import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { channelNames, sizeText } from './graphic-words.ts'
import styles from './overlays.module.css'
import { StoredGraphic } from './StoredGraphic.tsx'

interface GraphicDialogProps {
  graphic: Overlay
  onDelete: () => void
  onClose: () => void
}

export function GraphicDialog({ graphic, onDelete, onClose }: GraphicDialogProps) {
  const { t } = useTranslation('overlays')
  return (
    <Modal opened onClose={onClose} title={t('oneTitle', { name: graphic.name })} size={560}>
      <div className={styles.graphicFields}>
        <StoredGraphic label={graphic.name} place="topLeft" graphic={graphic} />
        <dl className="facts">
          <div>
            <dt>{t('column.size')}</dt>
            <dd>{sizeText(graphic)}</dd>
          </div>
          <div>
            <dt>{t('column.channels')}</dt>
            <dd>{channelNames(graphic) || t('onNone')}</dd>
          </div>
        </dl>
      </div>
      <ModalFooter mayWrite onCancel={onClose} onDelete={onDelete} />
    </Modal>
  )
}
