import type { inventories as endpoints } from '@backhaul/contract/api/inventories'
import { PageQuery } from '@backhaul/contract/define/answers'
import { withDeviceServices } from '@backhaul/contract/nouns/device-services'
import { pageOf, pagingOf } from '../../database/paging.ts'
import { everything } from '../../database/scope.ts'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'
import type { Units } from './units.ts'

interface Needs {
  inventories: Inventories
  devices: Devices
  channels: Channels
  units: Units
}

const unitKeys = ['name', 'serialNumber', 'type', 'swVersion', 'status'] as const
const channelKeys = ['name', 'type', 'status', 'serverName'] as const

/** Lists the devices and channels of a customer, within the caller's scope. */
export function unitsOfInventoryRoutes({
  inventories,
  devices,
  channels,
  units,
}: Needs): Handlers<Pick<typeof endpoints, 'serviceable' | 'units' | 'channels'>> {
  return {
    async serviceable({ caller, params }) {
      await inventories.get(caller.scope, params.id)
      const all = (['unit', 'server'] as const)
        .flatMap((kind) => devices.ofInventory(kind, params.id))
        .map(({ id: uid, productType: type, details, name, kind, serialNumber, swVersion }) => {
          const services =
            kind === 'unit'
              ? units.get(everything, uid).services
              : withDeviceServices(details.services ?? [], details.givenServices)
          return { uid, name, kind, type, serialNumber, swVersion, services }
        })
      return pageOf(all, { ...pagingOf<'name'>(PageQuery.parse({}), ['name']), limit: all.length }).items
    },
    async units({ caller, params, query }) {
      await inventories.get(caller.scope, params.id)
      const excluded = query.excludeProducts?.split(',').map((product) => product.trim()) ?? []
      const all = units
        .readable(caller.scope)
        .filter(({ inventoryId }) => inventoryId === params.id)
        .filter(({ type }) => !excluded.includes(type))
        .filter(({ swVersion }) => isMajor(swVersion, query.majorSwVersion))
        .filter(({ applications }) => isIn('audioRoom' in (applications ?? {}), query.audioRoom))
      return pageOf(all, pagingOf({ ...PageQuery.parse({}), ...query }, unitKeys))
    },
    async channels({ caller, params, query }) {
      await inventories.get(caller.scope, params.id)
      const all = channels.readable(caller.scope).filter(({ inventoryId }) => inventoryId === params.id)
      return pageOf(all, pagingOf({ ...PageQuery.parse({}), ...query }, channelKeys))
    },
  }
}

const isMajor = (version: string, major: number | undefined): boolean =>
  major === undefined || Number(version.split('.')[0]) === major

const isIn = (is: boolean, wanted: 'true' | 'false' | undefined): boolean =>
  wanted === undefined || is === (wanted === 'true')
