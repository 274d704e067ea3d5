// Devices: what units and servers have in common - identity, presence, wanted state, orders, the last known report.
import { createHmac, randomBytes } from 'node:crypto'
import type { FromCore, FromDevice, Hello, Order } from '@backhaul/contract/gateway/gateway'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import { closeCodes, type DeviceKind, PREVIEW_SIGNATURE_HEADER } from '@backhaul/contract/gateway/shared'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type RequestToSign, signRequest, steadyMs } from '@backhaul/runtime/signed-requests'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { GatewayHost } from '../../doors/gateway/gateway.ts'
import type { GatewaySession } from '../../doors/gateway/gateway-session.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Live } from '../../platform/live/live.ts'
import { type Events, emitMessage } from '../../world/events.ts'
import { inTurnByKey } from '../../world/turns.ts'
import type { Device } from './device.ts'
import { DeviceIndex, type KeptDevice } from './device-index.ts'
import { createDeviceRecords, type DeviceRecords, initialWanted } from './device-records.ts'
import { createDeviceRequests, type RequestDevice } from './device-requests.ts'
import * as table from './device-table.ts'
import {
  type DeviceDetails,
  type DeviceFacts,
  installationSecret,
  nextWanted,
  saveWanted,
} from './device-table.ts'
import { lossWatching, type WatchForLoss } from './loss-watch.ts'
import { createMemberships, type Memberships } from './memberships.ts'
import { createPairing, type Pairing } from './pairing.ts'
import { admit, registerDevice, registrationNeeds } from './registration.ts'
import { createStateKeeper } from './state-keeper.ts'

export type { Device } from './device.ts'
export type { NewRecord } from './device-records.ts'
export type { DeviceDetails } from './device-table.ts'

/** The time after its start for which core shows the last stored state, so that a restart does not flap the fleet. */
const GRACE_MS = 20_000

export interface DetailsChange {
  deviceId: string
  details: DeviceDetails
}

/** A wanted state that is stored but not yet sent: `adopt` it after the commit. */
export interface WantedChange {
  readonly deviceId: string
  readonly revision: number
  readonly state: object
}

export interface Devices extends DeviceRecords {
  readonly host: GatewayHost
  readonly memberships: Memberships
  readonly pairing: Pairing
  all(kind: DeviceKind): Device[]
  get(id: string): Device | undefined
  ofInventory(kind: DeviceKind, inventoryId: string): Device[]
  /** The device of the customer with this serial number. */
  withSerial(of: Pick<DeviceFacts, 'inventoryId' | 'kind' | 'serialNumber'>): Device | undefined
  /** Name and comment, in the database and here; throws what the database throws. */
  update(id: string, changes: { name?: string; comment?: string }): Promise<void>
  /** Made from the stored state, never from memory: of two changes at the same time neither is lost. */
  updateDetails(id: string, next: (current: DeviceDetails) => DeviceDetails): Promise<void>
  /** Changes details inside a transaction: other writers of the device wait for its end; adopted after it. */
  changeDetails(
    transaction: DatabaseTransaction,
    id: string,
    next: (current: DeviceDetails) => DeviceDetails,
  ): Promise<DetailsChange>
  adoptDetails(change: DetailsChange): void
  /** Stores the next wanted state inside the transaction; other writers of the same device wait for its end. */
  changeWanted<State extends object>(
    transaction: DatabaseTransaction,
    id: string,
    next: (current: State) => State | Promise<State>,
  ): Promise<WantedChange>
  /** Called after the commit: keeps the change in memory and sends it to the device, if it is connected. */
  adopt(changes: readonly WantedChange[]): void
  /** Completes the stored wanted state of servers with data that is only sent, such as keys. */
  completeWanted(complete: (state: ServerWanted) => ServerWanted): void
  /** Sends the device its wanted state again. */
  repeatWanted(id: string): void
  /** Headers of core's own requests to the server, signed with a key that only this server was sent. */
  signed(serverId: string, request: RequestToSign): Record<string, string>
  /** Sends a message that the device receives again after its next welcome; false when it is not connected. */
  send(id: string, message: FromCore): boolean
  /** False when the device is not connected. */
  order(id: string, order: Omit<Order, 'type'>): boolean
  /**
   * Sends an order and answers its outcome; rejects with Conflict and the device's reason, or with Unavailable when it
   * is not connected.
   */
  request: RequestDevice
  watchForLoss: WatchForLoss
  /** The device's state has to be stored: soon for a report, later for mere figures. */
  keep(id: string, report: object, when: 'soon' | 'later'): void
  /** Reads the devices and starts the timers; call before the gateway listens. */
  start(): Promise<void>
  /** A closing socket is no longer reported as a disconnection. */
  stopListening(): void
  /** Stores what was not yet stored. */
  stop(): Promise<void>
}

export interface DevicesNeeds {
  db: Database
  clock: Clock
  log: Log
  events: Events
  groups: Groups
  live: Live
  localKey: string | undefined
}

