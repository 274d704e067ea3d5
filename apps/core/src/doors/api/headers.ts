// Security headers of every answer.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Styles are allowed in attributes (the component library sets sizes there); scripts only in files of this site. */
const contentSecurityPolicy = (pageVisitsUrl: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...(pageVisitsUrl === undefined ? [] : [new URL(pageVisitsUrl).origin])].join(' '),
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

type Secure = (request: FastifyRequest, reply: FastifyReply) => void

/** Adds the headers to an answer; `pageVisitsUrl` is the one foreign address that the console may send to. */
export function createSecure(pageVisitsUrl: string | undefined): Secure {
  const policy = contentSecurityPolicy(pageVisitsUrl)
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
