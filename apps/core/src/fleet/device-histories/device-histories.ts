// The groups and customers that a device joined and left, by whom and when: noted as it happens, never changed.
import { randomUUID } from 'node:crypto'
import type { Page } from '@backhaul/contract/define/answers'
import type { DeviceHistory, HistoryAction, HistoryKind } from '@backhaul/contract/nouns/device-histories'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { DeviceHistoryRow } from '../../database/access-schema.ts'
import type { Database } from '../../database/schema.ts'
import { everything } from '../../database/scope.ts'
import { createWrites } from '../../database/writes.ts'
import { actorNow } from '../../doors/api/actor.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { Devices } from '../devices/devices.ts'
import {
  type HistoryQuery,
  historyPage,
  insertHistories,
  lastName,
  nameOfDevice,
} from './device-history-table.ts'

export interface DeviceHistories {
  /** The newest first. */
  page(kind: HistoryKind, query: HistoryQuery): Promise<Page<DeviceHistory>>
  stop(): Promise<void>
}

/** A line to be stored; names that are not known yet are looked up then. */
interface Line extends Pick<DeviceHistoryRow, 'id' | 'at_ms' | 'made_by'> {
  kind: HistoryKind
  action: HistoryAction
  deviceId: string
  deviceName: string | undefined
  targetId: string
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

  let waiting: Line[] = []

  function note(kind: HistoryKind, action: HistoryAction, deviceId: string, targetId: string, name?: string) {
    const deviceName = devices.get(deviceId)?.name ?? name
    const [at_ms, made_by] = [clock.nowMs(), actorNow() ?? null]
    waiting.push({ id: nextId(), at_ms, made_by, kind, action, deviceId, deviceName, targetId })
    // The write that the first of them waits for stores all of them.
    if (waiting.length === 1) void writes.add(writeWaiting, 'histories of devices not stored')
  }

  /** All lines that came during the last write: a fleet that registers would else wait for the disk twice for each device. */
  async function writeWaiting(): Promise<void> {
    const lines = waiting
    if (lines.length === 0) return
    waiting = []
    await insertHistories(db, await named(lines))
  }

  async function named(lines: readonly Line[]): Promise<DeviceHistoryRow[]> {
    const targetNames = new Map<string, string>()
    const deviceNames = new Map<string, string>()
    for (const { deviceId, deviceName } of lines)
      if (deviceName !== undefined) deviceNames.set(deviceId, deviceName)
    const rows: DeviceHistoryRow[] = []
    for (const { deviceId, deviceName, targetId, ...line } of lines) {
      const device_name =
        deviceName ??
        devices.get(deviceId)?.name ??
        deviceNames.get(deviceId) ??
        (await nameOfDevice(db, deviceId))
      const target = `${line.kind} ${targetId}`
      const target_name = targetNames.get(target) ?? (await nameOf(line.kind, targetId))
      targetNames.set(target, target_name)
      rows.push({ ...line, device_id: deviceId, device_name, target_id: targetId, target_name })
    }
    return rows
  }

  async function nameOf(kind: HistoryKind, id: string): Promise<string> {
    const now =
      kind === 'group' ? await groups.find(id) : await inventories.get(everything, id).catch(() => undefined)
    return now?.name ?? (await lastName(db, 'target', id)) ?? id
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
