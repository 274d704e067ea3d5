// One channel in parts: its settings, its groups, and its further outputs; each part is saved by itself.
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { receiving } from './channel-administration.ts'
import { GeneralTab } from './GeneralTab.tsx'
import { GroupsTab } from './GroupsTab.tsx'
import { MultipointTab } from './MultipointTab.tsx'
import { NdiTab } from './NdiTab.tsx'
import { OverlayTab } from './OverlayTab.tsx'
import { SmpteTab } from './SmpteTab.tsx'
import { StreamingTab } from './StreamingTab.tsx'

interface ChannelDialogProps {
  channel: AdministeredChannel
  onDelete: () => void
  onClose: () => void
}

export function ChannelDialog({ channel, onDelete, onClose }: ChannelDialogProps) {
  const { t } = useTranslation('channels')
  const tab = { channel, onClose }
  // It receives by its members, and so do they send.
  const isGroup = channel.kind === 'GROUP_CHANNEL'
  return (
    <Dialog onClose={onClose} title={t('editTitle', { name: channel.name })} size={680}>
      <Tabs defaultValue="general" keepMounted={false}>
        <Tabs.List aria-label={t('tabs.label')}>
          <Tabs.Tab value="general">{t('tabs.general')}</Tabs.Tab>
          <Tabs.Tab value="groups">{t('tabs.groups')}</Tabs.Tab>
          {isGroup ? null : <Tabs.Tab value="multipoint">{t('tabs.multipoint')}</Tabs.Tab>}
          {isGroup ? null : <Tabs.Tab value="ndi">{t('tabs.ndi')}</Tabs.Tab>}
          {isGroup ? null : <Tabs.Tab value="streaming">{t('tabs.streaming')}</Tabs.Tab>}
          {isGroup ? null : <Tabs.Tab value="overlay">{t('tabs.overlay')}</Tabs.Tab>}
          {/* The picture of an encoder is not put out again. */}
          {isGroup || channel.inputType !== null ? null : (
            <Tabs.Tab value="smpte">{t('tabs.smpte')}</Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="general">
          <GeneralTab {...tab} onDelete={onDelete} />
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <GroupsTab {...tab} association={receiving} />
        </Tabs.Panel>
        <Tabs.Panel value="multipoint">
          <MultipointTab {...tab} />
        </Tabs.Panel>
        <Tabs.Panel value="ndi">
          <NdiTab {...tab} />
        </Tabs.Panel>
        <Tabs.Panel value="streaming">
          <StreamingTab {...tab} />
        </Tabs.Panel>
        <Tabs.Panel value="overlay">
          <OverlayTab {...tab} />
        </Tabs.Panel>
        <Tabs.Panel value="smpte">
          <SmpteTab {...tab} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  )
}
