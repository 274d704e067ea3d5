// Stills of the channels that are on the screen, over one socket for the whole page.
import { decodeWallStill, WALL_MAX_CHANNELS, WALL_PATH } from '@backhaul/contract/nouns/previews'
import { useEffect, useSyncExternalStore } from 'react'

export interface Still {
  /** Decoded, until the next one of the channel comes. */
  picture: ImageBitmap
  /** By core's clock, ms. */
  timeMs: number
}

const stills = new Map<string, Still>()
const listeners = new Map<string, Set<() => void>>()
const watchers = new Map<string, number>()
let socket: WebSocket | undefined
let againTimer: ReturnType<typeof setTimeout> | undefined
let watchTimer: ReturnType<typeof setTimeout> | undefined
let failures = 0

const longestPauseMs = 10_000

function connect(): void {
  if (socket || watchers.size === 0) return
  const mine = new WebSocket(location.origin.replace(/^http/, 'ws') + WALL_PATH)
  socket = mine
  mine.binaryType = 'arraybuffer'
  mine.addEventListener('open', () => {
    failures = 0
    sendWatched()
  })
  mine.addEventListener('message', ({ data }) => {
    const still = data instanceof ArrayBuffer ? decodeWallStill(new Uint8Array(data)) : undefined
    if (still && watchers.has(still.channelId)) void keep(still.channelId, still.timeMs, still.jpeg)
  })
  mine.addEventListener('close', () => {
    if (socket !== mine) return
    socket = undefined
    failures += 1
    clearTimeout(againTimer)
    againTimer = setTimeout(
      connect,
      Math.min(longestPauseMs, 500 * 2 ** failures) * (0.5 + Math.random() / 2),
    )
  })
}

/** Sends which channels are viewed; several changes in one moment are sent once. */
function sendWatchedSoon(): void {
  clearTimeout(watchTimer)
  watchTimer = setTimeout(sendWatched, 50)
}

function sendWatched(): void {
  if (watchers.size === 0) {
    const idle = socket
    socket = undefined
    idle?.close()
  } else if (!socket) connect()
  else if (socket.readyState === WebSocket.OPEN)
    socket.send(JSON.stringify({ watch: [...watchers.keys()].slice(0, WALL_MAX_CHANNELS) }))
}

/**
 * Decodes it here: pictures of an `img` by blob addresses are kept in the memory of the browser after they were revoked, some
 * 20 kB each.
 */
async function keep(channelId: string, timeMs: number, jpeg: Uint8Array): Promise<void> {
  const blob = new Blob([jpeg.slice()], { type: 'image/jpeg' })
  const picture = await createImageBitmap(blob).catch(() => undefined)
  const before = stills.get(channelId)
  if (!picture || (before && before.timeMs > timeMs)) return picture?.close()
  // The newest come last.
  stills.delete(channelId)
  stills.set(channelId, { picture, timeMs })
  forgetOldest()
  for (const listener of listeners.get(channelId) ?? []) listener()
  before?.picture.close()
}

/** Keeps stills of channels that are not viewed any more, at most as many as a wall shows. */
function forgetOldest(): void {
  for (const [channelId, { picture }] of stills) {
    if (stills.size <= WALL_MAX_CHANNELS) return
    if (watchers.has(channelId)) continue
    stills.delete(channelId)
    picture.close()
  }
}

/** Keeps stills of the channel coming until the returned function is called. */
function watchStills(channelId: string): () => void {
  watchers.set(channelId, (watchers.get(channelId) ?? 0) + 1)
  sendWatchedSoon()
  return () => {
    const left = (watchers.get(channelId) ?? 1) - 1
    if (left > 0) watchers.set(channelId, left)
    else watchers.delete(channelId)
    sendWatchedSoon()
  }
}

function subscribe(channelId: string, listener: () => void): () => void {
  const set = listeners.get(channelId) ?? new Set()
  listeners.set(channelId, set)
  set.add(listener)
  return () => set.delete(listener)
}

/** The newest still of a channel; `wanted` false lets it rest, the last one is kept. */
export function useStill(channelId: string, wanted: boolean): Still | undefined {
  useEffect(() => (wanted ? watchStills(channelId) : undefined), [channelId, wanted])
  return useSyncExternalStore(
    (listener) => subscribe(channelId, listener),
    () => stills.get(channelId),
  )
}

let newestStartMs: number | undefined

/** Time from opening the newest live picture to its first frame, ms; undefined before any was shown. */
export const newestPreviewStartMs = (): number | undefined => newestStartMs

export function notePreviewStart(ms: number): void {
  newestStartMs = Math.round(ms)
}
