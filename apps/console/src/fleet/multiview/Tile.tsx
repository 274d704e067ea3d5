import { type Channel, channelIsIn, displayedChannelName } from '@backhaul/contract/nouns/channels'
import { IconX } from '@tabler/icons-react'
import type { DragEvent, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useClosed } from '../../people/groups/groups.ts'
import { useItem } from '../../ui/keyed-store.ts'
import { mbpsText } from '../../ui/locale.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { isSwitchedOff } from '../../ui/use-hot-key.ts'
import { channelGlyph, channelStore } from '../channels/channels.ts'
import { ChannelPicture } from '../previews/ChannelPicture.tsx'
import { useSelectedUnit } from '../units/units.ts'
import { ExternalPreviewButton } from './ExternalPreview.tsx'
import styles from './multiview.module.css'

export const channelDragType = 'application/x-backhaul-channel'

interface TileProps {
  place: number
  channelId: string | null
  focused: boolean
  heard: boolean
  onFocus: () => void
  onHear: (hear: boolean) => void
  onClear: () => void
  onDrop: (channelId: string) => void
}

export function Tile({ place, channelId, focused, heard, onFocus, onHear, onClear, onDrop }: TileProps) {
  const { t } = useTranslation('multiview')
  const channel = useItem(channelStore, channelId)
  const rateClosed = useClosed('rateGauge')
  const [selectedUid, select] = useSelectedUnit()
  const unitId = channel?.allocatedToUnitUid || null
  const focus = () => {
    onFocus()
    // The wall, the list and the map have one selected unit.
    if (unitId !== null) select(unitId)
  }
  const accept = (event: DragEvent) => {
    if (event.dataTransfer.types.includes(channelDragType)) event.preventDefault()
  }
  const drop = (event: DragEvent) => {
    const id = event.dataTransfer.getData(channelDragType)
    if (id) onDrop(id)
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Delete' && channel) onClear()
    else if (event.key === 'm' && channel && !isSwitchedOff('m')) onHear(!heard)
    else return
    event.preventDefault()
  }
  const name = channel ? displayedChannelName(channel.name) : t('empty', { place: place + 1 })
  const unit = channel?.allocatedToUnitAlias
  const rate = channel && rateClosed === undefined ? rateOf(channel) : ''
  return (
    <li
      className={styles.tile}
      data-part="tile"
      data-focused={focused || undefined}
      data-unit-selected={(unitId !== null && unitId === selectedUid) || undefined}
      onDragOver={accept}
      onDrop={drop}
      onKeyDown={key}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the panel's rows place channels by keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the name below it is a button that does the same */}
      <div
        className={styles.tilePicture}
        data-part="tile-picture"
        onClick={focus}
        draggable={channel !== undefined}
        onDragStart={(event) => channelId && event.dataTransfer.setData(channelDragType, channelId)}
      >
        {channel ? (
          <ChannelPicture
            channelId={channel.uniqueId}
            live={focused || channel.tally.onAir}
            muted={!heard}
            onMuted={(muted) => onHear(!muted)}
          />
        ) : (
          <div className={styles.tileEmpty}>{t('dropHere')}</div>
        )}
      </div>
      <div className={styles.tileLabel}>
        <button
          type="button"
          className={styles.tileName}
          data-part="tile-name"
          aria-pressed={focused}
          data-tip={[name, unit, rate].filter(Boolean).join(' · ')}
          onClick={focus}
        >
          {channel ? <StatusGlyph {...channelGlyph(channel)} size={12} /> : null}
          <span className={`clip ${styles.tileChannel}`} data-part="tile-channel">
            {name}
          </span>
          {unit ? <span className={`quiet clip ${styles.tileUnit}`}>{unit}</span> : null}
        </button>
        {rate ? (
          <span className={styles.tileRate} data-part="tile-rate">
            {rate}
          </span>
        ) : null}
        {channel ? (
          <div className={styles.tileActions}>
            <ExternalPreviewButton channel={channel} />
            <button
              type="button"
              className={`plain-button icon-button ${styles.tileClear}`}
              data-part="tile-clear"
              aria-label={t('clear', { name })}
              data-tip={t('clear', { name })}
              onClick={onClear}
            >
              <IconX size={13} />
            </button>
          </div>
        ) : null}
      </div>
    </li>
  )
}

function rateOf(channel: Channel): string {
  return channel.reception && channelIsIn(channel.status, 'collecting')
    ? mbpsText(channel.reception.kbps)
    : ''
}
