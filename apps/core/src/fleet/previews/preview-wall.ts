// The wall of stills: one socket of a browser, fed from as many servers as show its channels.
import { decodeWallStill, encodeWallStill, WALL_MAX_CHANNELS } from '@backhaul/contract/nouns/previews'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { parseJson } from '../../doors/json.ts'
import { urlHost } from '../../doors/source-address.ts'
import type { Devices } from '../devices/devices.ts'
import type { PreviewPlace } from './preview-place.ts'

const Watch = z.object({ watch: z.array(z.string().max(64)).max(WALL_MAX_CHANNELS) })
/** Channels come and go, and servers with them. */
const checkPeriodMs = 2000
/** Above this a still is skipped: the next one comes in a second. */
const backlogBytes = 1024 * 1024
const stillBytesAtMost = 2 * 1024 * 1024

interface WallNeeds {
  clock: Clock
  log: Log
  signed: Devices['signed']
  /** Checked in each poll, since rights and properties change. */
  mayShow: (channelId: string) => Promise<boolean>
  placeOf: (channelId: string) => PreviewPlace | undefined
}

/** One server's part of the wall. */
interface Source {
  socket: WebSocket
  /** The name of a picture there → the channels that show it here. */
  channelsByName: Map<string, string[]>
  requested: string
}

export function serveWall(browser: WebSocket, { clock, log, signed, mayShow, placeOf }: WallNeeds): void {
  const sources = new Map<string, Source>()
  let watched: readonly string[] = []
  let polling = Promise.resolve()

  function pass(source: Source, data: Buffer): void {
    const still = decodeWallStill(data)
    if (!still) return
    for (const channelId of source.channelsByName.get(still.channelId) ?? []) {
      if (browser.readyState !== browser.OPEN || browser.bufferedAmount > backlogBytes) return
      const isSameName = channelId === still.channelId
      browser.send(isSameName ? data : encodeWallStill({ ...still, channelId }))
    }
  }

  function request(source: Source): void {
    const watch = JSON.stringify({ watch: [...source.channelsByName.keys()] })
    if (source.socket.readyState !== WebSocket.OPEN || watch === source.requested) return
    source.requested = watch
    source.socket.send(watch)
  }

  function open(key: string, place: PreviewPlace): Source {
    const socket = new WebSocket(`ws://${addressOf(place)}/wall`, {
      headers: signed(place.serverId, { method: 'GET', path: '/wall' }),
      perMessageDeflate: false,
      maxPayload: stillBytesAtMost,
      handshakeTimeout: 5000,
    })
    const source: Source = { socket, channelsByName: new Map(), requested: '' }
    sources.set(key, source)
    socket.on('open', () => request(source))
    socket.on('message', (data, isBinary) => {
      if (isBinary) pass(source, data as Buffer)
    })
    socket.on('error', () => {})
    // The next poll opens another, if the server is still connected.
    socket.on('close', () => sources.get(key) === source && sources.delete(key))
    return source
  }

  /** Polls run one after the other: a later one knows what is watched now. */
  function poll(): void {
    polling = polling.then(pollNow).catch((error) => log.error(error, 'multiview stills: poll failed'))
  }

  /** Requests from each server its part of what is watched, and closes those that have none. */
  async function pollNow(): Promise<void> {
    const requested = watched
    const shown = await Promise.all(requested.map(mayShow))
    if (requested !== watched) return
    const sourcesWanted = new Map<string, { place: PreviewPlace; names: Map<string, string[]> }>()
    for (const [at, channelId] of requested.entries()) {
      const place = shown[at] ? placeOf(channelId) : undefined
      if (!place) continue
      const key = `${place.serverId} ${addressOf(place)}`
      const { names } = sourcesWanted.get(key) ?? { names: new Map<string, string[]>() }
      names.set(place.name, [...(names.get(place.name) ?? []), channelId])
      sourcesWanted.set(key, { place, names })
    }
    for (const [key, source] of sources) {
      if (sourcesWanted.has(key)) continue
      sources.delete(key)
      source.socket.close()
    }
    for (const [key, { place, names }] of sourcesWanted) {
      const source = sources.get(key) ?? open(key, place)
      source.channelsByName = names
      request(source)
    }
  }

  const timer = clock.setInterval(poll, checkPeriodMs)
  browser.on('message', (data, isBinary) => {
    const watch = isBinary ? undefined : read(String(data))
    if (!watch) return browser.close(1007, `expected {"watch": [at most ${WALL_MAX_CHANNELS} ids]}`)
    watched = [...new Set(watch)]
    poll()
  })
  browser.on('error', () => {})
  browser.on('close', () => {
    clock.clearInterval(timer)
    watched = []
    poll()
  })
}

const addressOf = ({ host, port }: PreviewPlace): string => `${urlHost(host)}:${port}`

function read(text: string): string[] | undefined {
  try {
    return Watch.parse(parseJson(text)).watch
  } catch {
    return undefined
  }
}
