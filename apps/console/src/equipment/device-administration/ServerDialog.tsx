// A server in parts: its name, its customer and its settings; and its report.
import {
  type AdministeredServer,
  NewServer,
  ServerChange,
} from '@backhaul/contract/nouns/device-administration'
import { gate } from '@backhaul/contract/nouns/gates'
import { MAX_CHANNELS, ServerType } from '@backhaul/contract/nouns/servers'
import { Alert, MultiSelect, NativeSelect, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldsOf, useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { inventoryChoices } from '../../people/inventory-names/inventory-names.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { useValue } from '../../ui/value.ts'
import { FeedsTab } from '../feeds/FeedsTab.tsx'
import { IngestChannels } from '../ingest/IngestChannels.tsx'
import { DeviceFields } from './DeviceFields.tsx'
import { changeServer, createServer } from './device-administration.ts'
import { ServerInfo } from './ServerInfo.tsx'
import { ServerIpPipe } from './ServerIpPipe.tsx'
import { ServerSettingsFields } from './ServerSettingsFields.tsx'
import { ServerSmpte } from './ServerSmpte.tsx'
import { changesOf, draftOf, recordOf, type ServerDraft } from './server-form.ts'
import { warningText } from './server-texts.ts'

interface ServerDialogProps extends ItemEnds {
  /** null: a new one. */
  server: AdministeredServer | null
  /** Type of a new server, where the list is of one type. */
  type: ServerType | undefined
}

export function ServerDialog(props: ServerDialogProps) {
  return props.server ? <KnownServer {...props} server={props.server} /> : <AddedServer {...props} />
}

function AddedServer({ type, onClose }: ServerDialogProps) {
  const { t } = useTranslation('deviceAdministration')
  const record = useRecordForm({
    start: () => draftOf(null, type ?? 'mmh_server'),
    schema: NewServer,
    requestOf: recordOf,
    save: createServer,
  })
  return (
    <RecordDialog
      title={t('server.addTitle')}
      size={680}
      record={record}
      done={(saved) => ({ title: t('server.saved'), text: saved.name })}
      onClose={onClose}
    >
      <General server={null} record={record} mayChooseType={!type} />
    </RecordDialog>
  )
}

function KnownServer({ server, onDelete, onClose }: ServerDialogProps & { server: AdministeredServer }) {
  const { t } = useTranslation('deviceAdministration')
  const [before] = useState(() => draftOf(server, server.type))
  const record = useRecordForm({
    start: () => before,
    schema: ServerChange,
    requestOf: (draft) => changesOf(before, draft),
    save: (change) => changeServer(server.uid, change),
  })
  const { uid, name, type } = server
  const closed = gate('serverInfo', { serverVersion: server.swVersion })
  return (
    <TabbedRecord
      title={t('server.editTitle', { name })}
      size={680}
      height={480}
      label={t('tabs.label')}
      record={record}
      done={() => ({ title: t('server.saved'), text: record.values.name })}
      tabs={[
        {
          id: 'general',
          label: t('tabs.general'),
          fields: <General server={server} record={record} mayChooseType={false} />,
        },
        type === 'ingest_server'
          ? { id: 'channels', label: t('tabs.channels'), fields: <IngestChannels serverId={uid} /> }
          : undefined,
        type === 'transceiver_server'
          ? { id: 'feeds', label: t('tabs.feeds'), fields: <FeedsTab serverId={uid} /> }
          : undefined,
        {
          id: 'info',
          label: t('tabs.info'),
          closed: closed && reasonText(closed),
          fields: <ServerInfo id={uid} />,
        },
        type === 'mmh_server'
          ? { id: 'smpte', label: t('tabs.smpte'), own: <ServerSmpte server={server} onClose={onClose} /> }
          : undefined,
        type === 'mmh_server'
          ? { id: 'ipPipe', label: t('tabs.ipPipe'), own: <ServerIpPipe server={server} onClose={onClose} /> }
          : undefined,
      ]}
      onDelete={onDelete}
      onClose={onClose}
    />
  )
}

interface GeneralProps {
  server: AdministeredServer | null
  record: FieldsOf<ServerDraft>
  mayChooseType: boolean
}

function General({ server, record, mayChooseType }: GeneralProps) {
  const { values: draft, set: onDraft, faults } = record
  const { t } = useTranslation('deviceAdministration')
  const isVendor = useMay('administerSystem')
  return (
    <div className="form-fields">
      {server?.warnings.map((warning) => (
        <Alert key={warning.code} color="yellow">
          {warningText(t, warning)}
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
      <DeviceFields record={record} isNew={server === null} mayMove={false} />
      {draft.type === 'db_gateway' ? <GatewayFields record={record} /> : null}
      {server && draft.type !== 'db_gateway' ? (
        <ServerSettingsFields
          settings={draft.settings}
          onSettings={(changes) => onDraft({ settings: { ...draft.settings, ...changes } })}
          faults={faults}
          capabilities={server.capabilities}
        />
      ) : null}
      {server && isVendor ? (
        <>
          <NumberInput
            label={t('outputChannels')}
            description={t('outputChannelsHint')}
            value={draft.outputChannels}
            error={faults.outputChannels}
            min={0}
            max={MAX_CHANNELS}
            allowDecimal={false}
            clampBehavior="none"
            onChange={(outputChannels) => onDraft({ outputChannels })}
          />
          <TextField
            record={record}
            name="expiration"
            type="date"
            label={t('expiration')}
            description={t('expirationHint')}
          />
        </>
      ) : null}
    </div>
  )
}

function GatewayFields({ record }: Pick<GeneralProps, 'record'>) {
  const { values: draft, set: onDraft, faults } = record
  const { t } = useTranslation('deviceAdministration')
  const others = useValue(inventoryChoices).filter(({ id }) => id !== draft.inventory)
  return (
    <>
      <TextField record={record} name="address" label={t('address')} description={t('addressHint')} />
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
