// The records of machines, as administrators make, move and delete them.
import { english } from '@backhaul/contract/define/refusals'
import type { DeviceKind } from '@backhaul/contract/gateway/shared'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Events } from '../../world/events.ts'
import type { DeviceIndex, KeptDevice } from './device-index.ts'
import type { DeviceFacts } from './device-table.ts'
import * as table from './device-table.ts'
import { newDeviceId, unknownTokenHash } from './registration.ts'

export type NewRecord = Pick<
  DeviceFacts,
  'kind' | 'inventoryId' | 'name' | 'comment' | 'productType' | 'serialNumber' | 'details'
>

export interface DeviceRecords {
  /**
   * The record of a machine that has not joined yet; `more` is written with it. Undefined, and nothing is written, when
   * the customer has a device of this kind and name.
   */
  addRecord(
    record: NewRecord,
    more: (transaction: DatabaseTransaction, id: string) => Promise<() => void>,
  ): Promise<string | undefined>
  /** Deletes the device unless `check` throws inside the transaction; its machine is refused as unknown. */
  remove(id: string, check: (transaction: DatabaseTransaction) => Promise<void>): Promise<void>
  /**
   * Its machine is unknown from now on, and comes back only with a pairing code; the record is kept. Does nothing when
   * `check` throws inside the transaction.
   */
  deregister(id: string, check: (transaction: DatabaseTransaction) => Promise<void>): Promise<void>
  /** Its machine is unknown from now on, and joins again with its key. Does nothing when `check` throws inside the transaction. */
  revoke(id: string, check: (transaction: DatabaseTransaction) => Promise<void>): Promise<void>
  /** Makes it another customer's; `more` is written with it, and its answer called after the commit. */
  move(
    id: string,
    inventoryId: string,
    more: (transaction: DatabaseTransaction) => Promise<() => void>,
  ): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  events: Events
  devices: DeviceIndex
  keeper: { forget(deviceId: string): void }
  take(facts: DeviceFacts): void
  /** Its machine has to join again. False when it is not connected. */
  dismiss(id: string, why: string): boolean
  gone(device: KeptDevice): void
}

export const initialWanted = (kind: DeviceKind): object =>
  kind === 'unit'
    ? { channelId: null, delayMs: 1000, transmission: null, disabledLinks: [] }
    : { channels: [] }

export function createDeviceRecords(needs: Needs): DeviceRecords {
  const { db, clock, events, devices, keeper, take, dismiss, gone } = needs

  return {
    async addRecord(record, more) {
      const registeredMs = clock.nowMs()
      const facts: DeviceFacts = {
        ...record,
        id: newDeviceId(record.kind, registeredMs),
        swVersion: '',
        tokenHash: unknownTokenHash(),
        wanted: initialWanted(record.kind),
        wantedRevision: 1,
        registeredMs,
      }
      const notify = await db.transaction().execute(async (transaction) => {
        if ((await table.insertDevices(transaction, [facts])).size === 0) return undefined
        return await more(transaction, facts.id)
      })
      if (!notify) return undefined
      take(facts)
      events.emit('deviceRegistered', { deviceId: facts.id, kind: facts.kind })
      notify()
      return facts.id
    },
    async remove(id, check) {
      const device = devices.get(id)
      if (!device) return
      await db.transaction().execute(async (transaction) => {
        // A start changes the rows of its unit and of its server, so no transmission can start from here on.
        await table.holdDetails(transaction, id)
        await check(transaction)
        await table.deleteDevice(transaction, id)
      })
      const { kind, name, inventoryId } = device
      devices.remove(device)
      keeper.forget(id)
      dismiss(id, english('device.deleted'))
      events.emit('deviceRemoved', { deviceId: id, kind, name, inventoryId })
    },
    async deregister(id, check) {
      const device = devices.get(id)
      if (!device) return
      const tokenHash = unknownTokenHash()
      const details = await db.transaction().execute(async (transaction) => {
        const now = await table.holdDetails(transaction, id)
        await check(transaction)
        const next = { ...now, deregisteredMs: clock.nowMs() }
        await table.updateDevice(transaction, id, { tokenHash, details: next })
        return next
      })
      devices.change(device, { tokenHash, details })
      if (dismiss(id, english('device.deregistered'))) gone(device)
    },
    async revoke(id, check) {
      const device = devices.get(id)
      if (!device) return
      const tokenHash = unknownTokenHash()
      await db.transaction().execute(async (transaction) => {
        await table.holdDetails(transaction, id)
        await check(transaction)
        await table.updateDevice(transaction, id, { tokenHash })
      })
      devices.change(device, { tokenHash })
      if (dismiss(id, english('device.unknownToken'))) gone(device)
    },
    async move(id, inventoryId, more) {
      const device = devices.get(id)
      if (!device) return
      const notify = await db.transaction().execute(async (transaction) => {
        await table.holdDetails(transaction, id)
        await table.updateDevice(transaction, id, { inventoryId })
        return await more(transaction)
      })
      const { inventoryId: fromInventoryId } = device
      devices.change(device, { inventoryId })
      events.emit('deviceMoved', { deviceId: id, kind: device.kind, fromInventoryId })
      notify()
    },
  }
}
