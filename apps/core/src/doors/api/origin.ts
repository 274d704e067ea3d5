import { InvalidRequest } from '@backhaul/contract/define/errors'
import type { FastifyRequest } from 'fastify'

/**
 * Where the caller's own browser found this installation, for instance https://backhaul.example: a passkey belongs to
 * that site. The request says it, so nothing that is sent to somebody else may be built on it while the operator's word
 * is there (see `publicOriginOf`).
 */
export function originOf(request: FastifyRequest): string {
  const url = URL.parse(`${request.protocol}://${request.host}`)
  if (!url) throw InvalidRequest.at('host', 'field.invalid')
  return url.origin
}

/** Where people find this installation: links that are sent to them, and the provider's way back, lead there. */
export const publicOriginOf = (request: FastifyRequest, publicUrl: string | undefined): string =>
  publicUrl ?? originOf(request)
