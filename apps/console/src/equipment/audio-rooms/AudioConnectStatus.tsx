// In the top bar: the audio room that this page is in, wherever the user looks meanwhile.
import { IconHeadset, IconMicrophone, IconMicrophoneOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useValue } from '../../ui/value.ts'
import styles from './audio-rooms.module.css'
import { audioConnect, leave, setPushToTalk, talk } from './audio-rooms.ts'

export function AudioConnectStatus() {
  const { t } = useTranslation('audioRooms')
  const { state, room, hears, pushToTalk, talks } = useValue(audioConnect)
  if (!room) return null
  return (
    <div className={styles.audioMark} role="status" data-state={state}>
      <IconHeadset size={16} aria-hidden />
      <span className="clip">{room.name}</span>
      {state === 'leave' ? <span className="quiet">{t('hears', { count: hears })}</span> : null}
      {state === 'leave' && pushToTalk ? <TalkButton talks={talks} /> : null}
      {state === 'leave' ? (
        <button
          type="button"
          className="plain-button tool-button"
          aria-pressed={pushToTalk}
          aria-label={t('pushToTalk')}
          data-tip={t('pushToTalk')}
          onClick={() => setPushToTalk(!pushToTalk)}
        >
          {pushToTalk && !talks ? (
            <IconMicrophoneOff size={16} aria-hidden />
          ) : (
            <IconMicrophone size={16} aria-hidden />
          )}
        </button>
      ) : null}
      <button
        type="button"
        className="plain-button tool-button"
        disabled={state !== 'leave'}
        onClick={() => void leave()}
      >
        {t(`state.${state}`)}
      </button>
    </div>
  )
}

/** Opens the microphone while it is held, by the pointer, or by the space bar or Enter. */
function TalkButton({ talks }: { talks: boolean }) {
  const { t } = useTranslation('audioRooms')
  const isKey = ({ key }: { key: string }) => key === ' ' || key === 'Enter'
  return (
    <button
      type="button"
      className="plain-button tool-button"
      aria-pressed={talks}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        talk(true)
      }}
      onPointerUp={() => talk(false)}
      onPointerCancel={() => talk(false)}
      onKeyDown={(event) => isKey(event) && talk(true)}
      onKeyUp={(event) => isKey(event) && talk(false)}
      onBlur={() => talk(false)}
    >
      {t('holdToTalk')}
    </button>
  )
}
