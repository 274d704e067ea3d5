// The hub's door for the public: HLS for players, WHIP for senders. Core has no part in it; each address holds its own key.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerFailure } from '@backhaul/contract/gateway/servers'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { failureOf } from '../failures.ts'
import { keepPort } from '../kept-port.ts'
import { refuse } from './answers.ts'

const MOST_CONNECTIONS = 2000
/** A player holds a request for a list for some seconds; a connection on which nothing moves is closed. */
const IDLE_MS = 60_000

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
  /** The handlers by the first part of the path. */
  answers: Readonly<Record<string, WebAnswer>>
  /** The media types that may be posted, by the first part of the path. */
  posts: Readonly<Record<string, string>>
  log: Log
  clock?: Clock
}

interface OpenDoor {
  readonly port: number
  close(): Promise<void>
}

export interface WebDoor {
  readonly port: number
  /** While the port is not open: why. */
  failures(): ServerFailure[]
  stop(): Promise<void>
}

/** A port that another program has is tried again until it is free: it is named in addresses and proxies. */
export async function openWebDoor(options: WebDoorOptions): Promise<WebDoor> {
  const { host, port, answers, posts, log, clock } = options

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

  function listen(onLost: (error: Error) => void): Promise<OpenDoor> {
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
    const { promise, resolve, reject } = Promise.withResolvers<OpenDoor>()
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject).on('error', onLost)
      resolve({
        port: (server.address() as AddressInfo).port,
        async close() {
          server.closeAllConnections()
          await new Promise((done) => server.close(done))
        },
      })
    })
    return promise
  }

  const { promise: isTried, resolve: tried } = Promise.withResolvers<void>()
  const kept = keepPort<OpenDoor>({
    name: 'HLS and WHIP',
    port: () => port,
    open: listen,
    onChange: tried,
    log,
    ...(clock && { clock }),
  })
  await isTried
  return {
    port: port === 0 ? (kept.opened()?.port ?? 0) : port,
    failures() {
      const failure = kept.failure()
      return failure ? [failureOf('webFailed', failure)] : []
    },
    stop: kept.close,
  }
}
