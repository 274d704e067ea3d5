import { Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultWords } from '../../doors/api.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { inventoryStore, removeInventory } from './inventories.ts'

/** Asks by name; what still belongs to the inventory is said by core. */
export function DeleteInventoryDialog({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useTranslation('inventories')
  const inventory = useItem(inventoryStore, id)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question begins without the old refusal
  useEffect(() => setFault(undefined), [id])

  async function remove(): Promise<void> {
    if (!inventory) return
    setBusy(true)
    const refused = await removeInventory(inventory.id)
    setBusy(false)
    if (refused) return setFault(faultWords(refused))
    toast({ title: t('removed'), text: inventory.name, tone: 'good' })
    onClose()
  }

  return (
    <Modal
      opened={inventory !== undefined}
      onClose={onClose}
      title={t('removeTitle', { name: inventory?.name })}
    >
      <p>{t('removeText')}</p>
      {fault === undefined ? null : (
        <p role="alert" className="inventory-fault">
          {fault}
        </p>
      )}
      <ModalFooter
        mayWrite
        dangerous
        busy={busy}
        okLabel={t('remove')}
        onCancel={onClose}
        onOk={() => void remove()}
      />
    </Modal>
  )
}
