// The hub's door for the public: HLS for players, WHIP for senders. Core has no part in it; each address holds its own key.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Log } from '@backhaul/runtime/log'
import { refuse } from './answers.ts'

const MOST_CONNECTIONS = 2000
/** A player holds a request for a list for some seconds; a connection on which nothing moves is closed. */
const IDLE_MS = 60_000
const RETRY_MS = 5000

/** Pages of any origin may read what they have the address of: no cookie is involved. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, range',
  'access-control-expose-headers': 'location',
  'access-control-max-age': '86400',
}

export type WebAnswer = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

export interface WebDoorOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  /** By the first part of the path. */
  answers: Readonly<Record<string, WebAnswer>>
  /** The media types that may be posted, by the first part of the path. */
  posts: Readonly<Record<string, string>>
  log: Log
}

export interface WebDoor {
  readonly port: number
  stop(): Promise<void>
}

/** A port that another program has is tried again until it is free: it is named in addresses and proxies. */
export async function openWebDoor({ host, port, answers, posts, log }: WebDoorOptions): Promise<WebDoor> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(crossOrigin)) response.setHeader(name, value)
    const [, place = ''] = /^\/([\w-]+)\//.exec(request.url ?? '') ?? []
    if (request.method === 'OPTIONS') {
      if (Object.hasOwn(posts, place)) response.setHeader('accept-post', posts[place] ?? '')
      return void response.writeHead(204).end()
    }
    const found = Object.hasOwn(answers, place) ? answers[place] : undefined
    if (!found) return refuse(response, 404, 'path: is unknown here')
    await found(request, response)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error(
        { err: error, method: request.method, path: request.url?.split('?')[0] },
        'web request failed',
      )
      if (!response.headersSent) refuse(response, 500, 'request: failed')
    })
  })
  server.maxConnections = MOST_CONNECTIONS
  server.setTimeout(IDLE_MS)
  let timer: NodeJS.Timeout | undefined
  const { promise: isTried, resolve: tried } = Promise.withResolvers<void>()
  server.on('listening', () => tried())
  server.on('error', (error) => {
    log.error({ host, port, error: error.message }, 'cannot listen for the public, trying again')
    timer = setTimeout(() => server.listen(port, host), RETRY_MS)
    tried()
  })
  server.listen(port, host)
  await isTried
  return {
    port: port === 0 ? ((server.address() as AddressInfo | null)?.port ?? 0) : port,
    async stop() {
      clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
