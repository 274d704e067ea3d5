// Units for administrators: lists, records, groups, and moves from one customer to another.
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import type { AdministeredUnit, NewUnit, UnitChange } from '@backhaul/contract/nouns/device-administration'
import { productOf } from '@backhaul/contract/nouns/products'
import type { Clock } from '@backhaul/runtime/clock'
import { pageOf, pagingOf } from '../../database/paging.ts'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { unlessTaken } from '../../database/unique.ts'
import type { Found } from '../../doors/api/bind.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Device, DeviceDetails, Devices } from '../devices/devices.ts'
import type { LinkExtenders } from '../link-extenders/link-extenders.ts'
import type { Units } from '../units/units.ts'
import * as table from './device-administration-table.ts'
import {
  groupsAfter,
  keptFields,
  type Names,
  namesFor,
  nameTaken,
  ownedAs,
  requireGroups,
  requireUniqueSerial,
  requireVendor,
} from './records.ts'

interface Named {
  uid: string
  name: string
}

export interface UnitRecords {
  /** Throws NotFound for a customer or a group outside the caller's scope. */
  page(
    scope: Scope,
    query: PageQuery,
    of: { inventory?: string; group?: string },
  ): Promise<Page<AdministeredUnit>>
  one(scope: Scope, id: string): Promise<AdministeredUnit>
  /** Throws NotFound also for a unit that is not a smart one. */
  smart(scope: Scope, id: string): Promise<AdministeredUnit>
  /** Throws NotFound also for a unit of another customer. */
  ofInventory(scope: Scope, inventoryId: string, id: string): Promise<AdministeredUnit>
  /** Throws Conflict for a name or a serial number that the customer has already. */
  create(scope: Scope, unit: NewUnit): Promise<AdministeredUnit>
  /** Throws NotAllowed where another user than vendor staff sets whether it is under SLA. */
  change(caller: Caller, id: string, changes: UnitChange): Promise<AdministeredUnit>
  /** Throws Conflict while the unit is busy. */
  remove(scope: Scope, id: string, found: Found): Promise<void>
  /** Throws Conflict while the unit is busy, and for one that is deregistered already. */
  deregister(scope: Scope, id: string): Promise<AdministeredUnit>
  inventoriesOf(scope: Scope, id: string, query: PageQuery): Promise<Page<Named>>
  groupsOf(scope: Scope, id: string, query: PageQuery): Promise<Page<Named>>
  /** The groups that the unit can be in. */
  groupsFor(scope: Scope, id: string, query: PageQuery): Promise<Page<Named>>
  /** Throws Conflict while the unit is busy, and where the customer has its name or serial number already. */
  associate(scope: Scope, inventoryId: string, id: string): Promise<void>
  /** Back to the parent of the customer; Conflict where there is none. */
  disassociate(scope: Scope, inventoryId: string, id: string): Promise<void>
}

const keys = ['name', 'serialNumber', 'productType', 'swVersion', 'inventoryName', 'status'] as const

interface Needs {
  db: Database
  clock: Clock
  inventories: Inventories
  groups: Groups
  devices: Devices
  units: Units
  linkExtenders: LinkExtenders
}

