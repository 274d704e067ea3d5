import { InvalidRequest } from '@backhaul/contract/define/errors'
import type { FastifyRequest } from 'fastify'

/**
 * Where the caller's own browser found this installation, for instance https://backhaul.example: a passkey belongs to
 * that site. The request names it, so nothing that is sent to another user may be built on it where the operator has set
 * an address (see `publicOriginOf`).
 */
export function originOf(request: FastifyRequest): string {
  const url = URL.parse(`${request.protocol}://${request.host}`)
  if (!url) throw InvalidRequest.at('host', 'field.invalid')
  return url.origin
}

/** Where users find this installation: links that are sent to them, and the provider's redirects, lead there. */
export const publicOriginOf = (request: FastifyRequest, publicUrl: string | undefined): string =>
  publicUrl ?? originOf(request)
