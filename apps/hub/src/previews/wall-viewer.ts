import { encodeWallStill, WALL_MAX_CHANNELS } from '@backhaul/contract/nouns/previews'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { Still } from '../analysis/analysis.ts'
import type { PreviewSource } from './preview-source.ts'

/** Above this a still is skipped: the next one comes in a second. */
const MOST_WAITING_BYTES = 1 << 20

const Watch = z.object({ watch: z.array(z.string().max(64)).max(WALL_MAX_CHANNELS) })

/** After a start of the hub, channels come later than the viewer, and a channel of the same name may be another one. */
const REFRESH_MS = 500

interface Watched {
  source: PreviewSource
  leave: () => void
}

/** Stills of the channels that the viewer names, each as soon as it is there; it may name others at any time. */
export function serveWall(socket: WebSocket, find: (id: string) => PreviewSource | undefined): void {
  const watched = new Map<string, Watched>()
  let requested: ReadonlySet<string> = new Set()

  function send(channelId: string, { timeMs, jpeg }: Still): void {
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > MOST_WAITING_BYTES) return
    socket.send(encodeWallStill({ channelId, timeMs, jpeg }))
  }

  function refresh(): void {
    for (const [id, { source, leave }] of watched) {
      if (requested.has(id) && find(id) === source) continue
      leave()
      watched.delete(id)
    }
    for (const id of requested) {
      const source = watched.has(id) ? undefined : find(id)
      if (!source) continue
      watched.set(id, { source, leave: source.onStill((still) => send(id, still)) })
      const newest = source.still()
      if (newest) send(id, newest)
    }
  }

  function watch(ids: ReadonlySet<string>): void {
    requested = ids
    refresh()
  }

  const timer = setInterval(refresh, REFRESH_MS)
  socket.on('message', (data) => {
    const ids = readRequest(data.toString())
    if (ids) watch(ids)
    else socket.close(1007, `expected {"watch": [at most ${WALL_MAX_CHANNELS} ids]}`)
  })
  socket.on('close', () => {
    clearInterval(timer)
    watch(new Set())
  })
}

function readRequest(text: string): Set<string> | undefined {
  try {
    return new Set(Watch.parse(JSON.parse(text)).watch)
  } catch {
    return undefined
  }
}
