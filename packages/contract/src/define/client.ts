/** The typed caller of endpoints; the same one serves console, tests and integrators. */
import type { z } from 'zod'
import type { AnyEndpoint, ResponseOf } from './endpoint.ts'
import { APPLICATION_ID_HEADER, CSRF_HEADER, pathOf } from './endpoint.ts'
import { fault, Refusal } from './errors.ts'
import { refusalBodyOf } from './refusal-body.ts'

/**
 * The few parts of `fetch` that the caller needs, so that the contract depends on no platform. A Refusal that it rejects
 * with is that of the call.
 */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; credentials?: 'same-origin' },
  endpoint: AnyEndpoint,
) => Promise<{ status: number; json(): Promise<unknown>; text(): Promise<string> }>

type InputOf<S> = S extends z.ZodType ? z.input<S> : never
type Part<K extends string, S> =
  unknown extends InputOf<S> ? { [P in K]?: undefined } : { [P in K]: InputOf<S> }

/** The input of a call: `params`, `query` and `body`, each only where the endpoint has it. */
export type CallInput<E extends AnyEndpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>

export type Call = <E extends AnyEndpoint>(endpoint: E, input: CallInput<E>) => Promise<ResponseOf<E>>

export type ClientOptions = {
  /** '' for the page's own origin, else scheme and host. */
  origin: string
  fetch: Fetch
  applicationId: string
  /** The value of the CSRF cookie; sent on writes. */
  csrfToken?: () => string | undefined
  headers?: () => Record<string, string>
}

/** Makes the caller. It rejects with a Refusal of the answer's code, or of code 0 when none came. */
export function createClient(options: ClientOptions): Call {
  return async (endpoint, input) => {
    const { params, query, body } = input as {
      params?: Record<string, unknown>
      query?: Record<string, unknown>
      body?: unknown
    }
    const url = options.origin + pathOf(endpoint, params) + queryString(query)
    const headers: Record<string, string> = {
      accept: 'application/json',
      [APPLICATION_ID_HEADER]: options.applicationId,
      ...options.headers?.(),
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const csrf = endpoint.method === 'GET' ? undefined : options.csrfToken?.()
    if (csrf !== undefined) headers[CSRF_HEADER] = csrf
    const init = { method: endpoint.method, headers, credentials: 'same-origin' as const }
    const reply = await options
      .fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) }, endpoint)
      .catch((error: unknown) => {
        throw error instanceof Refusal ? error : new Refusal(0, 'system.error')
      })
    if (endpoint.type === 'csv' && reply.status === 200) return (await reply.text()) as never
    const json = await reply.json().catch(() => undefined)
    return readAnswer(reply.status, json) as never
  }
}

function readAnswer(status: number, json: unknown): unknown {
  const body = json as { code?: number; data?: unknown } | undefined
  if (status >= 200 && status < 300 && body?.code === 200) return body.data
  const refusal = refusalBodyOf(json)
  if (refusal === undefined) throw new Refusal(status, 'system.error')
  const { code, fields = [], ...wording } = refusal
  throw new Refusal(status, wording, { code, fields: fields.map((one) => fault(one.field, one)) })
}

/** The query with its question mark; '' where nothing is given. */
export function queryString(query: Record<string, unknown> | undefined): string {
  const parts = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map(
        (v) => `${encodeURIComponent(name)}=${encodeURIComponent(String(v))}`,
      ),
    )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
