// The conditions of a request before its handler is called: application, sign-in, CSRF token, permission.

import { mayDo, refusalOfAction } from '@backhaul/contract/define/actions'
import {
  type AnyEndpoint,
  APPLICATION_ID_HEADER,
  CSRF_HEADER,
  REST_BASE,
  SIGN_IN_COOKIE,
} from '@backhaul/contract/define/endpoint'
import { fault, InvalidRequest, NotAllowed, NotSignedIn } from '@backhaul/contract/define/errors'
import { API_KEY_MARK } from '@backhaul/contract/nouns/api-keys'
import type { FastifyRequest } from 'fastify'
import { isSecretOf } from '../../database/secrets.ts'
import type { Caller, CallerOf } from './caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

/** Other credentials in this header, such as those for a proxy in front of core, are not a key. */
export function apiKeyIn(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return token?.startsWith(API_KEY_MARK) ? token : undefined
}

/** The caller by the request's cookie or API key; throws NotSignedIn. Previews use this too. */
export async function signedIn(request: FastifyRequest, callerOf: CallerOf): Promise<Caller> {
  const caller = await callerOf({
    cookie: request.cookies[SIGN_IN_COOKIE],
    apiKey: apiKeyIn(request.headers.authorization),
    address: request.ip,
  })
  if (!caller) throw new NotSignedIn()
  return caller
}

/** Every call under the REST base names the application it comes from (GAP-API-11). */
export function requireApplicationId(request: FastifyRequest): void {
  if (!request.url.startsWith(`${REST_BASE}/`) || request.headers[APPLICATION_ID_HEADER]) return
  throw InvalidRequest.at(APPLICATION_ID_HEADER, 'field.required')
}

export async function guard(
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  callerOf: CallerOf,
): Promise<void> {
  requireApplicationId(request)
  if (endpoint.permission === 'anyone') return
  request.caller = await signedIn(request, callerOf)
  const { csrfHash } = request.caller
  if (csrfHash === undefined) {
    if (endpoint.closedToKeys) throw new NotAllowed('apiKey.closed')
  } else if (endpoint.method !== 'GET') requireCsrfToken(request, csrfHash)
  if (endpoint.permission !== 'signedIn' && !mayDo(request.caller.roles, endpoint.permission))
    throw new NotAllowed(refusalOfAction(endpoint.permission))
}

/** An API key changes no field of a user that would outlast the key; the refused fields are named. */
export function requireFieldsOpenToKey(
  { fieldsClosedToKeys }: AnyEndpoint,
  { csrfHash }: Caller,
  body: unknown,
): void {
  if (csrfHash !== undefined || fieldsClosedToKeys.length === 0) return
  const named = fieldsClosedToKeys.filter((field) => Object.hasOwn((body ?? {}) as object, field))
  const faults = named.map((field) => fault(field, 'apiKey.closed'))
  if (faults.length > 0) throw new NotAllowed('apiKey.closed', faults)
}

function requireCsrfToken(request: FastifyRequest, csrfHash: string): void {
  const token = request.headers[CSRF_HEADER]
  if (!isSecretOf(csrfHash, typeof token === 'string' ? token : '')) throw new NotAllowed('request.csrf')
}
