import {
  type AdministeredUnit,
  NewUnit,
  UnitChange,
  unitProducts,
} from '@backhaul/contract/nouns/device-administration'
import { SLA } from '@backhaul/contract/nouns/gates'
import { shortProductName } from '@backhaul/contract/nouns/products'
import { Modal, Select, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { likelyInventory } from '../../people/inventory-names/inventory-names.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { DeviceFields } from './DeviceFields.tsx'
import { changeUnit, createUnit } from './device-administration.ts'

interface UnitRecordDialogProps {
  /** null: a new one. */
  unit: AdministeredUnit | null
  onDelete: () => void
  onClose: () => void
}

export function UnitRecordDialog({ unit, onDelete, onClose }: UnitRecordDialogProps) {
  const { t } = useTranslation('deviceAdministration')
  const [draft, setDraft] = useState(() => draftOf(unit))
  const saving = useSaving()
  const isVendor = useMay('administerSystem')
  const wasUnderSla = unit?.services.includes(SLA) === true
  const [sla, setSla] = useState(wasUnderSla)

  async function save(): Promise<void> {
    const { ownership, ...made } = draft
    const { name, comment, groups, inventory } = made
    const saved = unit
      ? await saving.runChecked({
          schema: UnitChange,
          typed: {
            name,
            comment,
            groups,
            ...(ownership !== unit.ownership && { ownership }),
            ...(sla !== wasUnderSla && { sla }),
          },
          title: '',
          ask: (change) => changeUnit(unit, inventory, change),
        })
      : await saving.runChecked({
          schema: NewUnit,
          typed: made,
          title: '',
          ask: (made) => createUnit(made),
        })
    if (!saved) return
    toast({ title: t('unit.saved'), text: name, tone: 'good' })
    onClose()
  }

  const title = unit ? t('unit.editTitle', { name: unit.name }) : t('unit.addTitle')
  return (
    <Modal opened onClose={onClose} size={680} title={title}>
      <DialogForm
        mayWrite
        fault={saving.unplaced}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
        onDelete={unit ? onDelete : undefined}
      >
        <div className="form-fields">
          {unit ? null : (
            <Select
              label={t('column.product')}
              data={unitProducts.map((name) => ({ value: name, label: shortProductName(name) }))}
              value={draft.productType || null}
              required
              error={saving.faults.productType}
              allowDeselect={false}
              searchable
              onChange={(productType) => setDraft({ ...draft, productType: productType ?? '' })}
            />
          )}
          <DeviceFields
            draft={draft}
            onDraft={(changes) => setDraft({ ...draft, ...changes })}
            faults={saving.faults}
            isNew={unit === null}
            mayMove
          />
          {unit && isVendor ? (
            <Switch
              label={t('sla')}
              description={t('slaHint')}
              checked={sla}
              onChange={(event) => setSla(event.currentTarget.checked)}
            />
          ) : null}
        </div>
      </DialogForm>
    </Modal>
  )
}

function draftOf(unit: AdministeredUnit | null) {
  const { name, comment, serialNumber, productType, inventory, groups, ownership } = unit ?? {
    name: '',
    comment: '',
    serialNumber: '',
    groups: [],
    ownership: null,
    productType: '',
    inventory: likelyInventory(),
  }
  const known = groups.map(({ uid }) => uid)
  return { name, comment, serialNumber, productType, inventory, ownership, groups: known }
}
