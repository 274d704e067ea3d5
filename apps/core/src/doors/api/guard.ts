// What a request must show before its handler is reached: application, sign-in, CSRF token, permission.
import { createHash, timingSafeEqual } from 'node:crypto'
import {
  type AnyEndpoint,
  APPLICATION_ID_HEADER,
  CSRF_HEADER,
  REST_BASE,
  SIGN_IN_COOKIE,
} from '@backhaul/contract/define/endpoint'
import { InvalidRequest, NotAllowed, NotSignedIn } from '@backhaul/contract/define/errors'
import { texts } from '@backhaul/contract/define/texts'
import { mayDo } from '@backhaul/contract/nouns/actions'
import type { FastifyRequest } from 'fastify'
import type { Caller, CallerOf } from './caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

/** Hashes a secret that is kept only as its hash. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** The caller by the request's cookie; throws NotSignedIn. Sockets and previews ask this too. */
export async function signedIn(request: FastifyRequest, callerOf: CallerOf): Promise<Caller> {
  const token = request.cookies[SIGN_IN_COOKIE]
  const caller = token === undefined ? undefined : await callerOf(token)
  if (!caller) throw new NotSignedIn()
  return caller
}

/** Every call under the REST base names the application it comes from (GAP-API-11). */
export function demandApplicationId(request: FastifyRequest): void {
  if (!request.url.startsWith(`${REST_BASE}/`) || request.headers[APPLICATION_ID_HEADER]) return
  throw new InvalidRequest([{ field: APPLICATION_ID_HEADER, message: texts.required }])
}

export async function guard(
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  callerOf: CallerOf,
): Promise<void> {
  demandApplicationId(request)
  if (endpoint.permission === 'anyone') return
  request.caller = await signedIn(request, callerOf)
  if (endpoint.method !== 'GET') demandCsrfToken(request, request.caller)
  if (endpoint.permission !== 'signedIn' && !mayDo(request.caller.roles, endpoint.permission))
    throw new NotAllowed()
}

function demandCsrfToken(request: FastifyRequest, caller: Caller): void {
  const token = request.headers[CSRF_HEADER]
  const given = Buffer.from(hashSecret(typeof token === 'string' ? token : ''))
  if (!timingSafeEqual(given, Buffer.from(caller.csrfHash)))
    throw new NotAllowed('The CSRF token is missing or wrong')
}
