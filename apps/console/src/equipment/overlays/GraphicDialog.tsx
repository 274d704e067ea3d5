// One graphic as it would lie over a programme, and on which channels it lies.
import type { Overlay } from '@backhaul/contract/nouns/overlays'
import { useTranslation } from 'react-i18next'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { channelNames, sizeText } from './graphic-texts.ts'
import styles from './overlays.module.css'
import { StoredGraphic } from './StoredGraphic.tsx'

interface GraphicDialogProps extends ItemEnds {
  graphic: Overlay
}

export function GraphicDialog({ graphic, onDelete, onClose }: GraphicDialogProps) {
  const { t } = useTranslation('overlays')
  return (
    <Dialog onClose={onClose} title={t('oneTitle', { name: graphic.name })} size={560}>
      <div className={styles.graphicFields}>
        <StoredGraphic label={graphic.name} place="topLeft" graphic={graphic} />
        <Facts
          facts={[
            [t('column.size'), sizeText(graphic)],
            [t('column.channels'), channelNames(graphic) || t('onNone')],
          ]}
        />
      </div>
      <ModalFooter mayWrite onCancel={onClose} onDelete={onDelete} />
    </Dialog>
  )
}
