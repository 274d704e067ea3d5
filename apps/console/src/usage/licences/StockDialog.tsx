import { licences as calls } from '@backhaul/contract/api/licences'
import { HOURS_MAX, type Licence } from '@backhaul/contract/nouns/licences'
import { Modal, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { inventoryName } from '../../people/inventory-names/inventory-names.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './licences.module.css'
import { saveStock } from './licences.ts'

/** How many of each licence a customer holds, for the vendor. */
export function StockDialog({ inventory, onClose }: { inventory: string; onClose: () => void }) {
  const { t } = useTranslation('licences')
  const params = { id: inventory }
  const { data: held = [], errorText } = useRead(calls.stock, { params }, { isStart: true })
  const [wish, setWish] = useState<Partial<Record<Licence, number>>>({})
  const saving = useSaving()

  async function save(): Promise<void> {
    if (!(await saving.run(() => saveStock(inventory, held, wish)))) return
    toast({ title: t('saved'), tone: 'good' })
    onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t('stock.title', { name: inventoryName(inventory) })}>
      <DialogForm
        mayWrite={held.length > 0}
        fault={saving.words ?? errorText}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
      >
        <div className={styles.licenceChoices}>
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
