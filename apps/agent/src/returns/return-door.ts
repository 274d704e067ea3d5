// The returned picture on this machine alone: MPEG-TS by HTTP on loopback, for the unit's own page and for players.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { feedChild } from '@backhaul/ffmpeg/child-feed'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'

const host = '127.0.0.1'
const path = '/return.ts'
const mostViewers = 8
const mostWaitingBytes = 4 << 20
/** A viewer that does not read for this long is disconnected. */
const tooSlowAfterMs = 30_000

export interface ReturnDoor {
  /** The address of the picture, such as http://127.0.0.1:8089/return.ts. */
  readonly address: string
  close(): Promise<void>
}

/** On the port, or on any free one where it is taken. */
export async function openReturnDoor(bus: TsBus, port: number, log: Log): Promise<ReturnDoor> {
  const viewers = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    if (!isFromHere(request)) return void response.writeHead(403).end()
    if (request.method !== 'GET' || request.url?.split('?')[0] !== path)
      return void response.writeHead(404).end()
    if (viewers.size >= mostViewers) return void response.writeHead(503).end()
    viewers.add(response)
    const endFeed = serve(response, bus)
    response.on('close', () => {
      endFeed()
      viewers.delete(response)
    })
  })
  await listen(server, port).catch(async ({ message: reason }: Error) => {
    log.warn({ reason, port }, 'port of the returned picture is taken: using another one')
    await listen(server, 0)
  })
  return {
    address: `http://${host}:${(server.address() as AddressInfo).port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A page of another host must not read it by a name that leads here. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const name = headers.host?.replace(/:\d+$/, '')
  return name === host || name === 'localhost'
}

function serve(response: ServerResponse, bus: TsBus): () => void {
  response.on('error', () => {})
  response.writeHead(200, { 'content-type': 'video/mp2t', 'cache-control': 'no-store' })
  response.flushHeaders()
  return feedChild({
    bus,
    child: {
      write(packets) {
        if (response.writableLength > mostWaitingBytes) return false
        response.write(packets)
        return true
      },
      backlogBytes: () => response.writableLength,
    },
    onBehind: (forMs) => {
      if (forMs > tooSlowAfterMs) response.destroy()
    },
  })
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
