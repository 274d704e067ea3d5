// Binds the contract's endpoint values to handlers: a missing or mistyped handler does not compile.

import { Readable } from 'node:stream'
import { CSV_TYPE } from '@backhaul/contract/define/csv'
import {
  type AnswerOf,
  type AnyEndpoint,
  APPLICATION_ID_HEADER,
  type BodyOf,
  type ParamsOf,
  pathOf,
  type QueryOf,
  SIGN_IN_COOKIE,
} from '@backhaul/contract/define/endpoint'
import {
  type FieldFault,
  fault,
  faultsOf,
  InvalidRequest,
  NotSignedIn,
  Refusal,
} from '@backhaul/contract/define/errors'
import { nothing } from '@backhaul/contract/define/nothing'
import type { WireCause } from '@backhaul/contract/define/refusals'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { asActor } from './actor.ts'
import type { Caller, CallerOf } from './caller.ts'
import { compressionOf } from './compression.ts'
import { guard, requireFieldsOpenToKey } from './guard.ts'
import type { ReadCookie } from './known-browser.ts'
import { originOf, publicOriginOf } from './origin.ts'
import { giveSignIn, type SignInSecrets, takeSignIn } from './sign-in-cookies.ts'

/** A change by a user, as it is recorded. */
export interface Change {
  caller: Caller
  /** Noun and name of the endpoint, for instance `users.saveContact`. */
  action: string
  objectKind: string
  objectId: string | null
  inventoryId: string | null
  details: Readonly<Record<string, unknown>>
  address: string
  /** `done`, the text of the refusal, or `failed` for an internal error. */
  result: string
  /** The code of the refusal. */
  cause: WireCause | undefined
}

/** Details of a change that the handler knows and the path does not show. */
export type ChangeNote = Partial<Pick<Change, 'objectKind' | 'objectId' | 'inventoryId' | 'details'>>

/** Called with the object of a removal as soon as it is known to be in the caller's scope, so that a refusal is logged by name. */
export type Found = (thing: { inventoryId: string; name: string }) => void

/** One request on its way through its handler. */
export interface Call<E extends AnyEndpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** Throws NotSignedIn on a public endpoint without a sign-in. */
  readonly caller: Caller
  /** The name that the calling application gives. */
  readonly application: string
  readonly address: string
  readonly agent: string
  /** The address at which the caller's browser found this installation. */
  readonly origin: string
  /** The address that the operator has set for users, for links that are sent to them. */
  readonly publicOrigin: string
  /** The secret of the request's sign-in cookie, valid or not. */
  readonly presentToken: string | undefined
  readonly readCookie: ReadCookie
  note(more: ChangeNote): void
  found: Found
  /** Sets the cookies of a new sign-in in the browser, or removes them. */
  signIn(secrets: SignInSecrets): void
  signOut(): void
}

export type Handler<E extends AnyEndpoint> = (call: Call<E>) => Promise<AnswerOf<E>> | AnswerOf<E>

export type Table = Readonly<Record<string, AnyEndpoint>>
export type Handlers<T extends Table> = { readonly [Name in keyof T]: Handler<T[Name]> }

export interface BindOptions {
  callerOf: CallerOf
  /** The address of this installation for users; undefined: the one of the request. */
  publicUrl: string | undefined
  record: (change: Change) => Promise<void>
  /** Parse answers too: in tests and development. */
  checkAnswers: boolean
}

