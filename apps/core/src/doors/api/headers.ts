// Security headers of every answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Styles are allowed in attributes (the component library sets sizes there); scripts only in files of this site. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => secure(request, reply))
}

/** For an answer that is sent before any hook runs. */
export function secure(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('content-security-policy', contentSecurityPolicy)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('x-frame-options', 'DENY')
  reply.header('referrer-policy', 'same-origin')
  reply.header('cross-origin-opener-policy', 'same-origin')
  reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(self)')
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
  if (request.url.startsWith('/luc/')) reply.header('cache-control', 'no-store')
}
