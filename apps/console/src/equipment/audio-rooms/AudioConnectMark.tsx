// In the top bar: the audio room that this page is in, wherever the person looks meanwhile.
import { IconHeadset } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useValue } from '../../ui/value.ts'
import styles from './audio-rooms.module.css'
import { audioConnect, leave } from './audio-rooms.ts'

export function AudioConnectMark() {
  const { t } = useTranslation('audioRooms')
  const { state, room, hears } = useValue(audioConnect)
  if (!room) return null
  return (
    <div className={styles.audioMark} role="status" data-state={state}>
      <IconHeadset size={16} aria-hidden />
      <span className="clip">{room.name}</span>
      {state === 'leave' ? <span className="quiet">{t('hears', { count: hears })}</span> : null}
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