/** Binds one endpoint; `action` is its noun and name. */
export function bindEndpoint(
  app: FastifyInstance,
  endpoint: AnyEndpoint,
  handler: Handler<AnyEndpoint>,
  action: string,
  options: BindOptions,
): void {
  const notes = new WeakMap<FastifyRequest, ChangeNote>()
  const record = async (request: FastifyRequest, result: string, cause?: WireCause) => {
    if (!endpoint.audited || !request.caller) return
    await options.record({
      caller: request.caller,
      action,
      objectKind: action.split('.')[0] ?? action,
      objectId: firstParameter(request),
      inventoryId: null,
      details: {},
      address: request.ip,
      result,
      cause,
      ...notes.get(request),
    })
  }
  const recordRefusal = async (request: FastifyRequest, error: unknown): Promise<never> => {
    if (error instanceof Refusal) {
      if (error.status !== 400) await record(request, error.message, error.cause)
    } else await record(request, 'failed')
    throw error
  }
  app.route({
    method: endpoint.method,
    url: routePath(endpoint),
    // One for each read would be a third of all routes, which take most of a start, and no caller uses them.
    exposeHeadRoute: false,
    compress: compressionOf(endpoint),
    onRequest: async (request) => {
      // This comes before anything of the request is stored, also in the audit log.
      rejectNulBytes({ ...(request.params as object), ...(request.query as object) })
      await guard(endpoint, request, options.callerOf).catch((error) => recordRefusal(request, error))
    },
    handler: async (request, reply) => {
      const call = callOf(endpoint, request, reply, {
        publicUrl: options.publicUrl,
        note: (more) => notes.set(request, { ...notes.get(request), ...more }),
      })
      const data = await (async () => {
        if (request.caller) requireFieldsOpenToKey(endpoint, request.caller, call.body)
        return await asActor(request.caller?.username, () => handler(call))
      })().catch((error) => recordRefusal(request, error))
      await record(request, 'done')
      if (endpoint.type === 'csv')
        return reply.type(CSV_TYPE).send(Readable.from(data as AsyncIterable<string>))
      const checked = options.checkAnswers ? endpoint.response.parse(data) : data
      return reply.type('application/json; charset=utf-8').send(JSON.stringify({ code: 200, data: checked }))
    },
  })
}

/** `{name}` of the contract as `:name` of the router; a path outside the REST base is not changed. */
function routePath(endpoint: AnyEndpoint): string {
  const parameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const marks = Object.fromEntries(parameters.map((name) => [name, `PARAMETER_${name}`]))
  return pathOf(endpoint, marks).replaceAll('PARAMETER_', ':')
}

function firstParameter(request: FastifyRequest): string | null {
  return Object.values(request.params as Record<string, string>)[0] ?? null
}

function callOf(
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, note }: { publicUrl: string | undefined; note: (more: ChangeNote) => void },
): Call<AnyEndpoint> {
  return {
    ...parse(endpoint, request),
    get caller() {
      if (!request.caller) throw new NotSignedIn()
      return request.caller
    },
    application: String(request.headers[APPLICATION_ID_HEADER]),
    address: request.ip,
    agent: request.headers['user-agent'] ?? '',
    get origin() {
      return originOf(request)
    },
    get publicOrigin() {
      return publicOriginOf(request, publicUrl)
    },
    presentToken: request.cookies[SIGN_IN_COOKIE],
    readCookie: (name) => request.cookies[name],
    note,
    found: ({ inventoryId, name }) => note({ inventoryId, details: { name } }),
    signIn: (secrets) => giveSignIn(reply, secrets),
    signOut: () => takeSignIn(reply),
  }
}

/** PostgreSQL cannot store U+0000, and no text needs it: the field that has one is named. */
function rejectNulBytes(value: unknown): void {
  const faults = nulPaths(value, '').map((field) => fault(field, 'text.nul'))
  if (faults.length > 0) throw new InvalidRequest(faults)
}

function nulPaths(value: unknown, path: string): string[] {
  if (typeof value === 'string') return value.includes('\0') ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const below = path === '' ? name : `${path}.${name}`
    return name.includes('\0') ? [below.replaceAll('\0', '')] : nulPaths(inner, below)
  })
}

/** A call without fields refuses them too, so a caller is not misled into thinking the fields were applied. */
const emptyBody = z.strictObject({}).nullish()

/** Parses the three parts of a request; every fault is named with its field. */
function parse(endpoint: AnyEndpoint, request: FastifyRequest) {
  const faults: FieldFault[] = []
  rejectNulBytes(request.body)
  const part = (schema: z.ZodType, value: unknown): unknown => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    faults.push(...faultsOf(result.error))
    return undefined
  }
  const params = part(endpoint.params, request.params)
  const query = part(endpoint.query, request.query)
  const body = part(endpoint.body === nothing ? emptyBody : endpoint.body, request.body)
  if (faults.length > 0) throw new InvalidRequest(faults)
  return { params, query, body }
}
