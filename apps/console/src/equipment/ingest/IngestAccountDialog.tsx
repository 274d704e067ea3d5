// The ingest account of a customer: its password, the server for channels that have none of their own, the mapping file.
import { ingest as calls } from '@backhaul/contract/api/ingest'
import { IngestAccountChange } from '@backhaul/contract/nouns/ingest'
import { Alert, PasswordInput, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { useRead } from '../../doors/reads.ts'
import { MappingFile } from '../../fleet/stories/MappingFile.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { givenReason } from '../../texts/generic.ts'
import { changeAccount } from './ingest.ts'

interface IngestAccountDialogProps {
  inventory: { id: string; name: string }
  onClose: () => void
}

export function IngestAccountDialog({ inventory, onClose }: IngestAccountDialogProps) {
  const { t } = useTranslation('ingest')
  const params = { id: inventory.id }
  const { data: account, errorText } = useRead(calls.account, { params }, { isStart: true })
  const { data: servers, errorText: serversErrorText } = useRead(calls.servers, { params })
  const before = account?.configuration.defaultServerId ?? null
  const record = useRecordForm({
    start: (): { password: string; serverId?: string | null } => ({ password: '' }),
    schema: IngestAccountChange,
    requestOf: ({ password, serverId = before }) => ({
      ...(password !== '' && { password }),
      ...(serverId !== before && { configuration: { defaultServerId: serverId } }),
    }),
    save: async (change) => void (await changeAccount(inventory.id, change)),
  })
  const { values, set, faults } = record
  const { serverId = before } = values
  const closed = account && (givenReason({ reason: account.closed, cause: account.closedCause }) || undefined)
  const isOpen = account !== undefined && closed === undefined

  return (
    <RecordDialog
      title={t('title', { name: inventory.name })}
      size={680}
      record={record}
      fault={errorText ?? serversErrorText}
      mayWrite={isOpen}
      done={() => ({ title: t('saved'), text: inventory.name })}
      onClose={onClose}
    >
      <div className="form-fields" data-tip={closed}>
        {closed ? <Alert color="yellow">{t('closed', { reason: closed })}</Alert> : null}
        <PasswordInput
          label={t('password')}
          description={t(account?.hasPassword ? 'passwordSet' : 'passwordUnset')}
          value={values.password}
          error={faults.password}
          disabled={!isOpen}
          autoComplete="new-password"
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
        <Select
          label={t('defaultServer')}
          description={t('defaultServerHint')}
          placeholder={t(servers?.length === 0 ? 'noServers' : 'noServer')}
          data={(servers ?? []).map(({ uid, name }) => ({ value: uid, label: name }))}
          value={serverId}
          error={faults['configuration.defaultServerId']}
          disabled={!isOpen}
          clearable
          onChange={(chosen) => set({ serverId: chosen })}
        />
        {account ? <MappingFile inventoryId={inventory.id} account={account} isOpen={isOpen} /> : null}
      </div>
    </RecordDialog>
  )
}
