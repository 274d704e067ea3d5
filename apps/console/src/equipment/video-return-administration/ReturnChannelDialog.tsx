// One video return channel in parts: what it is, what it takes in and sends, who may use it, and its server.
import {
  type AdministeredVrChannel,
  defaultVrSettings,
  NewVrChannel,
} from '@backhaul/contract/nouns/video-return'
import { Modal, Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { GroupsTab } from '../channel-administration/GroupsTab.tsx'
import { FormatFields, GeneralFields, InputFields } from './ReturnChannelFields.tsx'
import { ServerTab } from './ServerTab.tsx'
import { returning, saveChannel } from './video-return-administration.ts'

interface ReturnChannelDialogProps {
  /** null: a new one. */
  channel: AdministeredVrChannel | null
  onDelete: () => void
  onClose: () => void
}

/** As typed: a figure is text while its field is empty. */
export type ReturnForm = Omit<NewVrChannel, 'video' | 'destinationPort'> & {
  video: { codec: NewVrChannel['video']['codec']; bitrateKbps: number | string }
  destinationPort: number | string
}

export interface ReturnFieldsProps {
  form: ReturnForm
  onForm: (changes: Partial<ReturnForm>) => void
  channel: AdministeredVrChannel | null
  faults: Readonly<Record<string, string>>
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
  const [form, setForm] = useState(() => formOf(channel))
  const saving = useSaving()
  const onForm = (changes: Partial<ReturnForm>) => setForm((now) => ({ ...now, ...changes }))

  async function save(): Promise<void> {
    const saved = await saving.runChecked({
      schema: NewVrChannel,
      typed: { ...form, destinationPort: form.destinationPort === '' ? null : form.destinationPort },
      title: t('incomplete'),
      ask: (wish) => saveChannel(channel, wish),
    })
    if (!saved) return
    toast({ title: t('saved'), text: saved.name, tone: 'good' })
    onClose()
  }

  const fields = { form, onForm, channel, faults: saving.faults }
  const part = (children: ReactNode) => (
    <DialogForm
      mayWrite
      fault={saving.words}
      busy={saving.busy}
      onCancel={onClose}
      onOk={() => void save()}
      onDelete={channel ? onDelete : undefined}
    >
      <div className="dialog-part">{children}</div>
    </DialogForm>
  )
  return (
    <Modal
      opened
      onClose={onClose}
      size={680}
      title={channel ? t('editTitle', { name: channel.name }) : t('addTitle')}
    >
      <Tabs defaultValue="general" keepMounted={false}>
        <Tabs.List aria-label={t('tabs.label')}>
          <Tabs.Tab value="general">{t('tabs.general')}</Tabs.Tab>
          <Tabs.Tab value="inputs">{t('tabs.inputs')}</Tabs.Tab>
          <Tabs.Tab value="format">{t('tabs.format')}</Tabs.Tab>
          {channel ? <Tabs.Tab value="groups">{t('tabs.groups')}</Tabs.Tab> : null}
          {channel ? <Tabs.Tab value="server">{t('tabs.server')}</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="general">{part(<GeneralFields {...fields} />)}</Tabs.Panel>
        <Tabs.Panel value="inputs">{part(<InputFields {...fields} />)}</Tabs.Panel>
        <Tabs.Panel value="format">{part(<FormatFields {...fields} />)}</Tabs.Panel>
        {channel ? (
          <Tabs.Panel value="groups">
            <GroupsTab channel={channel} association={returning} onClose={onClose} />
          </Tabs.Panel>
        ) : null}
        {channel ? (
          <Tabs.Panel value="server">
            <ServerTab serverId={channel.serverId} serverName={channel.serverName} onClose={onClose} />
          </Tabs.Panel>
        ) : null}
      </Tabs>
    </Modal>
  )
}
