import type { intercom as endpoints } from '@backhaul/contract/api/intercom'
import type { Handlers } from '../../doors/api/bind.ts'
import type { UnitIntercom } from './intercom.ts'

const accepted = (commandId: string) => ({ accepted: true as const, commandId })

export function intercomRoutes(intercoms: UnitIntercom): Handlers<typeof endpoints> {
  return {
    options: ({ caller, params }) => intercoms.options(caller.scope, params.id),
    async set({ caller, params, body, note }) {
      const { intercom, ...line } = body
      const commandId = await intercoms.set(caller, params.id, intercom, line)
      note({ objectKind: 'units', details: body })
      return accepted(commandId)
    },
    async setJacks({ caller, params, body, note }) {
      const commandId = await intercoms.setJacks(caller, params.id, body.jacks)
      note({ objectKind: 'units', details: body })
      return accepted(commandId)
    },
    async start({ caller, params, note }) {
      const commandId = await intercoms.start(caller, params.id, params.session)
      note({ objectKind: 'units', details: { intercom: params.session } })
      return accepted(commandId)
    },
    async stop({ caller, params, note }) {
      const commandId = await intercoms.stop(caller, params.id, params.session)
      note({ objectKind: 'units', details: { intercom: params.session } })
      return accepted(commandId)
    },
    sipAccount: ({ caller, params }) => ({ sipAccount: intercoms.sipAccount(caller.scope, params.id) }),
    administeredSipAccount: ({ caller, params }) => ({
      sipAccount: intercoms.sipAccount(caller.scope, params.id),
    }),
    async setSipAccount({ caller, params, body, note }) {
      await intercoms.setSipAccount(caller.scope, params.id, body.sipAccount)
      note({ objectKind: 'units', details: { ...body } })
      return body
    },
  }
}
