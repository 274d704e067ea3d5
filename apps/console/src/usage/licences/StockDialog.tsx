import { licences as calls } from '@backhaul/contract/api/licences'
import { HOURS_MAX, type Licence } from '@backhaul/contract/nouns/licences'
import { NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { inventoryName } from '../../people/inventory-names/inventory-names.ts'
import styles from './licences.module.css'
import { saveStock } from './licences.ts'

/** Number of each licence that a customer holds, for the vendor. */
export function StockDialog({ inventory, onClose }: { inventory: string; onClose: () => void }) {
  const { t } = useTranslation('licences')
  const params = { id: inventory }
  const { data: held = [], errorText } = useRead(calls.stock, { params }, { isStart: true })
  const record = useRecordForm({
    start: (): Partial<Record<Licence, number>> => ({}),
    save: (request) => saveStock(inventory, held, request),
  })

  return (
    <RecordDialog
      title={t('stock.title', { name: inventoryName(inventory) })}
      record={record}
      fault={errorText}
      inParts
      mayWrite={held.length > 0}
      done={() => ({ title: t('saved') })}
      onClose={onClose}
    >
      <div className={styles.licenceChoices}>
        {held.map(({ licence, total, assigned }) => (
          <NumberInput
            key={licence}
            label={t(`label.${licence}`)}
            description={t('stock.given', { count: assigned })}
            value={record.values[licence] ?? total}
            min={assigned}
            max={HOURS_MAX}
            allowDecimal={false}
            onChange={(value) => record.set({ [licence]: Number(value) })}
          />
        ))}
      </div>
    </RecordDialog>
  )
}
