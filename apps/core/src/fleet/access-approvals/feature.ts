import { accessApprovalRoutes } from './access-approval-routes.ts'
import { createAccessApprovals } from './access-approvals.ts'

export function accessApprovalsFeature(needs: Parameters<typeof createAccessApprovals>[0]) {
  const accessApprovals = createAccessApprovals(needs)
  return {
    face: accessApprovals,
    routes: { accessApprovals: accessApprovalRoutes(accessApprovals) },
    start: accessApprovals.start,
    stop: accessApprovals.stop,
  }
}
