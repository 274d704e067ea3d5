// Common parts of the records of units and servers: their customer, their groups, unique values.

import { mayDo } from '@backhaul/contract/define/actions'
import { Conflict, NotAllowed, NotFound } from '@backhaul/contract/define/errors'
import type { Role } from '@backhaul/contract/define/roles'
import type { Ownership } from '@backhaul/contract/nouns/device-administration'
import { everything, type Scope } from '../../database/scope.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Device, DeviceDetails, Devices, NewRecord } from '../devices/devices.ts'

interface Needs {
  inventories: Inventories
  groups: Groups
  devices: Devices
}

/** Everything that a list needs to name customers and groups, read once for all of its rows. */
export interface Names {
  inventory(id: string): string
  /** The groups in the caller's scope. */
  groups(ids: readonly string[]): { uid: string; name: string }[]
}

const all = 1_000_000

export async function namesFor({ inventories, groups }: Needs, scope: Scope): Promise<Names> {
  const [customers, known] = await Promise.all([
    inventories.list(everything, { limit: all }),
    groups.light(scope),
  ])
  const customerNames = new Map(customers.map(({ id, name }) => [id, name]))
  const groupNames = new Map(known.map(({ uid, name }) => [uid, name]))
  return {
    inventory: (id) => customerNames.get(id) ?? '',
    groups: (ids) =>
      ids.flatMap((uid) => {
        const name = groupNames.get(uid)
        return name === undefined ? [] : [{ uid, name }]
      }),
  }
}

export function keptFields(device: Device, groupIds: readonly string[], names: Names) {
  return {
    uid: device.id,
    name: device.name,
    comment: device.comment,
    productType: device.productType,
    serialNumber: device.serialNumber,
    swVersion: device.swVersion,
    inventory: device.inventoryId,
    inventoryName: names.inventory(device.inventoryId),
    groups: names.groups(groupIds),
    ownership: device.details.ownership ?? null,
    registeredAt: new Date(device.registeredMs).toISOString(),
  }
}

/** Fields of a record that only vendor staff set: undefined where they do not change. */
export function requireVendor(roles: readonly Role[], ...requested: readonly unknown[]): void {
  if (requested.some((one) => one !== undefined) && !mayDo(roles, 'administerSystem')) throw new NotAllowed()
}

export const ownedAs =
  (ownership: Ownership | null) =>
  ({ ownership: _, ...now }: DeviceDetails): DeviceDetails => ({ ...now, ...(ownership && { ownership }) })

/** Refuses groups of another customer, and those outside the caller's scope. */
export async function requireGroups(
  { groups }: Needs,
  scope: Scope,
  inventoryId: string,
  requested: readonly string[],
): Promise<void> {
  for (const id of requested) {
    if ((await groups.get(scope, id)).inventoryId !== inventoryId) throw new NotFound('group')
  }
}

/** Groups outside the caller's scope are kept. */
export async function groupsAfter(
  { groups }: Needs,
  scope: Scope,
  before: readonly string[],
  requested: readonly string[],
): Promise<string[]> {
  const known = new Set((await groups.light(scope)).map(({ uid }) => uid))
  return [...new Set([...before.filter((id) => !known.has(id)), ...requested])]
}

export const nameTaken = () => Conflict.at('name', 'name.taken')

export function requireUniqueSerial(
  { devices }: Needs,
  of: Pick<NewRecord, 'inventoryId' | 'kind' | 'serialNumber'>,
): void {
  if (devices.withSerial(of)) throw Conflict.at('serialNumber', 'field.notUnique')
}
