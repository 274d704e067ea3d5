/** An endpoint is one value: from it come the route, the checks, the typed client and the published OpenAPI. */
import type { z } from 'zod'
import type { Action } from './actions.ts'
import { nothing } from './nothing.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The REST base of the specification (CO-API-01). */
export const REST_BASE = '/luc/luc-core-web/rest'

/** The header that every REST call carries (CO-API-04); a call without it is refused with 400. */
export const APPLICATION_ID_HEADER = 'application-id'

export const CSRF_HEADER = 'x-csrf-token'
export const CSRF_COOKIE = 'backhaul_csrf'
export const SIGN_IN_COOKIE = 'backhaul_session'

/**
 * Who may call: an action of the role table, `signedIn` for every signed-in user, or `anyone`.
 * The tenancy scope (inventories and groups of the caller) always applies on top.
 */
export type Permission = Action | 'signedIn' | 'anyone'

export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> = {
  readonly method: Method
  /** Path under REST_BASE with {name} for parameters; one that starts with `origin:` is outside the base. */
  readonly path: string
  readonly summary: string
  readonly permission: Permission
  /** About the user's own account, or with an effect that outlasts the key: closed to calls by an API key. */
  readonly closedToKeys: boolean
  /** Fields of the body that decide how a user signs in or what they may do: a call by an API key must not name them. */
  readonly fieldsClosedToKeys: readonly string[]
  /** A write is a line of the audit log; not one that only reads, and not one of a user's own preferences. */
  readonly audited: boolean
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The schema of `data` in the answer, or of the whole answer of another `type`. */
  readonly response: Response
  /** The type of a successful answer; a refusal is always JSON. */
  readonly type: 'json' | 'csv'
  /** Core waits for another machine, or has very many rows to read or write. */
  readonly takesLong: boolean
  /** Statuses with which this call may be refused, in addition to 400, 401 and 403. */
  readonly errors: readonly number[]
  /** An example of `data`; it must satisfy `response`. */
  readonly example: z.input<Response>
  /** Rows of the specification that this call implements. */
  readonly rows: readonly string[]
}

export type AnyEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType>
export type ParamsOf<E> = E extends { params: infer P extends z.ZodType } ? z.output<P> : never
export type QueryOf<E> = E extends { query: infer Q extends z.ZodType } ? z.output<Q> : never
export type BodyOf<E> = E extends { body: infer B extends z.ZodType } ? z.output<B> : never
export type ResponseOf<E> = E extends { response: infer R extends z.ZodType } ? z.output<R> : never
export type AnswerOf<E> = E extends { response: infer R extends z.ZodType } ? z.input<R> : never

type Definition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  method: Method
  path: string
  summary: string
  permission: Permission
  closedToKeys?: boolean
  fieldsClosedToKeys?: readonly string[]
  audited?: boolean
  params?: P
  query?: Q
  body?: B
  response: R
  type?: 'json' | 'csv'
  takesLong?: boolean
  errors?: readonly number[]
  example: z.input<R>
  rows?: readonly string[]
}

export function endpoint<
  R extends z.ZodType,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
>(definition: Definition<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return {
    type: 'json',
    takesLong: false,
    closedToKeys: false,
    fieldsClosedToKeys: [],
    audited: definition.method !== 'GET',
    errors: [],
    rows: [],
    params: nothing as unknown as P,
    query: nothing as unknown as Q,
    body: nothing as unknown as B,
    ...definition,
  }
}

/** The full path of an endpoint with its parameters filled in. */
export function pathOf(
  endpoint: Pick<AnyEndpoint, 'path'>,
  params: Readonly<Record<string, unknown>> = {},
): string {
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  return filled.startsWith('origin:') ? filled.slice('origin:'.length) : REST_BASE + filled
}
