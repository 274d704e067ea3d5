// The newsroom of a customer: its address, the mapping file, the switch of the sync, and how it went last.
import { ingest as calls } from '@backhaul/contract/api/ingest'
import {
  type IngestAccount,
  IngestAccountChange,
  type IngestConfiguration,
} from '@backhaul/contract/nouns/ingest'
import { Alert, PasswordInput, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { keepAnswer, useRead } from '../../doors/reads.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { toast } from '../../ui/toasts.tsx'
import { LastSync } from './LastSync.tsx'
import { MappingFile } from './MappingFile.tsx'
import { MappingTrial } from './MappingTrial.tsx'
import { changeNewsroom } from './newsroom.ts'
import { SecurityCheck } from './SecurityCheck.tsx'

interface NewsroomSyncProps {
  inventoryId: string
  onClose: () => void
}

/** The last result is of interest while the dialog is open. */
const refreshMs = 10_000

export function NewsroomSync({ inventoryId, onClose }: NewsroomSyncProps) {
  const params = { id: inventoryId }
  const { data: account, errorText } = useRead(calls.account, { params }, { everyMs: refreshMs })
  if (account) return <NewsroomForm account={account} errorText={errorText} onClose={onClose} />
  return errorText === undefined ? null : <Alert color="red">{errorText}</Alert>
}

interface NewsroomFormProps {
  account: IngestAccount
  errorText: string | undefined
  onClose: () => void
}

interface Form {
  password: string
  address: string
  username: string
  sync: boolean
}

const formOf = ({ address, username, sync }: IngestConfiguration): Form => ({
  password: '',
  address: address ?? '',
  username,
  sync,
})

function NewsroomForm({ account, errorText, onClose }: NewsroomFormProps) {
  const { t } = useTranslation('stories')
  const { inventoryId, configuration } = account
  const [checked, setChecked] = useState<IngestAccountChange>()
  const closed = givenReason({ reason: account.closed, cause: account.closedCause }) || undefined
  const save = async (change: IngestAccountChange) => {
    const now = await changeNewsroom(inventoryId, change)
    await keepAnswer(calls.account, { params: { id: inventoryId } }, now)
  }
  const saved = () => {
    toast({ title: t('newsroom.saved'), tone: 'good' })
    onClose()
  }
  const record = useRecordForm({
    start: () => formOf(configuration),
    schema: IngestAccountChange,
    requestOf: ({ password, ...form }: Form) => changeOf(configuration, password, form),
    fieldOf: (field) => field.replace(/^configuration\./, ''),
    save: async (change) => {
      if (change.configuration && change.password === undefined && account.hasPassword) setChecked(change)
      else {
        await save(change)
        saved()
      }
      return undefined
    },
  })
  const { values, set } = record
  const faults = placed(record.faults)
  const missing = account.xsltFile === null ? reasonText('ingest.noMapping') : undefined
  const isOpen = closed === undefined
  return (
    <>
      <RecordForm
        record={record}
        fault={errorText}
        mayWrite={isOpen}
        done={() => undefined}
        onSaved={() => undefined}
        onClose={onClose}
      >
        <div className="form-fields" data-tip={closed}>
          {closed ? <Alert color="yellow">{t('newsroom.closed', { reason: closed })}</Alert> : null}
          <Switch
            label={t('newsroom.sync')}
            description={t('newsroom.syncHint')}
            {...disabledBecause(closed ?? (values.sync ? undefined : missing))}
            checked={values.sync}
            error={faults.sync}
            onChange={(event) => set({ sync: event.currentTarget.checked })}
          />
          <LastSync result={account.lastSync} />
          <TextField
            record={{ ...record, faults }}
            name="address"
            label={t('newsroom.address')}
            description={t('newsroom.addressHint')}
            disabled={!isOpen}
          />
          <TextField
            record={{ ...record, faults }}
            name="username"
            label={t('newsroom.username')}
            description={t('newsroom.usernameHint')}
            autoComplete="off"
            disabled={!isOpen}
          />
          <PasswordInput
            label={t('newsroom.password')}
            description={t(account.hasPassword ? 'newsroom.passwordSet' : 'newsroom.passwordUnset')}
            autoComplete="new-password"
            disabled={!isOpen}
            value={values.password}
            error={faults.password}
            visibilityToggleButtonProps={{ 'aria-label': t('newsroom.showPassword') }}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
          <MappingFile inventoryId={inventoryId} account={account} isOpen={isOpen} />
          <MappingTrial inventoryId={inventoryId} closed={closed ?? missing} />
        </div>
      </RecordForm>
      {checked ? (
        <SecurityCheck
          run={(confirmation) => save({ ...checked, confirmation })}
          onDone={saved}
          onClose={() => setChecked(undefined)}
        />
      ) : null}
    </>
  )
}

function changeOf(
  before: IngestConfiguration,
  password: string,
  { address, username, sync }: Omit<Form, 'password'>,
): IngestAccountChange {
  const next = { address: address.trim() === '' ? null : address.trim(), username, sync }
  const configuration = changedFields(before, next)
  return {
    ...(password !== '' && { password }),
    ...(Object.keys(configuration).length > 0 && { configuration }),
  }
}

/** Core names the fields of the configuration in full. */
const placed = (faults: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(faults).map(([field, words]) => [field.replace(/^configuration\./, ''), words]),
  )
