// The hub's door for pictures: WHEP, stills, MPEG-TS and the wall of stills, for core alone, which signs its requests with the key.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { PREVIEW_SIGNATURE_HEADER } from '@backhaul/contract/gateway/shared'
import { FILES_PATH } from '@backhaul/contract/nouns/files'
import type { Log } from '@backhaul/runtime/log'
import { isSigned, steadyMs } from '@backhaul/runtime/signed-requests'
import { type WebSocket, WebSocketServer } from 'ws'
import { type AudioBridge, RoomFull } from '../audio-rooms/audio-bridge.ts'
import { serveFile } from '../files/file-server.ts'
import type { PreviewKey, PreviewKeyOf } from '../messages.ts'
import { readText, refuse } from '../web/answers.ts'
import type { PreviewSource } from './preview-source.ts'
import { serveStream } from './stream-viewer.ts'
import { serveWall } from './wall-viewer.ts'
import { admitViewer, type Viewer } from './webrtc-viewer.ts'

const LONGEST_OFFER_BYTES = 64 * 1024
const MOST_VIEWERS = 200

export interface PreviewsOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  /** Addresses of this machine at which browsers may find it. */
  localAddresses: readonly string[]
  find: (id: string) => PreviewSource | undefined
  /** Folder of the recordings and uploads that are served too. */
  filesFolder: string
  audio: AudioBridge
  log: Log
}

export interface Previews {
  readonly port: number
  /** Until one is known, every request is refused. */
  setKey(of: PreviewKeyOf, key: PreviewKey): void
  /** The number of viewers of the moving picture, by WebRTC and as a stream. */
  viewersOf(channelId: string): number
  stop(): Promise<void>
}

