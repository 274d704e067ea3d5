import type { invitations as endpoints } from '@backhaul/contract/api/invitations'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Invitations } from './invitations.ts'

export function invitationRoutes(invitations: Invitations): Handlers<typeof endpoints> {
  return {
    async create({ caller, params, body, note }) {
      const invited = await invitations.create(caller, params.currentGroup, body.period)
      const expiresAt = new Date(invited.expiresMs).toISOString()
      note({
        objectId: params.currentGroup,
        inventoryId: invited.inventoryId,
        details: { ...body, expiresAt },
      })
      return { code: invited.code, expiresAt }
    },
    async email({ caller, params, body, note }) {
      const { inventoryId } = await invitations.email(caller, params.currentGroup, body)
      note({
        objectId: params.currentGroup,
        inventoryId,
        details: { recipients: body.recipients, period: body.period },
      })
      return { done: true }
    },
  }
}
