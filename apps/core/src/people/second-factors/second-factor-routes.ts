import type { secondFactors as endpoints } from '@backhaul/contract/api/second-factors'
import type { Handlers } from '../../doors/api/bind.ts'
import type { SecondFactors } from './second-factors.ts'

export function secondFactorRoutes(factors: SecondFactors): Handlers<typeof endpoints> {
  return {
    own: ({ caller }) => factors.own(caller.userId),
    offerTotp: (call) => factors.offerTotp(call.caller, call.body.password, call),
    confirmTotp: async (call) => {
      const { name } = call.body
      call.note({ details: { name } })
      return await factors.confirmTotp(call.caller, call.body, call)
    },
    offerPasskey: (call) => factors.offerPasskey(call.caller, call.body.password, call),
    confirmPasskey: async (call) => {
      const { name } = call.body
      call.note({ details: { name } })
      return await factors.confirmPasskey(call.caller, call.body, call)
    },
    renewRecoveryCodes: async (call) => {
      return { recoveryCodes: await factors.renewRecoveryCodes(call.caller, call.body.password, call) }
    },
    remove: async (call) => {
      await factors.remove(call.caller, call.params.id, call.body.password, call)
      return { done: true }
    },
    reset: async ({ caller, params, note }) => {
      const removed = await factors.reset(caller, params.id)
      note({ details: { removed } })
      return { removed }
    },
  }
}
