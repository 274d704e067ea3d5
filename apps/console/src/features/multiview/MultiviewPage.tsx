// /unit/multiview: the channels of the group on one wall.
import { channelIsIn, displayedChannelName } from '@backhaul/contract/nouns/channels'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useListVersion } from '../../ui/keyed-store.ts'
import { useValue } from '../../ui/value.ts'
import { byChannelName, channelStore, channelsState } from '../channels/channels.ts'
import { preferences, setPreferences, usePreference } from '../preferences/preferences.ts'
import { ChannelPanel } from './ChannelPanel.tsx'
import { cleared, filled, freeTile, type Layout, placed, shownChannels, tileCounts } from './layout.ts'
import { Tile } from './Tile.tsx'
import './multiview.css'

export function MultiviewPage() {
  const { t } = useTranslation('multiview')
  const layout = usePreference((all) => all.multiview)
  const width = usePreference((all) => all.leftPanelWidth)
  const firstWidth = useRef(width)
  const state = useValue(channelsState)
  useListVersion(channelStore)
  const [focused, setFocused] = useState(0)
  const save = useCallback((next: Layout) => setPreferences({ multiview: next }), [])
  const shown = shownChannels(layout, (id) => channelStore.get(id) !== undefined)
  const isEmpty = shown.every((id) => id === null)
  // A wall that was never arranged shows what is live, so that the first look is not empty.
  useEffect(() => {
    if (state === 'ready' && layout.channels.length === 0 && channelStore.size() > 0)
      save(filled(layout, liveFirst()))
  }, [state, layout, save])
  return (
    <Group orientation="horizontal" className="split-view">
      <Panel
        id="channels"
        defaultSize={firstWidth.current}
        minSize={200}
        maxSize={640}
        groupResizeBehavior="preserve-pixel-size"
        onResize={rememberWidth}
      >
        <ChannelPanel
          shown={shown}
          onPlace={(id) => {
            const tile = shown[focused] === null ? focused : freeTile(shown)
            save(placed(layout, id, tile))
            setFocused(tile)
          }}
        />
      </Panel>
      <Separator className="split-handle" aria-label={t('resize')} />
      <Panel id="wall" minSize={320}>
        <div className="wall">
          <div className="wall-bar">
            <fieldset className="wall-sizes">
              <legend className="visually-hidden">{t('tiles')}</legend>
              {tileCounts.map((count) => (
                <button
                  key={count}
                  type="button"
                  className="plain-button"
                  aria-pressed={layout.tiles === count}
                  onClick={() => save({ ...layout, tiles: count })}
                >
                  {count}
                </button>
              ))}
            </fieldset>
            <button type="button" className="plain-button" onClick={() => save(filled(layout, liveFirst()))}>
              {t('fill')}
            </button>
            {isEmpty ? <p className="quiet wall-hint">{t('hint')}</p> : null}
          </div>
          <ul
            className="wall-tiles"
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
                onFocus={() => setFocused(tile)}
                onHear={(hear) => save({ ...layout, audio: hear ? id : null })}
                onClear={() => save(cleared(layout, tile))}
                onDrop={(dropped) => {
                  save(placed(layout, dropped, tile))
                  setFocused(tile)
                }}
              />
            ))}
          </ul>
        </div>
      </Panel>
    </Group>
  )
}

/** The first size is the remembered one itself; what follows is the operator's hand. */
function rememberWidth({ inPixels }: { inPixels: number }): void {
  const leftPanelWidth = Math.round(inPixels)
  if (leftPanelWidth > 0 && preferences.get().leftPanelWidth !== leftPanelWidth)
    setPreferences({ leftPanelWidth })
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
