import { invitationRoutes } from './invitation-routes.ts'
import { createInvitations } from './invitations.ts'

export function invitationsFeature(needs: Parameters<typeof createInvitations>[0]) {
  const invitations = createInvitations(needs)
  return { face: invitations, routes: { invitations: invitationRoutes(invitations, needs.groups) } }
}
