import type { Devices } from '../devices/devices.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { createInvitations } from './invitations.ts'

type Needs = Omit<Parameters<typeof createInvitations>[0], 'pairing'> & { devices: Devices }

export function invitationsFeature(needs: Needs) {
  const invitations = createInvitations({ ...needs, pairing: needs.devices.pairing })
  return { face: invitations, routes: { invitations: invitationRoutes(invitations, needs.groups) } }
}
