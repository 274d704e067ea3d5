import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NewsroomSync } from './NewsroomSync.tsx'

interface NewsroomDialogProps {
  inventory: { id: string; name: string }
  onClose: () => void
}

export function NewsroomDialog({ inventory, onClose }: NewsroomDialogProps) {
  const { t } = useTranslation('stories')
  return (
    <Modal opened size={680} title={t('newsroom.title', { name: inventory.name })} onClose={onClose}>
      <NewsroomSync inventoryId={inventory.id} onClose={onClose} />
    </Modal>
  )
}
