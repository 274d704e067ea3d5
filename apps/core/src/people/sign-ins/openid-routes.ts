// The two addresses of the sign-in at the provider, outside the contract: a browser is redirected there and back.
import { SIGN_IN_COOKIE } from '@backhaul/contract/define/endpoint'
import { TooMany } from '@backhaul/contract/define/errors'
import { pathAfterSignIn, safeNextPath } from '@backhaul/contract/nouns/next-path'
import { OPENID_CALLBACK_PATH, OPENID_PATH, type OpenidFault } from '@backhaul/contract/nouns/openid'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { publicOriginOf } from '../../doors/api/origin.ts'
import { giveSignIn } from '../../doors/api/sign-in-cookies.ts'
import { ATTEMPT_LASTS_MS, type Openid, OpenidFailure } from '../openid/openid.ts'
import type { SignIns } from './sign-ins.ts'

const ATTEMPT_COOKIE = 'backhaul_openid'

/** The addresses of the sign-in at a provider; they exist only where there is one. */
export function bindOpenid(
  app: FastifyInstance,
  signIns: SignIns,
  openid: Openid | undefined,
  publicUrl: string | undefined,
): void {
  if (!openid) return
  app.get(OPENID_PATH, async (request, reply) => {
    const next = safeNextPath((request.query as { next?: unknown }).next)
    try {
      const { address, kept } = await openid.begin(publicOriginOf(request, publicUrl), next)
      reply.setCookie(ATTEMPT_COOKIE, kept, { ...cookieOf(request), maxAge: ATTEMPT_LASTS_MS / 1000 })
      return await reply.redirect(address)
    } catch (error) {
      return await reply.redirect(loginPath(faultOf(error), next))
    }
  })
  app.get(OPENID_CALLBACK_PATH, async (request, reply) => {
    reply.clearCookie(ATTEMPT_COOKIE, cookieOf(request))
    const { ip: address, headers, cookies } = request
    try {
      const { next, ...opened } = await signIns.openFromProvider({
        kept: cookies[ATTEMPT_COOKIE],
        search: request.url.slice(OPENID_CALLBACK_PATH.length),
        address,
        agent: headers['user-agent'] ?? '',
        presentToken: cookies[SIGN_IN_COOKIE],
        readCookie: (name) => cookies[name],
      })
      giveSignIn(reply, opened)
      return await reply.redirect(pathAfterSignIn(next))
    } catch (error) {
      return await reply.redirect(loginPath(faultOf(error), undefined))
    }
  })
}

const cookieOf = ({ protocol }: FastifyRequest) =>
  ({
    path: OPENID_PATH,
    httpOnly: true,
    // The browser comes back from another site.
    sameSite: 'lax',
    secure: protocol === 'https',
  }) as const

function faultOf(error: unknown): OpenidFault {
  if (error instanceof OpenidFailure) return error.fault
  if (error instanceof TooMany) return 'tooMany'
  throw error
}

const loginPath = (fault: OpenidFault, next: string | undefined): string =>
  `/login?${new URLSearchParams({ fault, ...(next !== undefined && { next }) })}`
