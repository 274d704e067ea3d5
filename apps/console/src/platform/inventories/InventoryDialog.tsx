import {
  defaultProperties,
  type EnhancedInventory,
  InventoryProperty,
  NewInventory,
} from '@backhaul/contract/nouns/inventories'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { useList } from '../../kit/lists.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import styles from './inventories.module.css'
import { type InventoryRequest, inventories, saveInventory } from './inventories.ts'

interface InventoryDialogProps extends ItemEnds {
  /** null: a new one. */
  inventory: EnhancedInventory | null
}

export function InventoryDialog({ inventory, ...ends }: InventoryDialogProps) {
  const { t } = useTranslation('inventories')
  const record = useRecordForm({
    start: () => draftOf(inventory),
    schema: NewInventory,
    save: (_, request) => saveInventory(inventory?.id, request),
  })
  const { values: draft, set, faults } = record
  const { items } = useList(inventories, [])
  const parents = items.filter((one) => one.parent === null && one.id !== inventory?.id)

  const field = (name: 'name' | 'region' | 'customerId' | 'sipServer') => (
    <TextInput
      label={t(`field.${name}`)}
      value={draft[name]}
      error={faults[name]}
      required={name === 'name'}
      data-autofocus={name === 'name' || undefined}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  const title = inventory ? t('editTitle', { name: inventory.name }) : t('addTitle')
  return (
    <RecordDialog
      title={title}
      size={680}
      record={record}
      done={() => ({ title: t('saved'), text: draft.name })}
      mayApply={inventory !== null}
      {...ends}
    >
      <div className="form-fields">
        {field('name')}
        <NativeSelect
          label={t('field.parentName')}
          value={draft.parent ?? ''}
          error={faults.parent}
          onChange={(event) => set({ parent: event.currentTarget.value || null })}
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
            set({
              cloudProvider: (event.currentTarget.value || null) as typeof draft.cloudProvider,
            })
          }
          data={[
            { value: '', label: t('noProvider') },
            { value: 'oracle', label: 'Oracle' },
            { value: 'aws', label: 'AWS' },
          ]}
        />
        <PropertyChoices draft={draft} onDraft={set} />
      </div>
    </RecordDialog>
  )
}

function PropertyChoices({
  draft,
  onDraft,
}: {
  draft: InventoryRequest
  onDraft: (draft: InventoryRequest) => void
}) {
  const { t } = useTranslation('inventories')
  return (
    <fieldset className={`form-group ${styles.inventoryProperties}`}>
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

function draftOf(inventory: EnhancedInventory | null): InventoryRequest {
  if (!inventory) return { ...NewInventory.parse({ name: '-' }), name: '', properties: defaultProperties }
  const { name, region, parent, customerId, sipServer, cloudProvider, properties } = inventory
  return { name, region, parent, customerId, sipServer, cloudProvider, properties }
}
