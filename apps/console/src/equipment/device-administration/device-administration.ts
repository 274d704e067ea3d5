// Units and servers as administrators keep them: read when their list opens, again every few seconds and after a change.
import { deviceAdministration as calls } from '@backhaul/contract/api/device-administration'
import { invitations as invitationCalls } from '@backhaul/contract/api/invitations'
import { linkExtenders as extenderCalls } from '@backhaul/contract/api/link-extenders'
import { unitServices as serviceCalls } from '@backhaul/contract/api/unit-services'
import type {
  AdministeredUnit,
  NewServer,
  NewUnit,
  ServerChange,
  UnitChange,
} from '@backhaul/contract/nouns/device-administration'
import type { ServerType } from '@backhaul/contract/nouns/servers'
import { type CameraLevel, cameraLevels } from '@backhaul/contract/nouns/unit-services'
import { call, type Fault } from '../../doors/api.ts'
import { createList, type List, readAll, useList } from '../../kit/lists.ts'
import { useInventoryNames } from '../../people/inventory-names/inventory-names.ts'

/** Machines come and go by themselves. */
const refreshMs = 10_000

/** Undefined: all in the scope of the user. */
export interface Wanted {
  type?: ServerType | undefined
  group?: string | undefined
  withIfb?: boolean | undefined
}

export const servers = createList(
  'servers',
  ({ withIfb, ...wanted }: Wanted) =>
    readAll((query) =>
      call(calls.servers, { query: { ...query, ...wanted, ...(withIfb && { ifb: 'on' }) } }),
    ),
  ({ uid }) => uid,
)

export const units = createList(
  'units',
  ({ group }: Wanted) => readAll((query) => call(calls.units, { query: { ...query, group } })),
  ({ uid }) => uid,
)

/** The list while its screen is open, and what customers are called: without their names a new record cannot be placed. */
export function useDevices<A extends { items: readonly unknown[] }>(
  list: List<A, [wanted: Wanted]>,
  wanted: Wanted,
) {
  useInventoryNames()
  return useList(list, [wanted], { everyMs: refreshMs })
}

type Saved = Promise<Fault | undefined>

export const createServer = (body: NewServer): Saved =>
  servers.change(() => call(calls.createServer, { body }))

export const changeServer = (id: string, body: ServerChange): Saved =>
  servers.change(() => call(calls.changeServer, { params: { id }, body }))

export const removeServer = (id: string): Saved =>
  servers.change(() => call(calls.removeServer, { params: { id } }))

export const deleteCertificate = (id: string): Saved =>
  servers.change(() => call(calls.deleteCertificate, { params: { id } }))

export const restartServer = (id: string): Saved =>
  servers.change(() => call(calls.restartServer, { params: { id } }))

export const createUnit = (body: NewUnit): Saved => units.change(() => call(calls.createUnit, { body }))

/** '': as many cameras as the unit has. */
export type ChosenLevel = CameraLevel | ''

export const levelOf = (unit: Pick<AdministeredUnit, 'services'> | null): ChosenLevel =>
  cameraLevels.find((one) => unit?.services.includes(one)) ?? ''

/** A unit that goes to another customer does so first: its groups are chosen among those of the new one. */
export const changeUnit = (
  unit: AdministeredUnit,
  inv: string,
  body: UnitChange,
  level: ChosenLevel,
): Saved =>
  units.change(async () => {
    const { uid: id, inventory } = unit
    if (inv !== inventory) await call(calls.associate, { params: { inv, unit: id } })
    await call(calls.changeUnit, { params: { id }, body })
    const before = levelOf(unit)
    if (level === before) return
    if (level !== '') await call(serviceCalls.enable, { params: { id, svc: level } })
    else if (before !== '') await call(serviceCalls.disable, { params: { id, svc: before } })
  })

export const removeUnit = (id: string): Saved =>
  units.change(() => call(calls.removeUnit, { params: { id } }))

export const deregisterUnit = (id: string): Saved =>
  units.change(() => call(calls.deregisterUnit, { params: { id } }))

/** A smart unit that was invited into the group. */
export const leaveGroup = (group: string, id: string): Saved =>
  units.change(() => call(invitationCalls.removeUnit, { params: { group, id } }))

/** An extender is found within seconds, and a user waits for it. */
export const extenderRefreshMs = 2000

export const extenders = createList(
  'linkExtenders',
  async (id: string) => ({ items: await call(extenderCalls.ofUnit, { params: { id } }) }),
  ({ serialNumber }) => serialNumber,
)

export const pairExtender = (id: string, serialNumber: string): Saved =>
  extenders.change(() => call(extenderCalls.pair, { params: { id }, body: { serialNumber } }))

export const removeExtender = (id: string, serial: string): Saved =>
  extenders.change(() => call(extenderCalls.remove, { params: { id, serial } }))
