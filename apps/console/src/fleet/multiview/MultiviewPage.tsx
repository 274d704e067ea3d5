// /unit/multiview: the channels of the group on one wall.
import { channelIsIn, displayedChannelName } from '@backhaul/contract/nouns/channels'
import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import { IconLayoutGrid, IconListDetails } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setPreferences, usePreference } from '../../session/preferences/preferences.ts'
import { useListVersion } from '../../ui/keyed-store.ts'
import { Split } from '../../ui/Split.tsx'
import type { SplitSize } from '../../ui/split-size.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { useValue } from '../../ui/value.ts'
import { byChannelName, channelStore, channelsState } from '../channels/channels.ts'
import { ChannelPanel } from './ChannelPanel.tsx'
import { cleared, filled, freeTile, type Layout, placed, shownChannels, tileCounts } from './layout.ts'
import styles from './multiview.module.css'
import { Tile } from './Tile.tsx'

export function MultiviewPage() {
  const isNarrow = useNarrow()
  const kept = isNarrow ? 'narrowMultiview' : 'multiview'
  const layout = usePreference((all) => all[kept])
  const state = useValue(channelsState)
  useListVersion(channelStore)
  const [focused, setFocused] = useState(0)
  const [isChoosing, setChoosing] = useState(false)
  const save = useCallback((next: Layout) => setPreferences({ [kept]: next }), [kept])
  const shown = shownChannels(layout, (id) => channelStore.get(id) !== undefined)
  // A wall that was never arranged shows what is live, so that the first look is not empty.
  useEffect(() => {
    if (state === 'ready' && layout.channels.length === 0 && channelStore.size() > 0)
      save(filled(layout, liveFirst()))
  }, [state, layout, save])
  const place = (id: string) => {
    const tile = shown[focused] === null ? focused : freeTile(shown)
    save(placed(layout, id, tile))
    setFocused(tile)
    setChoosing(false)
  }
  const panel = <ChannelPanel shown={shown} onPlace={place} />
  const wall = (choose: ReactNode) => (
    <Wall
      layout={layout}
      shown={shown}
      focused={focused}
      choose={choose}
      onFocus={setFocused}
      onChange={save}
    />
  )
  if (!isNarrow) return <BesideEachOther panel={panel} wall={wall(null)} />
  return isChoosing ? (
    <div className={styles.narrowChannels}>
      <ChooseButton isChoosing onClick={() => setChoosing(false)} />
      {panel}
    </div>
  ) : (
    wall(<ChooseButton isChoosing={false} onClick={() => setChoosing(true)} />)
  )
}

/** On a narrow screen the panel takes the place of the wall instead of a part of its width. */
function ChooseButton({ isChoosing, onClick }: { isChoosing: boolean; onClick: () => void }) {
  const { t } = useTranslation('multiview')
  return (
    <button type="button" className={`plain-button ${styles.chooseChannels}`} onClick={onClick}>
      {isChoosing ? <IconLayoutGrid size={15} /> : <IconListDetails size={15} />}
      {t(isChoosing ? 'backToWall' : 'chooseChannels')}
    </button>
  )
}

const defaultWidth = `${defaultPreferences().leftPanelWidth}px` as const

function BesideEachOther({ panel, wall }: { panel: ReactNode; wall: ReactNode }) {
  const { t } = useTranslation('multiview')
  const width = usePreference((all) => all.leftPanelWidth)
  return (
    <Split
      isSideFirst
      side={panel}
      sideLabel={t('resize')}
      sideMin={200}
      sideMax="640px"
      size={`${width}px`}
      defaultSize={defaultWidth}
      onSize={rememberWidth}
      main={wall}
      mainMin={320}
    />
  )
}

interface WallProps {
  layout: Layout
  shown: readonly (string | null)[]
  focused: number
  /** First in the bar. */
  choose: ReactNode
  onFocus: (tile: number) => void
  onChange: (layout: Layout) => void
}

function Wall({ layout, shown, focused, choose, onFocus, onChange }: WallProps) {
  const { t } = useTranslation('multiview')
  const isEmpty = shown.every((id) => id === null)
  return (
    <div className={styles.wall}>
      <div className={styles.wallBar}>
        {choose}
        <fieldset className={styles.wallSizes} data-part="wall-sizes">
          <legend className="visually-hidden">{t('tiles')}</legend>
          {tileCounts.map((count) => (
            <button
              key={count}
              type="button"
              className="plain-button"
              aria-pressed={layout.tiles === count}
              onClick={() => onChange({ ...layout, tiles: count })}
            >
              {count}
            </button>
          ))}
        </fieldset>
        <button type="button" className="plain-button" onClick={() => onChange(filled(layout, liveFirst()))}>
          {t('fill')}
        </button>
        {isEmpty ? <p className={`quiet ${styles.wallHint}`}>{t('hint')}</p> : null}
      </div>
      <ul
        className={styles.wallTiles}
        data-tiles={layout.tiles}
        style={{ '--side': Math.sqrt(layout.tiles) } as React.CSSProperties}
      >
        {shown.map((id, tile) => (
          <Tile
            // biome-ignore lint/suspicious/noArrayIndexKey: a tile is its place on the wall
            key={tile}
            place={tile}
            channelId={id}
            focused={tile === focused}
            heard={id !== null && layout.audio === id}
            onFocus={() => onFocus(tile)}
            onHear={(hear) => onChange({ ...layout, audio: hear ? id : null })}
            onClear={() => onChange(cleared(layout, tile))}
            onDrop={(dropped) => {
              onChange(placed(layout, dropped, tile))
              onFocus(tile)
            }}
          />
        ))}
      </ul>
    </div>
  )
}

function rememberWidth(size: SplitSize): void {
  setPreferences({ leftPanelWidth: Math.round(Number.parseFloat(`${size}`)) })
}

/** Collecting channels first, each set by name; several cameras have no picture but those of their channels. */
function liveFirst(): string[] {
  const channels = channelStore.ids().flatMap((id) => channelStore.get(id) ?? [])
  const rank = (status: (typeof channels)[number]['status']) =>
    channelIsIn(status, 'collecting') ? 0 : channelIsIn(status, 'offline') ? 2 : 1
  return channels
    .filter(({ name, kind }) => displayedChannelName(name) !== '' && kind !== 'GROUP_CHANNEL')
    .sort((a, b) => rank(a.status) - rank(b.status) || byChannelName(a, b))
    .map((channel) => channel.uniqueId)
}
