// The ingest account of a customer: its password, the server that takes in what has none of its own, the mapping file.
import { ingest as calls } from '@backhaul/contract/api/ingest'
import { type IngestAccount, IngestAccountChange, NewMappingFile } from '@backhaul/contract/nouns/ingest'
import { Alert, Button, FileButton, Modal, PasswordInput, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { keepAnswer, useRead } from '../../doors/reads.ts'
import { givenReason } from '../../texts/generic.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
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
  const [password, setPassword] = useState('')
  const [wish, setServerId] = useState<string | null>()
  const serverId = wish === undefined ? (account?.configuration.defaultServerId ?? null) : wish
  const saving = useSaving()
  const closed = account && (givenReason({ reason: account.closed, cause: account.closedCause }) || undefined)
  const isOpen = account !== undefined && closed === undefined

  async function save(): Promise<void> {
    const before = account?.configuration.defaultServerId ?? null
    const saved = await saving.runChecked({
      schema: IngestAccountChange,
      typed: {
        ...(password !== '' && { password }),
        ...(serverId !== before && { configuration: { defaultServerId: serverId } }),
      },
      title: '',
      ask: async (change) => void (await changeAccount(inventory.id, change)),
    })
    if (!saved) return
    toast({ title: t('saved'), text: inventory.name, tone: 'good' })
    onClose()
  }

  return (
    <Modal opened onClose={onClose} size={680} title={t('title', { name: inventory.name })}>
      <DialogForm
        mayWrite={isOpen}
        fault={saving.unplaced ?? errorText ?? serversErrorText}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
      >
        <div className="form-fields" data-tip={closed}>
          {closed ? <Alert color="yellow">{t('closed', { reason: closed })}</Alert> : null}
          <PasswordInput
            label={t('password')}
            description={t(account?.hasPassword ? 'passwordSet' : 'passwordUnset')}
            value={password}
            error={saving.faults.password}
            disabled={!isOpen}
            autoComplete="new-password"
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Select
            label={t('defaultServer')}
            description={t('defaultServerHint')}
            placeholder={t(servers?.length === 0 ? 'noServers' : 'noServer')}
            data={(servers ?? []).map(({ uid, name }) => ({ value: uid, label: name }))}
            value={serverId}
            error={saving.faults['configuration.defaultServerId']}
            disabled={!isOpen}
            clearable
            onChange={setServerId}
          />
          {account ? <MappingFields inventoryId={inventory.id} account={account} isOpen={isOpen} /> : null}
        </div>
      </DialogForm>
    </Modal>
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
  const saving = useSaving()
  const { xsltFile } = account
  const keep = (now: IngestAccount) => keepAnswer(calls.account, { params: { id: inventoryId } }, now)

  async function upload(file: File | null): Promise<void> {
    if (!file) return
    const saved = await saving.runChecked({
      schema: NewMappingFile,
      typed: { name: file.name, content: await file.text() },
      title: '',
      ask: async (checked) => void (await keep(await uploadMapping(inventoryId, checked))),
    })
    if (saved) toast({ title: t('mapping.uploaded'), text: file.name, tone: 'good' })
  }

  async function remove(): Promise<void> {
    const name = xsltFile?.name ?? ''
    if (!(await saving.run(async () => void (await keep(await removeMapping(inventoryId)))))) return
    toast({ title: t('mapping.removed'), text: name, tone: 'good' })
  }

  const fault = saving.faults.name ?? saving.faults.content ?? saving.unplaced
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
            <Button {...props} variant="default" size="xs" disabled={!isOpen} loading={saving.busy}>
              {t(xsltFile ? 'mapping.replace' : 'mapping.upload')}
            </Button>
          )}
        </FileButton>
        {xsltFile ? (
          <Button variant="light" color="red" size="xs" disabled={saving.busy} onClick={() => void remove()}>
            {t('mapping.remove')}
          </Button>
        ) : null}
      </div>
      {fault ? <Alert color="red">{fault}</Alert> : null}
    </fieldset>
  )
}
