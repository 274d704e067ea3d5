import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import type { Still } from '../analysis/analysis.ts'
import type { UsableFfmpeg } from '../messages.ts'
import { createStillCache, type PreviewSource } from '../previews/preview-source.ts'
import { createRtpFeed } from '../previews/rtp-feed.ts'
import { LOOP } from './loop-arguments.ts'
import { playClip, readClip, type TsClip } from './ts-player.ts'

const STILL_PERIOD_MS = 1000
const REFRESH_MS = 500

export interface Loop extends PreviewSource {
  readonly id: string
  stop(): Promise<void>
}

/** Files that a finished loop has in its folder. */
export const clipName = 'loop.ts'
export const stillPattern = 'still-%03d.jpg'

/**
 * A finished loop. It plays only while it is watched; its stills are cycled by the wall clock, at the same place
 * where the moving picture is.
 */
export function openLoop(options: { id: string; folder: string; ffmpeg: UsableFfmpeg; log: Log }): Loop {
  const { id, folder, ffmpeg, log } = options
  const bus = createTsBus({ onReaderFailed: (error) => log.error(error, 'a reader of the loop failed') })
  const rtp = createRtpFeed({ ffmpegPath: ffmpeg.path, hasOpus: ffmpeg.hasOpus, bus, log })
  const cache = createStillCache()
  let watchers = 0
  let playing: { stop: () => void; refresh: NodeJS.Timeout } | undefined
  let stills: Buffer[] | undefined
  let stillTimer: NodeJS.Timeout | undefined
  let clip: TsClip | undefined

  const placeMs = () => Date.now() % (LOOP.seconds * 1000)

  function play(): void {
    clip ??= readClip(readFileSync(join(folder, clipName)), LOOP.seconds * 1000)
    const refresh = setInterval(rtp.refresh, REFRESH_MS)
    playing = { stop: playClip(clip, placeMs(), bus.push), refresh }
  }

  function rest(): void {
    playing?.stop()
    clearInterval(playing?.refresh)
    playing = undefined
    clip = undefined
    bus.reset()
  }

  function stillNow(): Still | undefined {
    stills ??= readStills(folder)
    const jpeg = stills[Math.floor(placeMs() / STILL_PERIOD_MS) % stills.length]
    return jpeg && { timeMs: Date.now(), jpeg }
  }

  return {
    id,
    bus,
    rtp,
    still: stillNow,
    onStill(listener) {
      stillTimer ??= setInterval(() => {
        const still = stillNow()
        if (still) cache.put(still)
      }, STILL_PERIOD_MS)
      const leave = cache.listen(listener)
      return () => {
        leave()
        if (cache.watcherCount() > 0) return
        clearInterval(stillTimer)
        stillTimer = undefined
        stills = undefined
      }
    },
    watch() {
      if (watchers++ === 0) play()
      let isWatching = true
      return () => {
        if (!isWatching) return
        isWatching = false
        if (--watchers === 0) rest()
      }
    },
    async stop() {
      clearInterval(stillTimer)
      rest()
      await rtp.stop()
    },
  }
}

function readStills(folder: string): Buffer[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.jpg'))
  return names.sort().map((name) => readFileSync(join(folder, name)))
}
