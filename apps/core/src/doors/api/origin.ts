import { InvalidRequest } from '@backhaul/contract/define/errors'
import { texts } from '@backhaul/contract/define/texts'
import type { FastifyRequest } from 'fastify'

/** Where the caller's browser finds this installation, for instance https://backhaul.example. */
export function originOf(request: FastifyRequest): string {
  const url = URL.parse(`${request.protocol}://${request.host}`)
  if (!url) throw new InvalidRequest([{ field: 'host', message: texts.invalid }])
  return url.origin
}
