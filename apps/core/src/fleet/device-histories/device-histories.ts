// Which groups and customers a device came to and left, by whom and when: noted as it happens, never changed.
import { randomUUID } from 'node:crypto'
import type { Page } from '@backhaul/contract/define/answers'
import type { DeviceHistory, HistoryAction, HistoryKind } from '@backhaul/contract/nouns/device-histories'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { everything } from '../../database/scope.ts'
import { createWrites } from '../../database/writes.ts'
import { actorNow } from '../../doors/api/actor.ts'
import type { Events } from '../../events.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Devices } from '../devices/devices.ts'
import {
  type HistoryQuery,
  historyPage,
  insertHistory,
  lastName,
  nameOfDevice,
} from './device-history-table.ts'

export interface DeviceHistories {
  /** The newest first. */
  page(kind: HistoryKind, query: HistoryQuery): Promise<Page<DeviceHistory>>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  groups: Groups
  inventories: Inventories
  devices: Devices
}

export function createDeviceHistories(needs: Needs): DeviceHistories {
  const { db, clock, log, events, groups, inventories, devices } = needs
  const writes = createWrites(log)
  let made = 0
  // Lines of one millisecond keep their order.
  const nextId = () => `${(made++).toString(36).padStart(8, '0')}-${randomUUID()}`

  async function nameOf(kind: HistoryKind, id: string): Promise<string> {
    const now =
      kind === 'group' ? await groups.find(id) : await inventories.get(everything, id).catch(() => undefined)
    return now?.name ?? (await lastName(db, 'target', id)) ?? id
  }

  function note(kind: HistoryKind, action: HistoryAction, deviceId: string, target: string, name?: string) {
    const line = { id: nextId(), at_ms: clock.nowMs(), made_by: actorNow() ?? null }
    const known = devices.get(deviceId)?.name ?? name
    const write = async () => {
      const deviceName = known ?? (await nameOfDevice(db, deviceId))
      const what = { kind, action, device_id: deviceId, device_name: deviceName }
      const where = { target_id: target, target_name: await nameOf(kind, target) }
      await insertHistory(db, { ...line, ...what, ...where })
    }
    void writes.add(write, 'history of the device not stored', { deviceId })
  }

  events.on('deviceGrouped', ({ deviceId, groupId, isMember }) =>
    note('group', isMember ? 'joined' : 'left', deviceId, groupId),
  )
  events.on('deviceRegistered', ({ deviceId }) => {
    const device = devices.get(deviceId)
    if (device) note('inventory', 'joined', deviceId, device.inventoryId)
  })
  events.on('deviceMoved', ({ deviceId, fromInventoryId }) => {
    note('inventory', 'left', deviceId, fromInventoryId)
    const device = devices.get(deviceId)
    if (device) note('inventory', 'joined', deviceId, device.inventoryId)
  })
  events.on('deviceRemoved', ({ deviceId, name, inventoryId }) =>
    note('inventory', 'left', deviceId, inventoryId, name),
  )

  return {
    async page(kind, query) {
      await writes.stored()
      const { items, total } = await historyPage(db, kind, query)
      return { items, total, offset: query.offset, limit: query.limit }
    },
    async stop() {
      await writes.stored()
    },
  }
}
