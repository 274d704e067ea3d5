import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChannelPicture } from '../previews/ChannelPicture.tsx'
import { PictureFrame, PictureWords } from '../previews/PictureFrame.tsx'
import { RecordButton } from '../previews/RecordButton.tsx'
import { TallyButton } from '../previews/TallyButton.tsx'
import styles from './unit-page.module.css'
import type { LiveUnit } from './units-live.ts'

interface UnitPictureProps {
  unit: LiveUnit
  /** Shows the controls of the channel too. */
  withActs?: boolean
}

/** The picture of the unit's channel: moving while the unit transmits, the last still otherwise. */
export function UnitPicture({ unit, withActs = false }: UnitPictureProps) {
  const { t } = useTranslation('units')
  const [muted, setMuted] = useState(true)
  const channelId = unit.transmission?.channelId ?? unit.channelId
  if (channelId === null)
    return (
      <PictureFrame>
        <PictureWords>{t('page.noChannel')}</PictureWords>
      </PictureFrame>
    )
  return (
    <>
      <ChannelPicture
        channelId={channelId}
        live={unit.transmission !== null}
        muted={muted}
        onMuted={setMuted}
      />
      {withActs ? (
        <div className={styles.acts}>
          <TallyButton channelId={channelId} />
          <RecordButton channelId={channelId} />
        </div>
      ) : null}
    </>
  )
}
