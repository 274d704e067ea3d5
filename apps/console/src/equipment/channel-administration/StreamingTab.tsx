// Streaming of a channel by its server: the destinations, and the form of one of them.
import { destinations as calls } from '@backhaul/contract/api/destinations'
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import type { StreamingDestination } from '@backhaul/contract/nouns/destinations'
import { destinationAddress } from '@backhaul/contract/nouns/destinations'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import styles from './channel-administration.module.css'
import type { ChannelTabProps } from './channel-administration.ts'
import { DestinationForm } from './DestinationForm.tsx'
import { DestinationState } from './destination-states.tsx'
import { removeDestination } from './destinations.ts'
import { FfmpegForm } from './FfmpegForm.tsx'

/** Players fetch some from the server: their address is long, and copied rather than read. */
function PlayAddress({ destination }: { destination: StreamingDestination }) {
  const { t } = useTranslation('destinations')
  const { playUrl } = destination
  if (playUrl === undefined) return <span className="quiet clip">{destinationAddress(destination)}</span>
  if (playUrl === null) return <span className="quiet clip">{t('noAddress')}</span>
  return (
    <span className={styles.playAddress}>
      <span className="quiet clip" title={playUrl}>
        {playUrl}
      </span>
      <CopyButton text={playUrl} />
    </span>
  )
}

/** Shows whether options of the channel replace those of its destinations. */
function EncoderLine({ channel, onEdit }: { channel: AdministeredChannel; onEdit: () => void }) {
  const { t } = useTranslation('channels')
  const options = Object.entries(channel.ffmpegSettings).map(([option, value]) => `${option} ${value}`)
  return (
    <section className={styles.encoderLine}>
      <h3>{t('ffmpeg.title')}</h3>
      <span className="quiet clip" title={options.join(', ')}>
        {t(channel.ffmpegOverride ? 'ffmpeg.on' : 'ffmpeg.off')}
        {options.length === 0 ? '' : `: ${options.join(', ')}`}
      </span>
      <button type="button" className="plain-button" onClick={onEdit}>
        {t('ffmpeg.edit')}
      </button>
    </section>
  )
}

export function StreamingTab({ channel, onClose }: ChannelTabProps) {
  const { t } = useTranslation('destinations')
  const [edited, setEdited] = useState<StreamingDestination | 'new' | 'ffmpeg'>()
  const { uniqueId } = channel

  const { data: all, errorText, again } = useRead(calls.ofChannel, { body: { uid: uniqueId } })
  const removal = useAct()
  const fault = removal.words ?? errorText

  async function remove(id: string): Promise<void> {
    await removal.run(() => removeDestination(uniqueId, id))
    await again()
  }

  if (edited === 'ffmpeg') return <FfmpegForm channel={channel} onDone={() => setEdited(undefined)} />
  if (edited)
    return (
      <DestinationForm
        channelId={uniqueId}
        destination={edited === 'new' ? null : edited}
        onDone={() => {
          setEdited(undefined)
          void again()
        }}
      />
    )
  return (
    <>
      <div className="dialog-part">
        <div className={styles.destinationHead}>
          <p className="quiet">{t('hint')}</p>
          <AddButton label={t('add')} onClick={() => setEdited('new')} />
        </div>
        {fault === undefined ? null : <p role="alert">{fault}</p>}
        {all?.length === 0 ? <p className="quiet">{t('none.all')}</p> : null}
        <ul className={styles.destinationList}>
          {all?.map((one) => (
            <li key={one.id}>
              <strong className="clip">{one.name}</strong>
              <span className="quiet">{one.streamType}</span>
              <PlayAddress destination={one} />
              <DestinationState channelId={uniqueId} destination={one} />
              <button type="button" className="plain-button" onClick={() => setEdited(one)}>
                {t('edit')} <span className="visually-hidden">{one.name}</span>
              </button>
              <button type="button" className="plain-button" onClick={() => void remove(one.id)}>
                {t('remove')} <span className="visually-hidden">{one.name}</span>
              </button>
            </li>
          ))}
        </ul>
        <EncoderLine channel={channel} onEdit={() => setEdited('ffmpeg')} />
      </div>
      <ModalFooter mayWrite onCancel={onClose} />
    </>
  )
}
