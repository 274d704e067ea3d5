import type { DeviceKind } from '@backhaul/contract/gateway/shared'
import type { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import type { MultipleCamera, SwitcherChannels } from '@backhaul/contract/nouns/cameras'
import type { DatabridgePort } from '@backhaul/contract/nouns/databridge'
import type { Ownership } from '@backhaul/contract/nouns/device-administration'
import type { SipAccount } from '@backhaul/contract/nouns/intercom'
import type { UnitIfb } from '@backhaul/contract/nouns/interfaces'
import type { IpPipeSettings } from '@backhaul/contract/nouns/ip-pipe'
import type { PairingCodeMode } from '@backhaul/contract/nouns/unit-pairing'
import type { SelectedVideoReturn, VrServerConfiguration } from '@backhaul/contract/nouns/video-return'
import { insertUnlessTaken, upsertMany } from '../../database/dialect.ts'
import type { DeviceRow, Queries } from '../../database/schema.ts'

/** The facts that the installation stores of a device, in addition to the device's own report. */
export interface DeviceFacts {
  id: string
  kind: DeviceKind
  inventoryId: string
  name: string
  comment: string
  productType: string
  serialNumber: string
  swVersion: string
  tokenHash: string
  wanted: object
  wantedRevision: number
  details: DeviceDetails
  registeredMs: number
}

/** The administrative data of a device, which is not sent to it. */
export interface DeviceDetails {
  /** Groups that the device joined with its registration; a server's channels join them. */
  groups?: string[]
  /** The time from which the machine of the unit may come back with a pairing code alone. */
  deregisteredMs?: number
  /** The unit's own pairing code; null after it was used once. */
  pairing?: { mode: Exclude<PairingCodeMode, 'off'>; code: string | null }
  /** Slots of the server whose channels were removed: they are made again only on request of a user. */
  removedSlots?: string[]
  services?: string[]
  /** Services of vendor staff in addition to these, as long as they have not expired. */
  givenServices?: string[]
  license?: { raHours: number; rlHours: number; valid: boolean }
  /** Point-to-multipoint machines that the unit sends to. */
  machines?: string[]
  /** The channel that the point-to-point unit transmits to alone. */
  destination?: string
  /** The delay of the unit over fixed internet, and while that is in use the one to return to. */
  fixedInternet?: { delayMs: number; bondedDelayMs?: number }
  /** The gateway server that its databridge uses. */
  databridgeGateway?: string
  /** The address behind the unit that each of its ports leads to. */
  databridgePorts?: DatabridgePort[]
  /** The settings of the unit's IP pipe. */
  ipPipe?: IpPipeSettings
  alertsConfiguration?: AlertsConfiguration
  /** The video return channel that the unit starts with. */
  videoReturn?: SelectedVideoReturn
  /** The unit's account at an intercom server, where it has its own. */
  sipAccount?: SipAccount
  /** The settings of the IFB for the crew of the unit. */
  ifb?: UnitIfb
  /** The channels of the unit's cameras, by mode; each is kept while the unit is in another. */
  cameras?: { multipleCamera?: MultipleCamera; switcher?: SwitcherChannels }
  /** The address of a gateway as entered by a user; shown only, not connected to. */
  address?: string
  /** Other customers that may use a gateway. */
  inventories?: string[]
  /** The time of its move from another customer: earlier data is not shown to the present one. */
  movedMs?: number
  /** The terms on which its customer has the device. */
  ownership?: Ownership
  /** The number of channels that the licence of the server lets put out; absent without a limit. */
  outputChannels?: number
  /** The end of the contract of a server. */
  expiresMs?: number
  /** The settings of a video return server. */
  returns?: VrServerConfiguration
}

export interface StoredState {
  deviceId: string
  report: object
  lastSeenMs: number
}

export async function allDevices(db: Queries): Promise<DeviceFacts[]> {
  return (await db.selectFrom('devices').selectAll().execute()).map(factsOf)
}

export async function allStates(db: Queries): Promise<StoredState[]> {
  const rows = await db.selectFrom('device_states').selectAll().execute()
  return rows.map((row) => ({
    deviceId: row.device_id,
    report: JSON.parse(row.report) as object,
    lastSeenMs: row.last_seen_ms,
  }))
}

export async function saveStates(db: Queries, states: readonly StoredState[]): Promise<void> {
  const rows = states.map((state) => ({
    device_id: state.deviceId,
    report: JSON.stringify(state.report),
    reported_ms: state.lastSeenMs,
    last_seen_ms: state.lastSeenMs,
  }))
  await upsertMany(db, 'device_states', ['device_id'], rows)
}

/** Except where the customer has a device of this kind and name already; answers the ids of those inserted. */
export const insertDevices = (db: Queries, devices: readonly DeviceFacts[]): Promise<Set<string>> =>
  insertUnlessTaken(db, 'devices', ['inventory_id', 'kind', 'name'], devices.map(rowOf))

const rowOf = (facts: DeviceFacts): DeviceRow => ({
  id: facts.id,
  kind: facts.kind,
  inventory_id: facts.inventoryId,
  name: facts.name,
  comment: facts.comment,
  product_type: facts.productType,
  serial_number: facts.serialNumber,
  sw_version: facts.swVersion,
  token_hash: facts.tokenHash,
  wanted: JSON.stringify(facts.wanted),
  wanted_revision: facts.wantedRevision,
  details: JSON.stringify(facts.details),
  registered_ms: facts.registeredMs,
})

/** Deletes a device with everything that is stored about it. */
export async function deleteDevice(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('devices').where('id', '=', id).execute()
}

type Changeable =
  | 'inventoryId'
  | 'name'
  | 'comment'
  | 'productType'
  | 'serialNumber'
  | 'swVersion'
  | 'tokenHash'
  | 'details'

export async function updateDevice(
  db: Queries,
  id: string,
  changes: Partial<Pick<DeviceFacts, Changeable>>,
): Promise<void> {
  const { inventoryId, name, comment, productType, serialNumber, swVersion, tokenHash, details } = changes
  await db
    .updateTable('devices')
    .set({
      ...(inventoryId !== undefined && { inventory_id: inventoryId }),
      ...(name !== undefined && { name }),
      ...(comment !== undefined && { comment }),
      ...(productType !== undefined && { product_type: productType }),
      ...(serialNumber !== undefined && { serial_number: serialNumber }),
      ...(swVersion !== undefined && { sw_version: swVersion }),
      ...(tokenHash !== undefined && { token_hash: tokenHash }),
      ...(details !== undefined && { details: JSON.stringify(details) }),
    })
    .where('id', '=', id)
    .execute()
}

/** The administrative data of the device, locked against other writers until the transaction ends. */
export async function holdDetails(db: Queries, id: string): Promise<DeviceDetails> {
  const { details } = await db
    .updateTable('devices')
    .set((eb) => ({ details: eb.ref('details') }))
    .where('id', '=', id)
    .returning('details')
    .executeTakeFirstOrThrow()
  return JSON.parse(details) as DeviceDetails
}

/** Increments the revision, which also locks the row against other writers until the transaction ends. */
export async function nextWanted(db: Queries, id: string): Promise<{ revision: number; wanted: object }> {
  const row = await db
    .updateTable('devices')
    .set((eb) => ({ wanted_revision: eb('wanted_revision', '+', 1) }))
    .where('id', '=', id)
    .returning(['wanted', 'wanted_revision'])
    .executeTakeFirstOrThrow()
  return { revision: row.wanted_revision, wanted: JSON.parse(row.wanted) as object }
}

export async function saveWanted(db: Queries, id: string, wanted: object): Promise<void> {
  await db
    .updateTable('devices')
    .set({ wanted: JSON.stringify(wanted) })
    .where('id', '=', id)
    .execute()
}

/** A secret of the installation, made at its first use. */
export async function installationSecret(db: Queries, key: string, fresh: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ key, value: fresh })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return row.value
}

function factsOf(row: DeviceRow): DeviceFacts {
  return {
    id: row.id,
    kind: row.kind,
    inventoryId: row.inventory_id,
    name: row.name,
    comment: row.comment,
    productType: row.product_type,
    serialNumber: row.serial_number,
    swVersion: row.sw_version,
    tokenHash: row.token_hash,
    wanted: JSON.parse(row.wanted) as object,
    wantedRevision: row.wanted_revision,
    details: JSON.parse(row.details) as DeviceDetails,
    registeredMs: row.registered_ms,
  }
}
