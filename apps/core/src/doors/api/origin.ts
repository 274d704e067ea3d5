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

/** The address of this installation in links that are sent to users and in the provider's redirects. */
export const publicOriginOf = (request: FastifyRequest, publicUrl: string | undefined): string =>
  publicUrl ?? originOf(request)