export async function openPreviews(options: PreviewsOptions): Promise<Previews> {
  const { host, port, find, audio, log } = options
  const keys = new Map<PreviewKeyOf, PreviewKey>()
  const viewers = new Map<string, { channelId: string; viewer: Viewer }>()
  const streams = new Map<WebSocket, string>()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 16 * 1024 })
  const isAllowed = (request: IncomingMessage) => [...keys.values()].some((key) => isFromCore(request, key))

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (!isAllowed(request))
      return refuse(response, 401, `${PREVIEW_SIGNATURE_HEADER}: is not made with the key of this hub`)
    if (pathOf(request.url).startsWith(`${FILES_PATH}/`))
      return await serveFile(options.filesFolder, request, response)
    const room = readRoom(request.url)
    if (room) return await answerRoom(request, response, room)
    const place = readPlace(request.url)
    const source = place && find(place.channelId)
    if (!place || !source) return refuse(response, 404, 'channelId: is unknown here')
    const operation = `${request.method} ${place.what}`
    if (operation === 'GET still.jpg') return sendStill(response, source)
    if (operation === 'POST whep') return await openViewer(request, response, place.channelId, source)
    if (operation === 'DELETE whep' && place.rest) return closeViewer(response, place.channelId, place.rest)
    refuse(response, 404, 'path: is unknown here')
  }

  async function answerRoom(request: IncomingMessage, response: ServerResponse, room: AudioPlace) {
    const { sessionId } = room
    if (request.method === 'DELETE') {
      if (!audio.leave(sessionId)) return refuse(response, 404, 'session: is not in the room')
      return response.writeHead(200).end()
    }
    const offer = await readText(request, LONGEST_OFFER_BYTES)
    if (!offer?.startsWith('v=0')) return refuse(response, 400, 'sdp: must be an offer')
    try {
      const answer = await audio.join({ ...room, offer })
      response.writeHead(201, { 'content-type': 'application/sdp' }).end(answer)
    } catch (error) {
      if (error instanceof RoomFull) return refuse(response, 409, 'room: is full')
      log.info(error, 'WebRTC offer could not be answered')
      refuse(response, 400, 'sdp: cannot be answered')
    }
  }

  async function openViewer(
    request: IncomingMessage,
    response: ServerResponse,
    channelId: string,
    source: PreviewSource,
  ) {
    if (!source.rtp) return refuse(response, 501, 'whep: needs ffmpeg on this server')
    if (viewers.size >= MOST_VIEWERS) return refuse(response, 503, `whep: more than ${MOST_VIEWERS} viewers`)
    const offer = await readText(request, LONGEST_OFFER_BYTES)
    if (!offer?.startsWith('v=0')) return refuse(response, 400, 'offer: must be SDP')
    const id = randomUUID()
    const unwatch = source.watch()
    const viewer = await admitViewer({
      offer,
      rtp: source.rtp,
      localAddresses: options.localAddresses,
      onClosed() {
        unwatch()
        viewers.delete(id)
      },
    }).catch((error: unknown) => {
      log.info(error, 'WebRTC offer could not be answered')
      return undefined
    })
    if (!viewer) return refuse(response, 400, 'offer: cannot be answered')
    viewers.set(id, { channelId, viewer })
    // Relative to the address of the request, since core serves it under another path.
    response.writeHead(201, { 'content-type': 'application/sdp', location: `whep/${id}` })
    response.end(viewer.answer)
  }

  function closeViewer(response: ServerResponse, channelId: string, id: string) {
    const entry = viewers.get(id)
    if (entry?.channelId !== channelId) return refuse(response, 404, 'whep: no such viewer')
    entry.viewer.close()
    response.writeHead(200).end()
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    socket.on('error', () => {})
    const place = readPlace(request.url)
    const source = place?.what === 'stream' ? find(place.channelId) : undefined
    const isWall = pathOf(request.url) === '/wall'
    if (!isAllowed(request)) return refuseUpgrade(socket, '401 Unauthorized')
    if (!isWall && !source) return refuseUpgrade(socket, '404 Not Found')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => {})
      if (place && source) {
        streams.set(webSocket, place.channelId)
        webSocket.on('close', () => streams.delete(webSocket))
        serveStream(webSocket, source)
      } else serveWall(webSocket, find)
    })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error(
        { err: error, method: request.method, path: request.url?.split('?')[0] },
        'preview request failed',
      )
      if (!response.headersSent) refuse(response, 500, 'preview: failed')
    })
  })
  server.on('upgrade', upgrade)
  await listen(server, host, port)
  return {
    port: (server.address() as AddressInfo).port,
    setKey: (of, key) => void keys.set(of, key),
    viewersOf: (id) =>
      [...viewers.values()].filter(({ channelId }) => channelId === id).length +
      [...streams.values()].filter((channelId) => channelId === id).length,
    async stop() {
      for (const { viewer } of [...viewers.values()]) viewer.close()
      audio.stop()
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const pathOf = (url: string | undefined): string => (url ?? '').split('?')[0]!

/** /channels/{id}/{what}[/{rest}] */
function readPlace(url: string | undefined): { channelId: string; what: string; rest: string } | undefined {
  const found = /^\/channels\/([\w%-]{1,128})\/([\w.]+)(?:\/([\w-]+))?$/.exec(pathOf(url))
  if (!found) return undefined
  return { channelId: found[1]!, what: found[2]!, rest: found[3] ?? '' }
}

interface AudioPlace {
  roomId: string
  sessionId: string
  echo: boolean
}

/** /rooms/{room}/{session}[?echo] */
function readRoom(url: string | undefined): AudioPlace | undefined {
  const found = /^\/rooms\/([\w-]{1,128})\/([\w-]{1,128})$/.exec(pathOf(url))
  return found
    ? { roomId: found[1]!, sessionId: found[2]!, echo: url?.endsWith('?echo') === true }
    : undefined
}

function isFromCore({ method = '', url: path = '', headers }: IncomingMessage, key: PreviewKey): boolean {
  const signature = headers[PREVIEW_SIGNATURE_HEADER]
  return (
    typeof signature === 'string' &&
    isSigned(key.secret, { method, path }, steadyMs() + key.coreAheadMs, signature)
  )
}

function sendStill(response: ServerResponse, source: PreviewSource) {
  const still = source.still()
  if (!still) return refuse(response, 404, 'still: there is none')
  response.writeHead(200, {
    'content-type': 'image/jpeg',
    'content-length': still.jpeg.length,
    'cache-control': 'no-store',
    'x-still-time': String(Math.round(still.timeMs)),
  })
  response.end(still.jpeg)
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, () => {
    server.off('error', reject)
    resolve()
  })
  await promise
}
