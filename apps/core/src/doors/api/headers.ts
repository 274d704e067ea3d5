// Security headers of every answer.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Addresses of the operator outside this site; the console may reach exactly their origins. */
interface Elsewhere {
  /** The address that it reports page visits to. */
  pageVisits: string | undefined
  /** The server whose pictures it shows under the map. */
  tiles: string | undefined
}

/** The page's own site, and the origin of the address if there is one. */
const alsoFrom = (sources: string, address: string | undefined): string =>
  [sources, ...(address === undefined ? [] : [new URL(address).origin])].join(' ')

/** Styles are allowed in attributes (the component library sets sizes there); scripts only in files of this site. */
const contentSecurityPolicy = ({ pageVisits, tiles }: Elsewhere) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    alsoFrom("img-src 'self' data: blob:", tiles),
    "media-src 'self' blob:",
    "font-src 'self'",
    alsoFrom("connect-src 'self'", pageVisits),
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

type Secure = (request: FastifyRequest, reply: FastifyReply) => void

/** Adds the headers to an answer. */
export function createSecure(elsewhere: Elsewhere): Secure {
  const policy = contentSecurityPolicy(elsewhere)
  return (request, reply) => secure(policy, request, reply)
}

function secure(policy: string, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('content-security-policy', policy)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('x-frame-options', 'DENY')
  reply.header('referrer-policy', 'same-origin')
  reply.header('cross-origin-opener-policy', 'same-origin')
  reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(self)')
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
  if (request.url.startsWith('/luc/')) reply.header('cache-control', 'no-store')
}
