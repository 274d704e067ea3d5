import type { signIns as signInEndpoints } from '@backhaul/contract/api/sign-ins'
import type { Handlers } from '../../doors/api/bind.ts'
import type { SignIns } from './sign-ins.ts'

export function signInRoutes(signIns: SignIns): Handlers<typeof signInEndpoints> {
  return {
    signIn: async (call) => {
      const { address, agent, presentToken } = call
      const opened = await signIns.open({ ...call.body, address, agent, presentToken })
      call.signIn(opened)
      return { userId: opened.userId, csrfToken: opened.csrf }
    },
    signOut: async (call) => {
      const providerUrl = await signIns.close(call.caller, call.origin)
      call.signOut()
      return { done: true, ...(providerUrl !== undefined && { providerUrl }) }
    },
    ways: () => signIns.ways(),
    firstRun: async () => ({ isWanted: await signIns.firstUser.isWanted() }),
    makeFirstUser: async (call) => {
      const { address, agent, presentToken } = call
      const opened = await signIns.openFirst(call.body, { address, agent, presentToken })
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
