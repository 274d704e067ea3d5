// The cookies of a sign-in: the secret one that scripts cannot read, the CSRF token that the console repeats, and the one
// that recognises the browser next time.
import { CSRF_COOKIE, SIGN_IN_COOKIE } from '@backhaul/contract/define/endpoint'
import type { FastifyReply } from 'fastify'
import type { KnownBrowserCookie } from './known-browser.ts'

const cookieOf = (reply: FastifyReply) =>
  ({ path: '/', sameSite: 'lax', secure: reply.request.protocol === 'https' }) as const

export interface SignInSecrets {
  token: string
  csrf: string
  lastsMs: number
  known: KnownBrowserCookie
}

/** A browser that signs in twice a year is still recognised. */
const knownForS = 180 * 24 * 3600

export function giveSignIn(reply: FastifyReply, { token, csrf, lastsMs, known }: SignInSecrets): void {
  const cookie = { ...cookieOf(reply), maxAge: Math.floor(lastsMs / 1000) }
  reply.setCookie(SIGN_IN_COOKIE, token, { ...cookie, httpOnly: true })
  reply.setCookie(CSRF_COOKIE, csrf, cookie)
  reply.setCookie(known.name, known.value, { ...cookieOf(reply), maxAge: knownForS, httpOnly: true })
}

export function takeSignIn(reply: FastifyReply): void {
  reply.clearCookie(SIGN_IN_COOKIE, cookieOf(reply))
  reply.clearCookie(CSRF_COOKIE, cookieOf(reply))
}
