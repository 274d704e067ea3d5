// Makes an API key, and shows it this once.

import { UserType } from '@backhaul/contract/define/role-schemas'
import { roleOfUserType } from '@backhaul/contract/define/roles'
import { type MadeApiKey, NewApiKey } from '@backhaul/contract/nouns/api-keys'
import { giveableKeyRoles } from '@backhaul/contract/nouns/granting'
import { Button, NativeSelect, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogFooter } from '../../ui/DialogFooter.tsx'
import { useValue } from '../../ui/value.ts'
import { inventoryChoices, likelyInventory } from '../inventory-names/inventory-names.ts'
import { makeKey } from './api-keys.ts'

const dayMs = 86_400_000
const choices = ['30', '90', '365', 'never'] as const
type Lasts = (typeof choices)[number]

type Form = {
  name: string
  inventory: string
  role: string
  lasts: Lasts
}

function requestOf({ lasts, ...fields }: Form): object {
  const expiresOn = lasts === 'never' ? null : new Date(Date.now() + Number(lasts) * dayMs).toISOString()
  return { ...fields, expiresOn }
}

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('apiKeys')
  const [made, setMade] = useState<MadeApiKey>()
  const record = useRecordForm({
    start: (): Form => ({ name: '', inventory: likelyInventory(), role: 'luc_read', lasts: '365' }),
    schema: NewApiKey,
    requestOf,
    title: t('incomplete'),
    save: (request) => makeKey(request, setMade),
  })

  if (made) return <MadeKey made={made} onClose={onClose} />
  return (
    <RecordDialog
      title={t('addTitle')}
      record={record}
      okLabel={t('make')}
      done={() => undefined}
      onSaved={() => {}}
      onClose={onClose}
    >
      <Fields record={record} />
    </RecordDialog>
  )
}

function Fields({ record }: { record: FieldsOf<Form> }) {
  const { values: form, set, faults } = record
  const { t } = useTranslation('apiKeys')
  const inventories = useValue(inventoryChoices)
  const roles = giveableKeyRoles(useSignedIn()?.configuration.loggedUserRoles ?? [])
  const types = UserType.options.filter((type) => roles.includes(roleOfUserType[type]))
  return (
    <div className="form-fields">
      <TextField
        record={record}
        name="name"
        label={t('column.name')}
        description={t('nameHint')}
        required
        data-autofocus
      />
      <Select
        label={t('column.inventory')}
        data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
        value={form.inventory}
        error={faults.inventory}
        allowDeselect={false}
        searchable
        onChange={(inventory) => set({ inventory: inventory ?? '' })}
      />
      <NativeSelect
        label={t('column.role')}
        description={t('roleHint')}
        data={types.map((type) => ({ value: roleOfUserType[type], label: type }))}
        value={form.role}
        error={faults.role}
        onChange={(event) => set({ role: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('lasts')}
        data={choices.map((value) => ({ value, label: t(`lastsChoice.${value}`) }))}
        value={form.lasts}
        error={faults.expiresOn}
        onChange={(event) => set({ lasts: event.currentTarget.value as Lasts })}
      />
    </div>
  )
}

function MadeKey({ made, onClose }: { made: MadeApiKey; onClose: () => void }) {
  const { t } = useTranslation('apiKeys')
  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={t('madeTitle', { name: made.name })}
    >
      <div className="form-fields">
        <p role="status">{t('madeText')}</p>
        <TextInput
          label={t('key')}
          value={made.key}
          readOnly
          data-autofocus
          classNames={{ input: 'mono' }}
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
      <DialogFooter side={<CopyButton text={made.key} />}>
        <Button onClick={onClose}>{t('kept')}</Button>
      </DialogFooter>
    </Dialog>
  )
}
