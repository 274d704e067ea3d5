import type { invitations as endpoints } from '@backhaul/contract/api/invitations'
import { joinPath } from '@backhaul/contract/nouns/invitations'
import type { Call, Handlers } from '../../doors/api/bind.ts'
import type { Invitations } from './invitations.ts'

type Sending = Pick<Call<typeof endpoints.email>, 'caller' | 'params' | 'body' | 'origin' | 'note'>

export function invitationRoutes(invitations: Invitations): Handlers<typeof endpoints> {
  const send =
    (kind: 'email' | 'sms') =>
    async ({ caller, params: { currentGroup }, body, origin, note }: Sending) => {
      const { inventoryId } = await invitations.send(caller, currentGroup, kind, body, origin)
      const { recipients, period } = body
      note({ objectId: currentGroup, inventoryId, details: { recipients, period } })
      return { done: true, isConnected: invitations.isConnected(kind) } as const
    }
  return {
    async create({ caller, params, body, origin, note }) {
      const invited = await invitations.create(caller, params.currentGroup, body.period)
      const expiresAt = new Date(invited.expiresMs).toISOString()
      note({
        objectId: params.currentGroup,
        inventoryId: invited.inventoryId,
        details: { ...body, expiresAt },
      })
      return { code: invited.code, expiresAt, link: origin + joinPath(invited.code) }
    },
    email: send('email'),
    sms: send('sms'),
    look: ({ body, address }) => invitations.look(body.code, address),
  }
}
