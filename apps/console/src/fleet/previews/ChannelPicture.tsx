import {
  type Channel,
  channelIsIn,
  displayedChannelName,
  sessionRefusal,
} from '@backhaul/contract/nouns/channels'
import { IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { push } from '../../doors/push.ts'
import { useClosed } from '../../people/groups/groups.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { Age } from '../../ui/Age.tsx'
import { useItem } from '../../ui/keyed-store.ts'
import { useSecond } from '../../ui/seconds.ts'
import { channelStore, watchChannels } from '../channels/channels.ts'
import { AudioMeter } from './AudioMeter.tsx'
import { type PictureState, showLive } from './live-picture.ts'
import { PictureFrame, PictureWords } from './PictureFrame.tsx'
import styles from './previews.module.css'
import { type Still, useStill } from './previews.ts'
import { TallyLamp, useTally } from './TallyLamp.tsx'

interface ChannelPictureProps {
  channelId: string
  /** Moving pictures and sound instead of stills. */
  live: boolean
  muted?: boolean
  onMuted?: (muted: boolean) => void
  /** Servers that help to reach the picture from outside the house; the same value each time. */
  iceServers?: RTCIceServer[]
}

const noTally = { onAir: false, supportedByUnit: false }

/** A still older than this is no current picture, ms. */
const stillStaleMs = 5000

/** The picture of a channel: moving or as stills, with meters, tally frame, and the truth about a missing picture. */
export function ChannelPicture(props: ChannelPictureProps) {
  const { channelId, live, muted = true, onMuted, iceServers } = props
  const { t } = useTranslation('previews')
  const channel = useItem(channelStore, channelId)
  useEffect(() => watchChannels([channelId]), [channelId])
  const [state, setState] = useState<PictureState>('connecting')
  const closed = useClosed('preview')
  const mayAdminister = useMay('administerDevices')
  const link = useSyncExternalStore(push.onLink, () => push.link().kind)
  const tally = useTally(channel?.tally ?? noTally)
  const receives = channel !== undefined && channelIsIn(channel.status, 'collecting')
  const moving = live && receives && (state === 'webrtc' || state === 'stream')
  if (!channel)
    return (
      <PictureFrame>
        <PictureWords>{t('unknownChannel')}</PictureWords>
      </PictureFrame>
    )
  const reason = closed ?? (sessionRefusal(channel, mayAdminister) && reasonText('channel.private'))
  if (reason !== undefined)
    return (
      <PictureFrame>
        <PictureWords>{reason}</PictureWords>
      </PictureFrame>
    )
  return (
    <div
      className={styles.picture}
      data-part="picture"
      data-state={live && receives ? state : 'still'}
      data-tally={tally}
      data-levels={link === 'open' ? undefined : 'stale'}
    >
      {moving ? null : <StillPicture channelId={channelId} receives={receives} />}
      {live && receives ? (
        <LiveVideo
          channelId={channelId}
          muted={muted}
          shown={moving}
          onState={setState}
          iceServers={iceServers}
        />
      ) : null}
      <PictureNotes channel={channel} receives={receives} state={live ? state : undefined} />
      {receives && channel.levels.length > 0 ? (
        <AudioMeter channelId={channelId} bars={channel.levels.length} />
      ) : null}
      {moving && onMuted ? (
        <button
          type="button"
          className={`plain-button icon-button ${styles.pictureSound}`}
          aria-pressed={!muted}
          aria-label={t(muted ? 'unmute' : 'mute', { name: displayedChannelName(channel.name) })}
          onClick={() => onMuted(!muted)}
        >
          {muted ? <IconVolumeOff size={16} /> : <IconVolume size={16} />}
        </button>
      ) : null}
    </div>
  )
}

function LiveVideo({
  channelId,
  muted,
  shown,
  onState,
  iceServers,
}: {
  channelId: string
  muted: boolean
  shown: boolean
  onState: (state: PictureState) => void
  iceServers: RTCIceServer[] | undefined
}) {
  const { t } = useTranslation('previews')
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (!video.current) return
    const stop = showLive(channelId, video.current, onState, iceServers)
    return () => {
      stop()
      onState('connecting')
    }
  }, [channelId, onState, iceServers])
  return (
    <video
      ref={video}
      className={styles.pictureVideo}
      data-shown={shown}
      muted={muted}
      playsInline
      autoPlay
      aria-label={t('video')}
    />
  )
}

/** The newest still and, when it is no current picture, its age. */
export function StillPicture({ channelId, receives }: { channelId: string; receives: boolean }) {
  const { t } = useTranslation('previews')
  const still = useStill(channelId, receives)
  const nowMs = useSecond()
  if (!still) return <PictureWords>{t(receives ? 'waiting' : 'noPicture')}</PictureWords>
  const stale = !receives || nowMs - still.timeMs > stillStaleMs
  return (
    <>
      <DrawnStill still={still} stale={stale} />
      {stale ? (
        <span className={styles.pictureAge}>
          {t('stillFrom')} <Age atMs={still.timeMs} />
        </span>
      ) : null}
    </>
  )
}

function DrawnStill({ still, stale }: { still: Still; stale: boolean }) {
  const { t } = useTranslation('previews')
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const { picture } = still
    const context = canvas.current?.getContext('2d', { alpha: false })
    // Nothing is left of one that was forgotten.
    if (!context || picture.width === 0) return
    if (context.canvas.width !== picture.width) context.canvas.width = picture.width
    if (context.canvas.height !== picture.height) context.canvas.height = picture.height
    context.drawImage(picture, 0, 0)
  }, [still])
  return (
    <canvas
      ref={canvas}
      className={styles.pictureStill}
      data-part="picture-still"
      data-stale={stale || undefined}
      role="img"
      aria-label={t('still')}
    />
  )
}

function PictureNotes({
  channel,
  receives,
  state,
}: {
  channel: Channel
  receives: boolean
  state: PictureState | undefined
}) {
  const { t } = useTranslation('previews')
  const { health } = channel
  const notes = [
    ...(receives && state === 'silent' ? [t('noNewPicture')] : []),
    ...(receives && health?.black ? [t('black')] : []),
    ...(receives && health?.frozen ? [t('frozen')] : []),
    ...(receives && health?.silent ? [t('silent')] : []),
  ]
  return (
    <>
      <TallyLamp tally={channel.tally} className={styles.pictureOnAir} />
      {notes.length > 0 ? (
        <ul className={styles.pictureNotes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
