import { faultsOf } from '@backhaul/contract/define/errors'
import {
  defaultProperties,
  type EnhancedInventory,
  InventoryProperty,
  NewInventory,
} from '@backhaul/contract/nouns/inventories'
import { Checkbox, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultWords } from '../../doors/api.ts'
import { useItem, useListVersion } from '../../ui/keyed-store.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type InventoryWish, inventoryStore, saveInventory } from './inventories.ts'

interface InventoryDialogProps {
  /** null for a new one, undefined when closed. */
  id: string | null | undefined
  onClose: () => void
  onDelete: (id: string) => void
}

export function InventoryDialog({ id, onClose, onDelete }: InventoryDialogProps) {
  const { t } = useTranslation('inventories')
  const inventory = useItem(inventoryStore, id)
  const opened = id === null || inventory !== undefined
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={inventory ? t('editTitle', { name: inventory.name }) : t('addTitle')}
    >
      {opened ? <InventoryForm key={id} inventory={inventory} onClose={onClose} onDelete={onDelete} /> : null}
    </Modal>
  )
}

interface InventoryFormProps {
  inventory: EnhancedInventory | undefined
  onClose: () => void
  onDelete: (id: string) => void
}

function InventoryForm({ inventory, onClose, onDelete }: InventoryFormProps) {
  const { t } = useTranslation('inventories')
  const [draft, setDraft] = useState(() => draftOf(inventory))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  useListVersion(inventoryStore)
  const parents = inventoryStore
    .ids()
    .flatMap((id) => inventoryStore.get(id) ?? [])
    .filter((one) => one.parent === null && one.id !== inventory?.id)

  async function save(then?: () => void): Promise<void> {
    const checked = NewInventory.safeParse(draft)
    if (!checked.success) {
      setFaults(Object.fromEntries(faultsOf(checked.error).map(({ field, message }) => [field, message])))
      return
    }
    setBusy(true)
    const fault = await saveInventory(inventory?.id, draft)
    setBusy(false)
    if (fault) {
      setFaults(Object.keys(fault.fields).length > 0 ? fault.fields : { name: faultWords(fault) })
      return
    }
    setFaults({})
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
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save(onClose)
      }}
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
      <ModalFooter
        mayWrite
        busy={busy}
        onCancel={onClose}
        onApply={inventory ? () => void save() : undefined}
        onOk={() => void save(onClose)}
        onDelete={inventory ? () => onDelete(inventory.id) : undefined}
      />
    </form>
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

function draftOf(inventory: EnhancedInventory | undefined): InventoryWish {
  if (!inventory) return { ...NewInventory.parse({ name: '-' }), name: '', properties: defaultProperties }
  const { name, region, parent, customerId, sipServer, cloudProvider, properties } = inventory
  return { name, region, parent, customerId, sipServer, cloudProvider, properties }
}
