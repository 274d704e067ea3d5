import type { Channel } from '@backhaul/contract/nouns/channels'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { channelStore } from '../channels/channels.ts'
import { type Held, heldPeak, meterShare } from './meter.ts'
import styles from './previews.module.css'

/** Sound levels of a channel: bars by RMS, a mark that holds the peak. It moves outside React, several times a second. */
export function AudioMeter({ channelId, bars }: { channelId: string; bars: number }) {
  const { t } = useTranslation('previews')
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const held: Held[] = []
    const paint = () => {
      const channel = channelStore.get(channelId)
      if (root.current && channel) paintLevels(root.current, channel, held)
    }
    paint()
    return channelStore.subscribeItem(channelId, paint)
  }, [channelId])
  return (
    <div
      ref={root}
      className={styles.audioMeter}
      data-part="audio-meter"
      data-narrow={bars > 4 || undefined}
      role="img"
      aria-label={t('levels')}
    >
      {Array.from({ length: bars }, (_, bar) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its audio channel
        <span key={bar} className={styles.meterBar}>
          <i />
          <b />
        </span>
      ))}
    </div>
  )
}

function paintLevels(root: HTMLElement, channel: Channel, held: Held[]): void {
  const nowMs = performance.now()
  for (const [index, bar] of [...root.children].entries()) {
    const level = channel.levels[index]
    const [fill, mark] = [...bar.children] as HTMLElement[]
    const peak = heldPeak(held[index], level?.peakDb ?? -100, nowMs)
    held[index] = peak
    fill?.style.setProperty('--level', String(level ? meterShare(level.rmsDb) : 0))
    mark?.style.setProperty('--level', String(meterShare(peak.db)))
    bar.toggleAttribute('data-clipping', peak.db > -1)
  }
  const loudest = Math.max(-100, ...channel.levels.map((level) => level.peakDb))
  root.dataset.peakDb = loudest.toFixed(1)
}
