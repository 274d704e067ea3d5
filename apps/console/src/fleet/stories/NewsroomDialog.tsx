import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { NewsroomSync } from './NewsroomSync.tsx'

interface NewsroomDialogProps {
  inventory: { id: string; name: string }
  onClose: () => void
}

export function NewsroomDialog({ inventory, onClose }: NewsroomDialogProps) {
  const { t } = useTranslation('stories')
  return (
    <Dialog size={680} title={t('newsroom.title', { name: inventory.name })} onClose={onClose}>
      <NewsroomSync inventoryId={inventory.id} onClose={onClose} />
    </Dialog>
  )
}