export function createUnitRecords(needs: Needs): UnitRecords {
  const { db, clock, inventories, groups, devices, units, linkExtenders } = needs

  function shown(device: Device, names: Names): AdministeredUnit {
    const {
      status = 'offline',
      services = [],
      license = null,
      upgrade = null,
    } = units.values(device.id) ?? {}
    const kept = keptFields(device, devices.memberships.groupsOf('unit', device.id), names)
    const { deregisteredMs } = device.details
    const deregisteredAt = deregisteredMs === undefined ? null : new Date(deregisteredMs).toISOString()
    return { ...kept, status, services, license, upgrade, deregisteredAt }
  }

  function readable(scope: Scope, id: string): Device {
    units.get(scope, id)
    return devices.get(id) as Device
  }

  async function one(scope: Scope, id: string): Promise<AdministeredUnit> {
    return shown(readable(scope, id), await namesFor(needs, scope))
  }

  function requireIdle(id: string): (transaction: DatabaseTransaction) => Promise<void> {
    const unit = units.values(id)
    if (unit && !unit.offline && unit.busy) throw new Conflict('unit.busy')
    return async (transaction) => {
      if (await table.isTransmitting(transaction, id)) throw new Conflict('unit.busy')
    }
  }

  async function setGroups(
    scope: Scope,
    { id, inventoryId }: Device,
    requested: readonly string[],
  ): Promise<void> {
    await requireGroups(needs, scope, inventoryId, requested)
    const before = await groups.ofMember('unit', id)
    const after = await groupsAfter(needs, scope, before, requested)
    const notifications = await db.transaction().execute(async (transaction) => {
      const moves: (() => void)[] = []
      for (const group of before)
        if (!after.includes(group)) moves.push(await groups.leave(transaction, group, 'unit', id))
      for (const group of after)
        if (!before.includes(group)) moves.push(await groups.join(transaction, group, 'unit', id))
      return moves
    })
    for (const notify of notifications) notify()
  }

  async function move(id: string, inventoryId: string): Promise<void> {
    const check = requireIdle(id)
    const device = devices.get(id) as Device
    requireUniqueSerial(needs, { ...device, inventoryId })
    const before = await groups.ofMember('unit', id)
    await unlessTaken(
      devices.move(id, inventoryId, async (transaction) => {
        await check(transaction)
        await table.leaveCustomer(transaction, id)
        const notifications: (() => void)[] = []
        for (const group of before) notifications.push(await groups.leave(transaction, group, 'unit', id))
        notifications.push(await groups.joinByItself(transaction, inventoryId, 'unit', id))
        const alone = await linkExtenders.leave(transaction, id)
        const unset = await devices.changeWanted<UnitWanted>(transaction, id, (now) => ({
          ...now,
          channelId: null,
        }))
        const bare = await devices.changeDetails(transaction, id, (now) => withoutTies(now, clock.nowMs()))
        notifications.push(() => {
          devices.adopt([alone, unset])
          devices.adoptDetails(bare)
        })
        return () => {
          for (const notify of notifications) notify()
        }
      }),
      nameTaken,
    )
  }

  return {
    async page(scope, query, { inventory, group }) {
      if (inventory !== undefined) await inventories.get(scope, inventory)
      if (group !== undefined) await groups.get(scope, group)
      const names = await namesFor(needs, scope)
      const isMeant = ({ id, inventoryId }: Device) =>
        (inventory === undefined || inventoryId === inventory) &&
        (group === undefined || devices.memberships.groupsOf('unit', id).includes(group)) &&
        devices.memberships.isReadable(scope, 'unit', id, inventoryId)
      const found = devices.all('unit').filter(isMeant)
      return pageOf(
        found.map((device) => shown(device, names)),
        pagingOf(query, keys),
      )
    },
    one,
    async smart(scope, id) {
      if (productOf(readable(scope, id).productType).group !== 'smartUnits') throw new NotFound('unit')
      return await one(scope, id)
    },
    async ofInventory(scope, inventoryId, id) {
      await inventories.get(scope, inventoryId)
      if (readable(scope, id).inventoryId !== inventoryId) throw new NotFound('unit')
      return await one(scope, id)
    },
    async create(scope, { inventory: inventoryId, groups: requested, ...given }) {
      await inventories.get(scope, inventoryId)
      await requireGroups(needs, scope, inventoryId, requested)
      const record = { ...given, kind: 'unit' as const, inventoryId, details: {} }
      requireUniqueSerial(needs, record)
      const id = await devices.addRecord(record, async (transaction, made) => {
        const notifications: (() => void)[] = []
        for (const group of requested) notifications.push(await groups.join(transaction, group, 'unit', made))
        notifications.push(await groups.joinByItself(transaction, inventoryId, 'unit', made))
        return () => {
          for (const notify of notifications) notify()
        }
      })
      if (id === undefined) throw nameTaken()
      return await one(scope, id)
    },
    async change({ scope, roles }, id, { groups: requested, name, comment, ownership, sla }) {
      const device = readable(scope, id)
      requireVendor(roles, ownership, sla)
      const named = { ...(name !== undefined && { name }), ...(comment !== undefined && { comment }) }
      if (Object.keys(named).length > 0) await units.update(scope, id, named)
      if (requested !== undefined) await setGroups(scope, device, requested)
      if (ownership !== undefined) await devices.updateDetails(id, ownedAs(ownership))
      if (sla !== undefined) await linkExtenders.setSla(id, sla)
      return await one(scope, id)
    },
    async remove(scope, id, found) {
      found(readable(scope, id))
      await devices.remove(id, requireIdle(id))
    },
    async deregister(scope, id) {
      const { deregisteredMs } = readable(scope, id).details
      if (deregisteredMs !== undefined) throw new Conflict('unit.deregistered')
      await devices.deregister(id, requireIdle(id))
      return await one(scope, id)
    },
    async inventoriesOf(scope, id, query) {
      const { id: uid, name } = await inventories.get(scope, readable(scope, id).inventoryId)
      return pageOf([{ uid, name }], pagingOf(query, ['name']))
    },
    async groupsOf(scope, id, query) {
      return pageOf(await units.groupsOf(scope, id), pagingOf(query, ['name']))
    },
    async groupsFor(scope, id, query) {
      const { inventoryId } = readable(scope, id)
      const ofCustomer = (await groups.light(scope)).filter((group) => group.inventoryId === inventoryId)
      return pageOf(
        ofCustomer.map(({ uid, name }) => ({ uid, name })),
        pagingOf(query, ['name']),
      )
    },
    async associate(scope, inventoryId, id) {
      const { inventoryId: before } = readable(scope, id)
      await inventories.get(scope, inventoryId)
      if (before !== inventoryId) await move(id, inventoryId)
    },
    async disassociate(scope, inventoryId, id) {
      if (readable(scope, id).inventoryId !== inventoryId) throw new NotFound('unit')
      const { parent } = await inventories.get(scope, inventoryId)
      if (parent === null) throw new Conflict('unit.oneInventory')
      await inventories.get(scope, parent)
      await move(id, parent)
    },
  }
}

/** The choices on it name channels, servers and machines of the customer that it leaves, and its code was known there. */
function withoutTies(now: DeviceDetails, movedMs: number): DeviceDetails {
  const {
    machines: _,
    destination: __,
    databridgeGateway: ___,
    databridgePorts: ____,
    ipPipe: _____,
    videoReturn: ______,
    sipAccount: _______,
    cameras: ________,
    pairing: _________,
    ...kept
  } = now
  return { ...kept, movedMs }
}