export function createDevices(needs: DevicesNeeds): Devices {
  const { db, clock, events } = needs
  const devices = new DeviceIndex()
  const sessions = new Map<string, GatewaySession>()
  /** Core's clock at each welcome, less monotonic time: a device counts deadlines from there. */
  const sentTimes = new WeakMap<GatewaySession, number>()
  const lastSeenMs = (id: string) => devices.get(id)?.lastSeenMs ?? clock.nowMs()
  const keeper = createStateKeeper({ ...needs, lastSeenMs })
  const memberships = createMemberships(needs)
  const pairing = createPairing(needs)
  const unitsWithSerial = (serialNumber: string) => devices.allWithSerial({ kind: 'unit', serialNumber })
  const registration = registrationNeeds({ ...needs, pairing, unitsWithSerial, initialWanted })
  const clockStartMs = clock.nowMs() - steadyMs()
  const inTurn = inTurnByKey()
  const signingTimeMs = () => clockStartMs + steadyMs()
  let previewSecret = ''
  /** A server with it has no access to the pictures of another. */
  const previewKeyOf = (serverId: string) =>
    createHmac('sha256', previewSecret).update(serverId).digest('base64url')
  let complete = (state: ServerWanted): ServerWanted => state
  let isStopping = false
  let graceTimer: ReturnType<Clock['setTimeout']> | undefined

  function take(facts: DeviceFacts, state?: table.StoredState): void {
    const isRemembered = (state?.report as { online?: boolean } | undefined)?.online === true
    devices.add({
      ...facts,
      presence: isRemembered ? 'remembered' : 'offline',
      address: '',
      reportIntervalMs: 1000,
      lastSeenMs: state?.lastSeenMs ?? null,
      remembered: state?.report,
    })
  }

  const groupsOf = ({ kind, id, details }: Device) =>
    kind === 'unit' ? memberships.groupsOf('unit', id) : (details.groups ?? [])

  function sendWanted(device: Device): void {
    const { kind, wantedRevision: revision, wanted: state } = device
    const message =
      kind === 'unit'
        ? { type: 'wanted', revision, state }
        : { type: 'serverWanted', revision, state: complete(state as ServerWanted) }
    sessions.get(device.id)?.send(message as Parameters<GatewaySession['send']>[0])
  }

  /** A device cannot be found as another one by reporting its serial number. */
  function serialNumberOf(device: KeptDevice, { serialNumber }: Hello): string {
    const [other] = devices.allWithSerial({ kind: device.kind, serialNumber })
    if (other === undefined || device.serialNumber === serialNumber) return serialNumber
    needs.log.warn(
      { deviceId: device.id, serialNumber, other: other.id },
      'serial number of another device ignored',
    )
    return device.serialNumber
  }

  /** The device's own report takes precedence, except for the name, which users give. */
  async function noteIdentity(device: KeptDevice, hello: Hello): Promise<void> {
    const { product: productType, swVersion } = hello
    const serialNumber = serialNumberOf(device, hello)
    const isSame =
      device.productType === productType &&
      device.swVersion === swVersion &&
      device.serialNumber === serialNumber
    if (isSame) return
    devices.change(device, { productType, swVersion, serialNumber })
    await table.updateDevice(db, device.id, { productType, swVersion, serialNumber })
  }

  const host: GatewayHost = {
    deviceOf: (tokenHash) => devices.withToken(tokenHash),
    async register(message, { isLoopback }, attempt) {
      const lookup = admit(registration, message, isLoopback)
      // An address that has failed too often must not be able to distinguish a right key from a wrong one.
      await Promise.allSettled([lookup])
      if (!(await attempt.mayProceed())) return undefined
      const admission = await lookup
      const { inventoryId } = admission
      return await inTurn(`${message.kind} ${message.serialNumber}`, async () => {
        const known = devices.withSerial({ ...message, inventoryId })
        const twins = {
          known: known && { facts: known, groups: groupsOf(known), isConnected: sessions.has(known.id) },
          isElsewhere: devices
            .allWithSerial(message)
            .some((one) => one.inventoryId !== inventoryId && one.swVersion !== ''),
        }
        if (!known && !twins.isElsewhere) attempt.isNoGuess()
        const { facts, token, isNew, notify } = await registerDevice(registration, message, admission, twins)
        if (known) {
          const { tokenHash, swVersion, details } = facts
          devices.change(known, { tokenHash, swVersion, details })
        } else take(facts)
        if (isNew) events.emit('deviceRegistered', { deviceId: facts.id, kind: facts.kind })
        notify()
        return { id: facts.id, kind: facts.kind, token }
      })
    },
    opened(session, hello) {
      const device = devices.get(session.device?.id ?? '') as KeptDevice
      sessions.set(device.id, session)
      device.presence = 'online'
      device.address = session.address
      device.reportIntervalMs = hello.reportIntervalMs
      device.lastSeenMs = clock.nowMs()
      void noteIdentity(device, hello).catch((error) =>
        needs.log.error(error, 'identity of the device not stored'),
      )
      const serverTime = clock.nowMs()
      sentTimes.set(session, serverTime - clock.monotonicMs())
      session.send({
        type: 'welcome',
        deviceId: device.id,
        serverTime,
        ...(device.kind === 'server' && {
          previewKey: previewKeyOf(device.id),
          previewTime: signingTimeMs(),
        }),
      })
      events.emit('deviceConnected', { deviceId: device.id, kind: device.kind, hello })
      sendWanted(device)
    },
    received(session, message: FromDevice) {
      const device = devices.get(session.device?.id ?? '')
      // Messages received during its deletion are ignored.
      if (!device) return
      device.lastSeenMs = clock.nowMs()
      emitMessage(events, device.id, device.kind, message)
    },
    closed(session) {
      const device = devices.get(session.device?.id ?? '')
      if (!device || isStopping || sessions.get(device.id) !== session) return
      sessions.delete(device.id)
      gone(device)
    },
    twinRefused: (deviceId, address) => events.emit('twinRefused', { deviceId, address }),
  }

  function gone(device: KeptDevice): void {
    device.presence = 'offline'
    device.address = ''
    events.emit('deviceDisconnected', { deviceId: device.id, kind: device.kind })
  }

  const changeDetails: Devices['changeDetails'] = async (transaction, id, next) => {
    const details = next(await table.holdDetails(transaction, id))
    await table.updateDevice(transaction, id, { details })
    return { deviceId: id, details }
  }

  const adoptDetails: Devices['adoptDetails'] = ({ deviceId, details }) => {
    const device = devices.get(deviceId)
    if (!device) return
    device.details = details
    events.emit('deviceDetailsChanged', { deviceId, kind: device.kind })
  }

  /** The deadline is sent by the clock of the welcome, so that a clock that was set since does not move it. */
  const order: Devices['order'] = (id, order) => {
    const session = sessions.get(id)
    if (!session) return false
    const deviceNowMs = (sentTimes.get(session) ?? 0) + clock.monotonicMs()
    const deadlineMs = Math.round(deviceNowMs + order.deadlineMs - clock.nowMs())
    return session.send({ type: 'order', ...order, deadlineMs })
  }

  /** Its machine has to join again. False when it is not connected. */
  function dismiss(id: string, why: string): boolean {
    const session = sessions.get(id)
    sessions.delete(id)
    session?.refuse(closeCodes.unknownToken, why)
    return session !== undefined
  }

  return {
    host,
    memberships,
    pairing,
    ofInventory: (kind, inventoryId) => devices.ofInventory(kind, inventoryId),
    withSerial: (of) => devices.withSerial(of),
    ...createDeviceRecords({ ...needs, devices, keeper, take, dismiss, gone }),
    all: (kind) => devices.all().filter((device) => device.kind === kind),
    get: (id) => devices.get(id),
    async update(id, changes) {
      await table.updateDevice(db, id, changes)
      const device = devices.get(id)
      if (device) Object.assign(device, changes)
    },
    async updateDetails(id, next) {
      adoptDetails(await db.transaction().execute((transaction) => changeDetails(transaction, id, next)))
    },
    changeDetails,
    adoptDetails,
    async changeWanted(transaction, id, next) {
      const { revision, wanted } = await nextWanted(transaction, id)
      const state = await next(wanted as never)
      await saveWanted(transaction, id, state)
      return { deviceId: id, revision, state }
    },
    adopt(changes) {
      for (const { deviceId, revision, state } of changes) {
        const device = devices.get(deviceId)
        if (!device || revision <= device.wantedRevision) continue
        device.wanted = state
        device.wantedRevision = revision
        sendWanted(device)
      }
    },
    completeWanted(how) {
      complete = how
    },
    repeatWanted(id) {
      const device = devices.get(id)
      if (device) sendWanted(device)
    },
    watchForLoss: lossWatching(needs),
    signed: (serverId, request) => ({
      [PREVIEW_SIGNATURE_HEADER]: signRequest(previewKeyOf(serverId), request, signingTimeMs()),
    }),
    send: (id, message) => sessions.get(id)?.send(message) ?? false,
    order,
    request: createDeviceRequests({ clock, events, order }),
    keep: keeper.keep,
    async start() {
      await memberships.start()
      previewSecret = await installationSecret(db, 'previewKey', randomBytes(24).toString('base64url'))
      const states = new Map((await table.allStates(db)).map((state) => [state.deviceId, state]))
      for (const facts of await table.allDevices(db)) take(facts, states.get(facts.id))
      keeper.start()
      graceTimer = clock.setTimeout(() => {
        for (const device of devices.all()) if (device.presence === 'remembered') gone(device)
      }, GRACE_MS)
    },
    stopListening() {
      isStopping = true
      clock.clearTimeout(graceTimer)
    },
    stop: () => keeper.stop(),
  }
}
