import type { accessApprovals as endpoints } from '@backhaul/contract/api/access-approvals'
import type { Handlers } from '../../doors/api/bind.ts'
import type { AccessApprovals } from './access-approvals.ts'

export function accessApprovalRoutes(approvals: AccessApprovals): Handlers<typeof endpoints> {
  return {
    list: ({ caller, query }) => approvals.page(caller.scope, query),
    async grant({ caller, body, note }) {
      const approval = await approvals.grant(caller, body.device)
      note({ objectId: approval.device, inventoryId: approval.inventoryId, details: { end: approval.end } })
      return approval
    },
    async revoke({ caller, params, note }) {
      const approval = await approvals.revoke(caller.scope, params.id)
      note({ objectId: approval.device, inventoryId: approval.inventoryId })
      return approval
    },
  }
}
