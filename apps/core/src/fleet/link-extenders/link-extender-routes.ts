import type { linkExtenders as endpoints } from '@backhaul/contract/api/link-extenders'
import type { Handlers } from '../../doors/api/bind.ts'
import type { LinkExtenders } from './link-extenders.ts'

export function linkExtenderRoutes(extenders: LinkExtenders): Handlers<typeof endpoints> {
  return {
    ofUnit: ({ caller, params }) => extenders.of(caller.scope, params.id),
    async pair({ caller, params, body, note }) {
      note({ objectKind: 'units', details: body })
      return await extenders.pair(caller, params.id, body.serialNumber)
    },
    async remove({ caller, params, note }) {
      const left = await extenders.remove(caller.scope, params.id, params.serial)
      note({ objectKind: 'units', details: { serialNumber: params.serial } })
      return left
    },
  }
}
