import type { groups as groupEndpoints } from '@backhaul/contract/api/groups'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Devices } from './devices.ts'

export function pairingRoutes(
  { pairing }: Devices,
  groups: Groups,
): Handlers<Pick<typeof groupEndpoints, 'pairingCode'>> {
  return {
    async pairingCode({ caller, params, note }) {
      const group = await groups.get(caller.scope, params.id)
      const { code, expiresMs } = await pairing.make(group.id, caller.userId)
      const expiresAt = new Date(expiresMs).toISOString()
      note({ inventoryId: group.inventoryId, details: { expiresAt } })
      return { code, expiresAt }
    },
  }
}
