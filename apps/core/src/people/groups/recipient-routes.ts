import type { recipients as endpoints } from '@backhaul/contract/api/recipients'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Groups } from './groups.ts'

export function recipientRoutes(
  { recipients }: Groups,
  isConnected: () => boolean,
): Handlers<typeof endpoints> {
  return {
    async sendVerification({ caller, params: { id, email }, publicOrigin, note }) {
      const sent = await recipients.sendVerification(caller.scope, id, email, publicOrigin)
      const { inventoryId, ...recipient } = sent
      note({ objectKind: 'groups', objectId: id, inventoryId, details: { email: recipient.email } })
      return { ...recipient, isConnected: isConnected() }
    },
    verify: ({ params, address }) => recipients.verify(params.token, address),
  }
}
