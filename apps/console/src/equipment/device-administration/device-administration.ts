// Units and servers as administrators keep them: read when their list opens, again every few seconds and after a change.
import { deviceAdministration as calls } from '@backhaul/contract/api/device-administration'
import { linkExtenders as extenderCalls } from '@backhaul/contract/api/link-extenders'
import type {
  AdministeredServer,
  AdministeredUnit,
  NewServer,
  NewUnit,
  ServerChange,
  UnitChange,
} from '@backhaul/contract/nouns/device-administration'
import type { LinkExtender } from '@backhaul/contract/nouns/link-extenders'
import type { ServerType } from '@backhaul/contract/nouns/servers'
import { useEffect } from 'react'
import { call, type Fault } from '../../doors/api.ts'
import { createWholeList, type WholeList, wholePage } from '../../kit/lists.ts'
import { loadInventoryNames } from '../../people/inventory-names/inventory-names.ts'

/** Machines come and go by themselves. */
const refreshMs = 10_000

/** Undefined: whatever the person may know of. */
export interface Wanted {
  type?: ServerType | undefined
  group?: string | undefined
  withIfb?: boolean | undefined
}

export const serverList = ({ withIfb, ...wanted }: Wanted): WholeList<AdministeredServer> =>
  createWholeList(
    (query) => call(calls.servers, { query: { ...query, ...wanted, ...(withIfb && { ifb: 'on' }) } }),
    ({ uid }) => uid,
  )

export const unitList = ({ group }: Wanted): WholeList<AdministeredUnit> =>
  createWholeList(
    (query) => call(calls.units, { query: { ...query, group } }),
    ({ uid }) => uid,
  )

/** Keeps the list fresh while its screen is open, and knows what customers are called. */
export function useFresh(list: WholeList<unknown>, everyMs = refreshMs): void {
  useEffect(() => {
    // Without the names a new record cannot be placed, which its form says.
    loadInventoryNames().catch(() => {})
    const refresh = setInterval(() => void list.load(), everyMs)
    return () => clearInterval(refresh)
  }, [list, everyMs])
}

type Saved = Promise<Fault | undefined>

export const createServer = (list: WholeList<AdministeredServer>, body: NewServer): Saved =>
  list.change(() => call(calls.createServer, { body }))

export const changeServer = (list: WholeList<AdministeredServer>, id: string, body: ServerChange): Saved =>
  list.change(() => call(calls.changeServer, { params: { id }, body }))

export const removeServer = (list: WholeList<AdministeredServer>, id: string): Saved =>
  list.change(() => call(calls.removeServer, { params: { id } }))

export const restartServer = (list: WholeList<AdministeredServer>, id: string): Saved =>
  list.change(() => call(calls.restartServer, { params: { id } }))

export const createUnit = (list: WholeList<AdministeredUnit>, body: NewUnit): Saved =>
  list.change(() => call(calls.createUnit, { body }))

/** A unit that goes to another customer does so first: its groups are chosen among those of the new one. */
export const changeUnit = (
  list: WholeList<AdministeredUnit>,
  { uid: id, inventory }: AdministeredUnit,
  inv: string,
  body: UnitChange,
): Saved =>
  list.change(async () => {
    if (inv !== inventory) await call(calls.associate, { params: { inv, unit: id } })
    await call(calls.changeUnit, { params: { id }, body })
  })

export const removeUnit = (list: WholeList<AdministeredUnit>, id: string): Saved =>
  list.change(() => call(calls.removeUnit, { params: { id } }))

export const deregisterUnit = (list: WholeList<AdministeredUnit>, id: string): Saved =>
  list.change(() => call(calls.deregisterUnit, { params: { id } }))

/** An extender is found within seconds, and somebody waits for it. */
export const extenderRefreshMs = 2000

export const extenderList = (id: string): WholeList<LinkExtender> =>
  createWholeList(
    async () => wholePage(await call(extenderCalls.ofUnit, { params: { id } })),
    ({ serialNumber }) => serialNumber,
  )

export const pairExtender = (list: WholeList<LinkExtender>, id: string, serialNumber: string): Saved =>
  list.change(() => call(extenderCalls.pair, { params: { id }, body: { serialNumber } }))

export const removeExtender = (list: WholeList<LinkExtender>, id: string, serial: string): Saved =>
  list.change(() => call(extenderCalls.remove, { params: { id, serial } }))
