// One video return channel in parts: general, inputs and format, who may use it, and its server.
import {
  type AdministeredVrChannel,
  defaultVrSettings,
  NewVrChannel,
} from '@backhaul/contract/nouns/video-return'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { TabbedRecord } from '../../kit/TabbedRecord.tsx'
import { GroupsTab } from '../channel-administration/GroupsTab.tsx'
import { ShareLinksTab } from '../video-return-links/ShareLinksTab.tsx'
import { FormatFields, GeneralFields, InputFields, type ReturnForm } from './ReturnChannelFields.tsx'
import { ServerTab } from './ServerTab.tsx'
import { returning, saveChannel } from './video-return-administration.ts'

interface ReturnChannelDialogProps extends ItemEnds {
  /** null: a new one. */
  channel: AdministeredVrChannel | null
}

function formOf(channel: AdministeredVrChannel | null): ReturnForm {
  const settings = channel?.settings ?? defaultVrSettings
  return {
    ...settings,
    name: channel?.name ?? '',
    serverId: channel?.serverId ?? '',
    destinationPort: settings.destinationPort ?? '',
  }
}

export function ReturnChannelDialog({ channel, onDelete, onClose }: ReturnChannelDialogProps) {
  const { t } = useTranslation('videoReturn')
  const record = useRecordForm({
    start: () => formOf(channel),
    schema: NewVrChannel,
    requestOf: (form) => ({
      ...form,
      destinationPort: form.destinationPort === '' ? null : form.destinationPort,
    }),
    title: t('incomplete'),
    save: (request) => saveChannel(channel, request),
  })
  const fields = { record, channel }

  return (
    <TabbedRecord
      title={channel ? t('editTitle', { name: channel.name }) : t('addTitle')}
      size={680}
      height={400}
      label={t('tabs.label')}
      record={record}
      done={(saved) => ({ title: t('saved'), text: saved.name })}
      tabs={[
        { id: 'general', label: t('tabs.general'), fields: <GeneralFields {...fields} /> },
        { id: 'inputs', label: t('tabs.inputs'), fields: <InputFields {...fields} /> },
        { id: 'format', label: t('tabs.format'), fields: <FormatFields {...fields} /> },
        channel
          ? {
              id: 'groups',
              label: t('tabs.groups'),
              own: <GroupsTab channel={channel} association={returning} onClose={onClose} />,
            }
          : undefined,
        channel
          ? {
              id: 'links',
              label: t('tabs.links'),
              own: <ShareLinksTab channelId={channel.uniqueId} onClose={onClose} />,
            }
          : undefined,
        channel
          ? {
              id: 'server',
              label: t('tabs.server'),
              own: (
                <ServerTab serverId={channel.serverId} serverName={channel.serverName} onClose={onClose} />
              ),
            }
          : undefined,
      ]}
      onDelete={onDelete}
      onClose={onClose}
    />
  )
}
