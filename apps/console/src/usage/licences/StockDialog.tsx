import { type HeldLicence, HOURS_MAX, type Licence } from '@backhaul/contract/nouns/licences'
import { Modal, NumberInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { useSaving } from '../../doors/forms.ts'
import { inventoryName } from '../../people/inventory-names/inventory-names.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { readStock, saveStock } from './licences.ts'
import './licences.css'

/** How many of each licence a customer holds, for the vendor. */
export function StockDialog({ inventory, onClose }: { inventory: string; onClose: () => void }) {
  const { t } = useTranslation('licences')
  const [held, setHeld] = useState<readonly HeldLicence[]>([])
  const [wish, setWish] = useState<Partial<Record<Licence, number>>>({})
  const saving = useSaving()
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the dialog opens
  useEffect(() => {
    readStock(inventory).then(setHeld, (error) => saving.refuse(describeFault(error)))
  }, [inventory])

  async function save(): Promise<void> {
    if (!(await saving.run(() => saveStock(inventory, held, wish)))) return
    toast({ title: t('saved'), tone: 'good' })
    onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t('stock.title', { name: inventoryName(inventory) })}>
      <DialogForm
        mayWrite={held.length > 0}
        fault={saving.words}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
      >
        <div className="licence-choices">
          {held.map(({ licence, total, assigned }) => (
            <NumberInput
              key={licence}
              label={t(`label.${licence}`)}
              description={t('stock.given', { count: assigned })}
              value={wish[licence] ?? total}
              min={assigned}
              max={HOURS_MAX}
              allowDecimal={false}
              onChange={(value) => setWish((now) => ({ ...now, [licence]: Number(value) }))}
            />
          ))}
        </div>
      </DialogForm>
    </Modal>
  )
}
