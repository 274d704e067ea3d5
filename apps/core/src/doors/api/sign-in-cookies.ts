// The two cookies of a sign-in: the secret one that a script never sees, and the CSRF token that our scripts repeat.
import { CSRF_COOKIE, SIGN_IN_COOKIE } from '@backhaul/contract/define/endpoint'
import type { FastifyReply } from 'fastify'

const cookieOf = (reply: FastifyReply) =>
  ({ path: '/', sameSite: 'lax', secure: reply.request.protocol === 'https' }) as const

export function giveSignIn(
  reply: FastifyReply,
  { token, csrf, lastsMs }: { token: string; csrf: string; lastsMs: number },
): void {
  const cookie = { ...cookieOf(reply), maxAge: Math.floor(lastsMs / 1000) }
  reply.setCookie(SIGN_IN_COOKIE, token, { ...cookie, httpOnly: true })
  reply.setCookie(CSRF_COOKIE, csrf, cookie)
}

export function takeSignIn(reply: FastifyReply): void {
  reply.clearCookie(SIGN_IN_COOKIE, cookieOf(reply))
  reply.clearCookie(CSRF_COOKIE, cookieOf(reply))
}
