// Common fields of the forms of units and of servers: the customer, the groups, and a comment.
import { Ownership } from '@backhaul/contract/nouns/device-administration'
import { COMMENT_MAX } from '@backhaul/contract/nouns/names'
import { MultiSelect, Select, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FieldsOf } from '../../doors/forms.ts'
import { TextField } from '../../kit/TextField.tsx'
import { useGroups } from '../../people/groups/groups.ts'
import { inventoryChoices } from '../../people/inventory-names/inventory-names.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { useValue } from '../../ui/value.ts'

export interface DeviceDraft {
  name: string
  comment: string
  serialNumber: string
  inventory: string
  groups: string[]
  ownership: Ownership | null
}

interface DeviceFieldsProps {
  record: FieldsOf<DeviceDraft>
  /** The machine reports its serial number itself once there is a record. */
  isNew: boolean
  /** An existing record may go to another customer. */
  mayMove: boolean
}

export function DeviceFields({ record, isNew, mayMove }: DeviceFieldsProps) {
  const { values: draft, set: onDraft, faults } = record
  const { t } = useTranslation('deviceAdministration')
  const isVendor = useMay('administerSystem')
  const inventories = useValue(inventoryChoices)
  const { groups } = useGroups()
  const known = groups.filter(({ inventoryId }) => inventoryId === draft.inventory)
  return (
    <>
      <TextField record={record} name="name" label={t('column.name')} required data-autofocus />
      <TextField
        record={record}
        name="serialNumber"
        label={t('column.serialNumber')}
        description={isNew ? t('serialHint') : undefined}
        required={isNew}
        disabled={!isNew}
      />
      {isNew || mayMove ? (
        <Select
          label={t('column.inventory')}
          data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.inventory}
          error={faults.inventory}
          allowDeselect={false}
          searchable
          disabled={inventories.length < 2}
          // Groups belong to one customer.
          onChange={(inventory) => onDraft({ inventory: inventory ?? '', groups: [] })}
        />
      ) : null}
      <MultiSelect
        label={t('column.groups')}
        data={known.map(({ uid, name }) => ({ value: uid, label: name }))}
        value={draft.groups}
        error={faults.groups}
        searchable
        placeholder={draft.groups.length === 0 ? t('noGroup') : undefined}
        onChange={(chosen) => onDraft({ groups: chosen })}
      />
      {isNew || !isVendor ? null : (
        <Select
          label={t('ownership')}
          data={Ownership.options.map((value) => ({ value, label: t(`ownedAs.${value}`) }))}
          value={draft.ownership}
          error={faults.ownership}
          clearable
          onChange={(value) => onDraft({ ownership: Ownership.nullable().parse(value) })}
        />
      )}
      <Textarea
        label={t('column.comment')}
        value={draft.comment}
        error={faults.comment}
        autosize
        minRows={2}
        maxLength={COMMENT_MAX}
        onChange={(event) => onDraft({ comment: event.currentTarget.value })}
      />
    </>
  )
}
