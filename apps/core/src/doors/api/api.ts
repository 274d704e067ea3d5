// The HTTP door of core: REST by the contract, the console's files, metrics and health; sockets share its port.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SIGN_IN_COOKIE } from '@backhaul/contract/define/endpoint'
import { Refusal } from '@backhaul/contract/define/errors'
import { GATEWAY_PATH } from '@backhaul/contract/gateway/shared'
import type { Log } from '@backhaul/runtime/log'
import fastifyCookie from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import { forPeople } from '../../database/precedence.ts'
import { rejectDeepNesting } from '../json.ts'
import type { People } from '../people.ts'
import type { AddressOf } from '../source-address.ts'
import { type BindOptions, bindEndpoint, type Handlers, type Table } from './bind.ts'
import type { Caller } from './caller.ts'
import { addCompression } from './compression.ts'
import { isConsoleBuilt, isConsolePage, serveConsole } from './console-files.ts'
import { apiKeyIn, signedIn } from './guard.ts'
import { createSecure } from './headers.ts'
import { addObservability, type Health } from './observability.ts'
import { AddressTooLong, answerError, refuseUnknownCall } from './refusals.ts'
import { createUpgrades, type Upgrades } from './upgrades.ts'

const bodyBytesAtMost = 256 * 1024
const nameInPathAtMost = 200
/** Connections that the kernel keeps until they are accepted, up to its own limit: a fleet that dials again at one moment. */
const connectionsWaiting = 16_384

export interface ApiOptions extends BindOptions {
  log: Log
  metrics: Registry
  /** Counts the users who wait for an answer. */
  people: People
  idle: { headersMs: number; checkMs: number; keepAliveMs: number }
  checkHealth: () => Promise<Health>
  consoleFolder: string
  /** The tile server of the map, if the operator has set one. */
  mapTiles: { address: string } | undefined
  /** Proxies that are trusted for the caller's address and scheme. */
  trustedProxies: string | string[]
  addressOf: AddressOf
  pageServices: { pageVisitsUrl: string | undefined }
}

export interface Api {
  /** The server, for routes outside the contract, such as previews; guarded by `signedIn`. */
  app: FastifyInstance
  upgrades: Upgrades
  /** Binds every endpoint of every noun; each write is recorded as a change by its caller, where the endpoint is audited. */
  bind<Nouns extends Readonly<Record<string, Table>>>(
    nouns: Nouns,
    routes: { readonly [Noun in keyof Nouns]: Handlers<Nouns[Noun]> },
  ): void
  /** The caller by the request's cookie or API key; throws NotSignedIn. */
  signedIn(request: FastifyRequest): Promise<Caller>
  /** The caller of a WebSocket upgrade of one of our own pages or with a key; undefined when it must be refused. */
  callerOfUpgrade(request: IncomingMessage): Promise<Caller | undefined>
  /** Answers the address it listens at, for instance http://127.0.0.1:8080. */
  listen(host: string, port: number): Promise<string>
  close(): Promise<void>
}

export async function createApi(options: ApiOptions): Promise<Api> {
  const secure = createSecure({
    pageVisits: options.pageServices.pageVisitsUrl,
    tiles: options.mapTiles?.address,
  })
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: bodyBytesAtMost,
    // The compilers of its own schemas are large, and the contract's schemas check instead.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    trustProxy: options.trustedProxies,
    // Requests under way are answered at a stop; an upgraded connection is closed by its own door.
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: nameInPathAtMost },
    keepAliveTimeout: options.idle.keepAliveMs,
    // A connection that sends nothing has not sent the head of a request in time either.
    http: { headersTimeout: options.idle.headersMs, connectionsCheckingInterval: options.idle.checkMs },
    // A malformed address fails before any route is found; it is refused like all others.
    frameworkErrors(error, request, reply) {
      secure(request, reply)
      answerError(error, request, reply)
    },
  }) as unknown as FastifyInstance
  app.decorateRequest('caller', undefined)
  acceptEmptyJson(app)
  app.addHook('onRequest', async (request, reply) => secure(request, reply))
  refuseLongNames(app)
  putPeopleFirst(app, options.people)
  app.setErrorHandler(answerError)
  await app.register(fastifyCookie)
  await addCompression(app)
  addObservability(app, options)
  const hasConsole = isConsoleBuilt(options.consoleFolder)
  if (hasConsole) await serveConsole(app, options.consoleFolder)
  else options.log.warn({ folder: options.consoleFolder }, 'console not built, serving only the API')
  app.setNotFoundHandler((request, reply) => {
    if (hasConsole && isConsolePage(request)) return reply.sendFile('index.html')
    return refuseUnknownCall(request)
  })
  return {
    app,
    upgrades: createUpgrades(app.server),
    bind(nouns, routes) {
      for (const [noun, table] of Object.entries(nouns)) {
        for (const [name, endpoint] of Object.entries(table)) {
          bindEndpoint(app, endpoint, routes[noun]?.[name] as never, `${noun}.${name}`, options)
        }
      }
    },
    signedIn: (request) => signedIn(request, options.callerOf),
    callerOfUpgrade: async (request) => {
      const { headers } = request
      const cookie = isFromOwnPage(request)
        ? app.parseCookie(headers.cookie ?? '')[SIGN_IN_COOKIE]
        : undefined
      const apiKey = apiKeyIn(headers.authorization)
      const address = options.addressOf(request)
      return await forPeople(() => options.callerOf({ cookie, apiKey, address })).catch(refused)
    },
    listen: (host, port) => app.listen({ host, port, backlog: connectionsWaiting }),
    close: () => app.close(),
  }
}

function noCompiler(): never {
  throw new Error('a route has a schema of fastify, which the contract replaces')
}

/** While a request of a user is under way it has precedence over devices, here and at the database. */
function putPeopleFirst(app: FastifyInstance, people: People): void {
  const isOfDevice = (request: FastifyRequest) => request.url.startsWith(GATEWAY_PATH)
  app.addHook('onRequest', (request, reply, done) => {
    if (isOfDevice(request)) return done()
    const answered = people.wait()
    reply.raw.once('finish', answered).once('close', answered)
    forPeople(done)
  })
  // Reading a body has left the asynchronous context of the first hook.
  app.addHook('preHandler', (request, _, done) => {
    if (isOfDevice(request)) done()
    else forPeople(done)
  })
}

/** The console's files answer every path without a route, and file systems limit the length of names. */
function refuseLongNames(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ url, routeOptions }) => {
    const path = url.split('?')[0] ?? ''
    if (routeOptions.url === '/*' && path.split('/').some((name) => name.length > nameInPathAtMost))
      throw new AddressTooLong()
  })
}

/** A write without content may still have the content type JSON. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      rejectDeepNesting(body as string)
    } catch (error) {
      return done(error as Error)
    }
    parseJson(request, body as string, done)
  })
}

/** A socket is admitted or not; the reason is not sent. */
function refused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

/** A browser names the page that opens a socket; a page of another site must not use the user's cookie. */
function isFromOwnPage({ headers }: IncomingMessage): boolean {
  if (headers.origin === undefined) return true
  const host = URL.parse(headers.origin)?.host
  return host !== undefined && (host === headers.host || host === headers['x-forwarded-host'])
}
