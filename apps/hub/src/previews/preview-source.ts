import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Still } from '../analysis/analysis.ts'
import type { RtpFeed } from './rtp-feed.ts'

/** A source of previews: a channel or a generated loop. */
export interface PreviewSource {
  readonly bus: TsBus
  /** RTP for WebRTC; absent without ffmpeg. */
  readonly rtp: RtpFeed | undefined
  still(): Still | undefined
  onStill(listener: (still: Still) => void): () => void
  /** Counts a viewer of the moving picture until the returned function is called. */
  watch(): () => void
}

/** The newest still and the listeners for the next. */
export function createStillCache() {
  const listeners = new Set<(still: Still) => void>()
  let newest: Still | undefined
  return {
    put(still: Still): void {
      newest = still
      for (const listener of listeners) listener(still)
    },
    clear(): void {
      newest = undefined
    },
    newest: () => newest,
    watcherCount: () => listeners.size,
    listen(listener: (still: Still) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
