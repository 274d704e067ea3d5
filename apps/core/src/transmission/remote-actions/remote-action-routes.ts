import type { remoteActions as endpoints } from '@backhaul/contract/api/remote-actions'
import type { Handlers } from '../../doors/api/bind.ts'
import type { RemoteActions } from './remote-actions.ts'

export function remoteActionRoutes(remoteActions: RemoteActions): Handlers<typeof endpoints> {
  return {
    list: ({ caller, query }) => remoteActions.page(caller, query),
    async act({ caller, body, note }) {
      note({ details: body })
      const commandId = await remoteActions.act(caller, body)
      note({ objectId: body.device })
      return { accepted: true, commandId }
    },
  }
}
