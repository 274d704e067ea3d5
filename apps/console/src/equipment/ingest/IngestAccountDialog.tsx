// The ingest account of a customer: its password, the server that takes in what has none of its own, the mapping file.
import { ingest as calls } from '@backhaul/contract/api/ingest'
import { type IngestAccount, IngestAccountChange, NewMappingFile } from '@backhaul/contract/nouns/ingest'
import { Alert, Button, FileButton, PasswordInput, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { keepAnswer, useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { givenReason } from '../../texts/generic.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import styles from './ingest.module.css'
import { changeAccount, removeMapping, uploadMapping } from './ingest.ts'

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
        {account ? <MappingFields inventoryId={inventory.id} account={account} isOpen={isOpen} /> : null}
      </div>
    </RecordDialog>
  )
}

interface MappingFieldsProps {
  inventoryId: string
  account: IngestAccount
  isOpen: boolean
}

/** The file is kept or gone at once: it is no part of what OK saves. */
function MappingFields({ inventoryId, account, isOpen }: MappingFieldsProps) {
  const { t } = useTranslation('ingest')
  const { xsltFile } = account
  const keep = (now: IngestAccount) => keepAnswer(calls.account, { params: { id: inventoryId } }, now)
  const record = useRecordForm({
    start: (): NewMappingFile => ({ name: '', content: '' }),
    schema: NewMappingFile,
    save: async (file) => void (await keep(await uploadMapping(inventoryId, file))),
  })
  const removal = useAct()

  async function upload(file: File | null): Promise<void> {
    if (!file) return
    record.set({ name: file.name, content: await file.text() })
    if (await record.save()) toast({ title: t('mapping.uploaded'), text: file.name, tone: 'good' })
  }

  async function remove(): Promise<void> {
    const name = xsltFile?.name ?? ''
    if (!(await removal.run(async () => void (await keep(await removeMapping(inventoryId)))))) return
    toast({ title: t('mapping.removed'), text: name, tone: 'good' })
  }

  const { faults, unplaced } = record
  const fault = faults.name ?? faults.content ?? unplaced ?? removal.words
  const busy = record.busy || removal.busy
  return (
    <fieldset className={`form-group ${styles.ingestMapping}`}>
      <legend>{t('mapping.title')}</legend>
      <p className="quiet">{t('mapping.hint')}</p>
      <div className={styles.ingestFile}>
        {xsltFile ? (
          <span className={styles.ingestFileName}>
            <strong className="clip">{xsltFile.name}</strong>
            <span className="quiet">
              {t('mapping.facts', {
                count: xsltFile.size,
                time: dateAndTime(new Date(xsltFile.uploadedAt)),
              })}
            </span>
          </span>
        ) : (
          <span className="quiet">{t('mapping.none')}</span>
        )}
        <FileButton
          accept=".xsl,.xslt"
          inputProps={{ 'aria-label': t('mapping.upload') }}
          onChange={(file) => void upload(file)}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" disabled={!isOpen} loading={busy}>
              {t(xsltFile ? 'mapping.replace' : 'mapping.upload')}
            </Button>
          )}
        </FileButton>
        {xsltFile ? (
          <Button variant="light" color="red" size="xs" disabled={busy} onClick={() => void remove()}>
            {t('mapping.remove')}
          </Button>
        ) : null}
      </div>
      {fault ? <Alert color="red">{fault}</Alert> : null}
    </fieldset>
  )
}
