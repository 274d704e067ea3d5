import {
  defaultProperties,
  type EnhancedInventory,
  InventoryProperty,
  NewInventory,
} from '@backhaul/contract/nouns/inventories'
import { Checkbox, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { useList } from '../../kit/lists.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type InventoryWish, inventories, saveInventory } from './inventories.ts'

interface InventoryDialogProps {
  /** null: a new one. */
  inventory: EnhancedInventory | null
  onDelete: () => void
  onClose: () => void
}

export function InventoryDialog({ inventory, onDelete, onClose }: InventoryDialogProps) {
  const { t } = useTranslation('inventories')
  const [draft, setDraft] = useState(() => draftOf(inventory))
  const saving = useSaving()
  const { faults } = saving
  const { items } = useList(inventories, [])
  const parents = items.filter((one) => one.parent === null && one.id !== inventory?.id)

  async function save(then?: () => void): Promise<void> {
    const saved = await saving.runChecked({
      schema: NewInventory,
      typed: draft,
      title: '',
      ask: () => saveInventory(inventory?.id, draft),
    })
    if (!saved) return
    toast({ title: t('saved'), text: draft.name, tone: 'good' })
    then?.()
  }

  const field = (name: 'name' | 'region' | 'customerId' | 'sipServer') => (
    <TextInput
      label={t(`field.${name}`)}
      value={draft[name]}
      error={faults[name]}
      required={name === 'name'}
      data-autofocus={name === 'name' || undefined}
      onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
    />
  )
  const title = inventory ? t('editTitle', { name: inventory.name }) : t('addTitle')
  return (
    <Modal opened onClose={onClose} size={680} title={title}>
      <DialogForm
        mayWrite
        fault={saving.unplaced}
        busy={saving.busy}
        onCancel={onClose}
        onApply={inventory ? () => void save() : undefined}
        onOk={() => void save(onClose)}
        onDelete={inventory ? onDelete : undefined}
      >
        <div className="form-fields">
          {field('name')}
          <NativeSelect
            label={t('field.parentName')}
            value={draft.parent ?? ''}
            error={faults.parent}
            onChange={(event) => setDraft({ ...draft, parent: event.currentTarget.value || null })}
            data={[
              { value: '', label: t('noParent') },
              ...parents.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          {field('region')}
          {field('customerId')}
          {field('sipServer')}
          <NativeSelect
            label={t('field.cloudProvider')}
            value={draft.cloudProvider ?? ''}
            error={faults.cloudProvider}
            onChange={(event) =>
              setDraft({
                ...draft,
                cloudProvider: (event.currentTarget.value || null) as typeof draft.cloudProvider,
              })
            }
            data={[
              { value: '', label: t('noProvider') },
              { value: 'oracle', label: 'Oracle' },
              { value: 'aws', label: 'AWS' },
            ]}
          />
          <PropertyChoices draft={draft} onDraft={setDraft} />
        </div>
      </DialogForm>
    </Modal>
  )
}

function PropertyChoices({
  draft,
  onDraft,
}: {
  draft: InventoryWish
  onDraft: (draft: InventoryWish) => void
}) {
  const { t } = useTranslation('inventories')
  return (
    <fieldset className="form-group inventory-properties">
      <legend>{t('properties')}</legend>
      {InventoryProperty.options.map((name) => (
        <Checkbox
          key={name}
          label={t(`property.${name}`)}
          checked={draft.properties[name]}
          onChange={(event) =>
            onDraft({ ...draft, properties: { ...draft.properties, [name]: event.currentTarget.checked } })
          }
        />
      ))}
    </fieldset>
  )
}

function draftOf(inventory: EnhancedInventory | null): InventoryWish {
  if (!inventory) return { ...NewInventory.parse({ name: '-' }), name: '', properties: defaultProperties }
  const { name, region, parent, customerId, sipServer, cloudProvider, properties } = inventory
  return { name, region, parent, customerId, sipServer, cloudProvider, properties }
}
