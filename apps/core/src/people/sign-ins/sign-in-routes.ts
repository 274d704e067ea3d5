import type { signIns as signInEndpoints } from '@backhaul/contract/api/sign-ins'
import type { users as userEndpoints } from '@backhaul/contract/api/users'
import type { Handler, Handlers } from '../../doors/api/bind.ts'
import type { SignIns } from './sign-ins.ts'

export function signInRoutes(signIns: SignIns): Handlers<typeof signInEndpoints> {
  return {
    signIn: async (call) => {
      const { address, agent, presentToken, readCookie, origin } = call
      const opened = await signIns.open({ ...call.body, address, agent, presentToken, readCookie, origin })
      if ('secondFactor' in opened) return opened
      call.signIn(opened)
      return { userId: opened.userId, csrfToken: opened.csrf }
    },
    secondStep: async (call) => {
      const { address, agent, presentToken, readCookie, origin } = call
      const opened = await signIns.openBySecondStep(call.body, {
        address,
        agent,
        presentToken,
        readCookie,
        origin,
      })
      call.signIn(opened)
      return { userId: opened.userId, csrfToken: opened.csrf }
    },
    signOut: async (call) => {
      const providerUrl = await signIns.close(call.caller, call.publicOrigin)
      call.signOut()
      return { done: true, ...(providerUrl !== undefined && { providerUrl }) }
    },
    ways: () => signIns.ways(),
    firstRun: async () => ({ isWanted: await signIns.firstUser.isWanted() }),
    makeFirstUser: async (call) => {
      const { address, agent, presentToken, readCookie } = call
      const opened = await signIns.openFirst(call.body, { address, agent, presentToken, readCookie })
      call.signIn(opened)
      return { userId: opened.userId, csrfToken: opened.csrf }
    },
    own: ({ caller }) => signIns.own(caller),
    end: async ({ caller, params }) => {
      await signIns.endOwn(caller, params.id)
      return { done: true }
    },
    endOthers: async ({ caller, note }) => {
      const ended = await signIns.endOthers(caller)
      note({ details: { ended } })
      return { ended }
    },
  }
}

/** A call with a secret, so it is with those that count guesses. */
export function changePasswordRoute(signIns: SignIns): Handler<typeof userEndpoints.changePassword> {
  return async ({ caller, body, address, note }) => {
    note({ objectId: caller.userId })
    await signIns.changePassword(caller, body, address)
    return { done: true }
  }
}
