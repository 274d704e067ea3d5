import { feedChild } from '@backhaul/ffmpeg/child-feed'
import type { WebSocket } from 'ws'
import type { PreviewSource } from './preview-source.ts'

const MOST_WAITING_BYTES = 4 << 20
const GATHER_MS = 20
/** A viewer who cannot take the stream for this long is disconnected. */
const TOO_SLOW_AFTER_MS = 30_000

/** Sends MPEG-TS from a key frame on; a slow viewer misses whole groups of pictures. */
export function serveStream(socket: WebSocket, source: PreviewSource): void {
  const unwatch = source.watch()
  const endFeed = feedChild({
    bus: source.bus,
    child: {
      write(packets) {
        if (socket.bufferedAmount > MOST_WAITING_BYTES) return false
        socket.send(packets)
        return true
      },
      backlogBytes: () => socket.bufferedAmount,
    },
    gatherMs: GATHER_MS,
    onBehind: (forMs) => {
      if (forMs > TOO_SLOW_AFTER_MS) socket.close(1013, 'too slow')
    },
  })
  socket.on('close', () => {
    endFeed()
    unwatch()
  })
}
