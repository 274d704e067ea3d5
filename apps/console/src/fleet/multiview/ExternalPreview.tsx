// The picture of a channel for a browser outside the house: core reports whether it is available, then relays help.
import { channels as calls } from '@backhaul/contract/api/channels'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { gate } from '@backhaul/contract/nouns/gates'
import { Alert } from '@mantine/core'
import { IconWorldShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { ChannelPicture } from '../previews/ChannelPicture.tsx'
import styles from './multiview.module.css'

/** Lifetime of the relay's password, s. */
const relayLastsS = 3600

export function ExternalPreviewButton({ channel }: { channel: Channel }) {
  const { t } = useTranslation('multiview')
  const { features } = useGroups()
  const [isOpen, setOpen] = useState(false)
  const refused = gate('externalPreview', { groupFeatures: features })
  const { wrapperProps, ...closed } = disabledBecause(refused && reasonText(refused)) as {
    wrapperProps?: object
    disabled?: boolean
  }
  return (
    <>
      <span {...wrapperProps}>
        <button
          type="button"
          className="plain-button icon-button"
          aria-label={t('external.open', { name: displayedChannelName(channel.name) })}
          {...closed}
          onClick={() => setOpen(true)}
        >
          <IconWorldShare size={13} />
        </button>
      </span>
      {isOpen ? <ExternalPreview channel={channel} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ExternalPreview({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation('multiview')
  const { current } = useGroups()
  const [muted, setMuted] = useState(true)
  const group = current?.uid ?? ''
  const identifier = current?.inventoryName ?? ''
  const params = { group, id: channel.uniqueId }
  const { data: access, errorText } = useRead(calls.accessibility, { params }, { isStart: true })
  const query = { identifier, turnExpiration: relayLastsS }
  const isAsked = access?.accessible === true
  const relays = useRead(calls.stunTurn, { query }, { isAsked, isStart: true })
  const iceServers = relays.data?.iceServers
  const refused = access && !access.accessible ? givenReason(access) : undefined
  const reason = refused ?? errorText ?? relays.errorText
  return (
    <Dialog
      onClose={onClose}
      size={760}
      title={t('external.title', { name: displayedChannelName(channel.name) })}
    >
      {reason ? <Alert color="yellow">{reason}</Alert> : null}
      {iceServers ? (
        <div className={styles.externalPicture} data-part="external-picture">
          <ChannelPicture
            channelId={channel.uniqueId}
            live
            muted={muted}
            onMuted={setMuted}
            iceServers={iceServers}
          />
        </div>
      ) : null}
      {reason || iceServers ? null : <p className="quiet">{t('external.asking')}</p>}
    </Dialog>
  )
}
