// Reads the figures that ffmpeg's signalstats and astats print (libavfilter's metadata filters, one `key=value` a line).
import type { AudioLevel } from '@backhaul/contract/nouns/channels'

/** The measures of one key frame. Brightness from 0 to 255. */
export interface PictureMeasure {
  readonly averageBrightness: number
  /** Nine tenths of the picture are darker than this. */
  readonly highBrightness: number
  /** Mean difference from the key frame before, 0 when nothing moved. */
  readonly change: number
}

export interface MeasureReaders {
  onPicture: (measure: PictureMeasure) => void
  onLevels: (levels: AudioLevel[]) => void
}

/** Below this level nothing is audible; also replaces ffmpeg's "-inf". */
const SILENCE_DB = -100
const MOST_SOUND_CHANNELS = 16

/** Takes the lines one by one; lines of sound and of picture may alternate, but never within a line. */
export function createMeasureParser({ onPicture, onLevels }: MeasureReaders): { push(line: string): void } {
  const picture = new Map<string, number>()
  let levels: AudioLevel[] = []

  function flushLevels(): void {
    if (levels.length > 0) onLevels(levels)
    levels = []
  }

  function pushSound(channel: number, name: string, value: number): void {
    // The first line of channel 1 means that the figures before it are complete.
    if (channel === 1 && name === 'Peak_level') flushLevels()
    if (channel > MOST_SOUND_CHANNELS) return
    const level = levels[channel - 1] ?? { peakDb: SILENCE_DB, rmsDb: SILENCE_DB }
    const db = Number.isFinite(value) ? Math.max(SILENCE_DB, Math.round(value * 10) / 10) : SILENCE_DB
    levels[channel - 1] = name === 'Peak_level' ? { ...level, peakDb: db } : { ...level, rmsDb: db }
  }

  return {
    push(line) {
      const sound = /^lavfi\.astats\.(\d+)\.(Peak_level|RMS_level)=(\S+)/.exec(line)
      if (sound) return pushSound(Number(sound[1]), sound[2]!, Number(sound[3]))
      const figure = /^lavfi\.signalstats\.(YAVG|YHIGH|YDIF)=(\S+)/.exec(line)
      if (!figure) return
      picture.set(figure[1]!, Number(figure[2]))
      if (figure[1] !== 'YDIF') return
      onPicture({
        averageBrightness: picture.get('YAVG') ?? 0,
        highBrightness: picture.get('YHIGH') ?? 0,
        change: picture.get('YDIF') ?? 0,
      })
    },
  }
}
