// A server in parts: what it is called, whose it is and what is set on it; and what it tells of itself.
import {
  type AdministeredServer,
  NewServer,
  ServerChange,
} from '@backhaul/contract/nouns/device-administration'
import { gate } from '@backhaul/contract/nouns/gates'
import { ServerType } from '@backhaul/contract/nouns/servers'
import { Alert, Modal, MultiSelect, NativeSelect, Tabs, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { inventoryChoices } from '../../people/inventory-names/inventory-names.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import { IngestChannels } from '../ingest/IngestChannels.tsx'
import { DeviceFields } from './DeviceFields.tsx'
import { changeServer, createServer } from './device-administration.ts'
import { ServerInfo } from './ServerInfo.tsx'
import { ServerSettingsFields } from './ServerSettingsFields.tsx'
import { ServerSmpte } from './ServerSmpte.tsx'
import { changesOf, draftOf, recordOf, type ServerDraft } from './server-form.ts'
import { warningWords } from './server-words.ts'
import './device-administration.css'

interface ServerDialogProps {
  /** null: a new one. */
  server: AdministeredServer | null
  /** Of a new one, where the list is of one type. */
  type: ServerType | undefined
  onDelete: () => void
  onClose: () => void
}

export function ServerDialog({ server, type, onDelete, onClose }: ServerDialogProps) {
  const { t } = useTranslation('deviceAdministration')
  const [before] = useState(() => draftOf(server, type ?? 'mmh_server'))
  const [draft, setDraft] = useState(before)
  const saving = useSaving()
  const closed = server ? gate('serverInfo', { serverVersion: server.swVersion }) : undefined
  const set = (changes: Partial<ServerDraft>) => setDraft((now) => ({ ...now, ...changes }))

  async function save(): Promise<void> {
    const saved = server
      ? await saving.runChecked({
          schema: ServerChange,
          typed: changesOf(before, draft),
          title: '',
          ask: (change) => changeServer(server.uid, change),
        })
      : await saving.runChecked({
          schema: NewServer,
          typed: recordOf(draft),
          title: '',
          ask: (made) => createServer(made),
        })
    if (!saved) return
    toast({ title: t('server.saved'), text: draft.name, tone: 'good' })
    onClose()
  }

  const title = server ? t('server.editTitle', { name: server.name }) : t('server.addTitle')
  const general = (
    <General server={server} draft={draft} onDraft={set} faults={saving.faults} mayChooseType={!type} />
  )
  const framed = (fields: ReactNode) => (
    <DialogForm
      mayWrite
      fault={saving.unplaced}
      busy={saving.busy}
      onCancel={onClose}
      onOk={() => void save()}
      onDelete={server ? onDelete : undefined}
    >
      {fields}
    </DialogForm>
  )
  const part = (fields: ReactNode) => framed(<div className="dialog-part">{fields}</div>)
  return (
    <Modal opened onClose={onClose} size={680} title={title}>
      {server ? (
        <Tabs defaultValue="general" keepMounted={false} className="server-tabs">
          <Tabs.List aria-label={t('tabs.label')}>
            <Tabs.Tab value="general">{t('tabs.general')}</Tabs.Tab>
            {server.type === 'ingest_server' ? (
              <Tabs.Tab value="channels">{t('tabs.channels')}</Tabs.Tab>
            ) : null}
            <Tabs.Tab value="info" disabled={closed !== undefined} data-tip={closed && reasonText(closed)}>
              {t('tabs.info')}
            </Tabs.Tab>
            {server.type === 'mmh_server' ? <Tabs.Tab value="smpte">{t('tabs.smpte')}</Tabs.Tab> : null}
          </Tabs.List>
          <Tabs.Panel value="general">{part(general)}</Tabs.Panel>
          <Tabs.Panel value="channels">{part(<IngestChannels serverId={server.uid} />)}</Tabs.Panel>
          <Tabs.Panel value="info">{part(<ServerInfo id={server.uid} />)}</Tabs.Panel>
          <Tabs.Panel value="smpte">
            <ServerSmpte server={server} onClose={onClose} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        framed(general)
      )}
    </Modal>
  )
}

interface GeneralProps {
  server: AdministeredServer | null
  draft: ServerDraft
  onDraft: (changes: Partial<ServerDraft>) => void
  faults: Readonly<Record<string, string>>
  mayChooseType: boolean
}

function General({ server, draft, onDraft, faults, mayChooseType }: GeneralProps) {
  const { t } = useTranslation('deviceAdministration')
  const isVendor = useMay('administerSystem')
  return (
    <div className="form-fields">
      {server?.warnings.map((warning) => (
        <Alert key={warning.code} color="yellow">
          {warningWords(t, warning)}
        </Alert>
      ))}
      {server === null && mayChooseType ? (
        <NativeSelect
          label={t('column.type')}
          data={ServerType.options.map((value) => ({ value, label: t(`type.${value}`) }))}
          value={draft.type}
          onChange={(event) => onDraft({ type: ServerType.parse(event.currentTarget.value) })}
        />
      ) : null}
      <DeviceFields draft={draft} onDraft={onDraft} faults={faults} isNew={server === null} mayMove={false} />
      {draft.type === 'db_gateway' ? <GatewayFields draft={draft} onDraft={onDraft} faults={faults} /> : null}
      {server && draft.type !== 'db_gateway' ? (
        <ServerSettingsFields
          settings={draft.settings}
          onSettings={(changes) => onDraft({ settings: { ...draft.settings, ...changes } })}
          faults={faults}
          capabilities={server.capabilities}
        />
      ) : null}
      {server && isVendor ? (
        <TextInput
          type="date"
          label={t('expiration')}
          description={t('expirationHint')}
          value={draft.expiration}
          error={faults.expiration}
          onChange={(event) => onDraft({ expiration: event.currentTarget.value })}
        />
      ) : null}
    </div>
  )
}

function GatewayFields({ draft, onDraft, faults }: Pick<GeneralProps, 'draft' | 'onDraft' | 'faults'>) {
  const { t } = useTranslation('deviceAdministration')
  const others = useValue(inventoryChoices).filter(({ id }) => id !== draft.inventory)
  return (
    <>
      <TextInput
        label={t('address')}
        description={t('addressHint')}
        value={draft.address}
        error={faults.address}
        onChange={(event) => onDraft({ address: event.currentTarget.value })}
      />
      {others.length > 0 ? (
        <MultiSelect
          label={t('sharers')}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.inventories}
          error={faults.inventories}
          searchable
          onChange={(inventories) => onDraft({ inventories })}
        />
      ) : null}
    </>
  )
}
