// Services that vendor staff give to one device for a time, in addition to its own: they end by themselves.
import { randomBytes } from 'node:crypto'
import { Conflict, fault, NotFound } from '@backhaul/contract/define/errors'
import { type DeviceService, isServiceOf, withDeviceServices } from '@backhaul/contract/nouns/device-services'
import { SLA, unlimitedServices } from '@backhaul/contract/nouns/gates'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import { unlessTaken } from '../../database/unique.ts'
import type { DeviceDetails, Devices } from '../../fleet/devices/devices.ts'
import type { LinkExtenders } from '../../fleet/link-extenders/link-extenders.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Kept, SettingStore, SystemSettings } from '../../platform/system-settings/system-settings.ts'
import * as table from './device-service-table.ts'

export interface DeviceServices {
  store: SettingStore<DeviceService>
  /** Ends the services that expired while core was down. */
  start(): void
  /** Waits for a round that is under way. */
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  devices: Devices
  units: Units
  linkExtenders: LinkExtenders
  systemSettings: Pick<SystemSettings, 'namedPage'>
}

export const checkPeriodMs = 5000

const isUnderSla = ({ services, givenServices }: DeviceDetails): boolean =>
  withDeviceServices(services ?? unlimitedServices, givenServices).includes(SLA)

export function createDeviceServices(needs: Needs): DeviceServices {
  const { db, clock, log, devices, units, linkExtenders, systemSettings } = needs
  const all = () => table.deviceServices(db)

  async function get(id: string): Promise<Kept<DeviceService>> {
    const found = (await all()).find((one) => one.id === id)
    if (!found) throw new NotFound('deviceService')
    return found
  }

  function requireFitting({ device: deviceId, service, expiration }: DeviceService): void {
    const device = devices.get(deviceId)
    if (!device) throw new NotFound('device')
    if (!isServiceOf(device.kind, service)) throw Conflict.at('service', 'deviceService.otherKind')
    if (expiration !== null && Date.parse(expiration) <= clock.nowMs())
      throw Conflict.at('expiration', 'date.inFuture')
  }

  /** Changes the services of the device together with the rows; a unit without SLA any more leaves its extenders. */
  async function follow(transaction: DatabaseTransaction, deviceId: string) {
    const givenServices = await table.inForceOf(transaction, deviceId)
    let wasUnderSla = false
    const details = await devices.changeDetails(transaction, deviceId, (now) => {
      wasUnderSla = isUnderSla(now)
      return { ...now, givenServices }
    })
    const isUnit = devices.get(deviceId)?.kind === 'unit'
    const isNow = isUnderSla(details.details)
    const hasToFollow = isUnit && isNow !== wasUnderSla
    const wanted = hasToFollow ? [await linkExtenders.follow(transaction, deviceId, isNow)] : []
    return { deviceId, details, wanted, isUnit }
  }

  async function store(
    deviceIds: readonly string[],
    write: (transaction: DatabaseTransaction) => Promise<unknown>,
  ): Promise<void> {
    const writing = db.transaction().execute(async (transaction) => {
      await write(transaction)
      const changed: Awaited<ReturnType<typeof follow>>[] = []
      for (const deviceId of [...new Set(deviceIds)].sort()) changed.push(await follow(transaction, deviceId))
      return changed
    })
    const fields = [fault('service', 'field.notUnique')]
    const changed = await unlessTaken(writing, () => new Conflict('association.exists', { fields }))
    for (const { deviceId, details, wanted, isUnit } of changed) {
      devices.adoptDetails(details)
      devices.adopt(wanted)
      if (isUnit) units.addEvent(deviceId, 'settings', unitEvent('settings.licences', {}))
    }
  }

  async function endAllDue(): Promise<void> {
    for (const deviceId of await table.devicesDue(db, clock.nowMs()))
      await store([deviceId], (transaction) => table.endDue(transaction, deviceId, clock.nowMs())).catch(
        (error) => log.error({ err: error, deviceId }, 'expired services of the device not ended'),
      )
  }

  let timer: Timer | undefined
  let round: Promise<void> | undefined
  const run = () => {
    round ??= endAllDue()
      .catch((error) => log.error({ err: error }, 'expired services of devices not read'))
      .finally(() => {
        round = undefined
      })
  }
  return {
    store: {
      all,
      get,
      async page(query) {
        const nameOf = ({ device, service }: DeviceService) =>
          `${devices.get(device)?.name ?? device} ${service}`
        return systemSettings.namedPage(await all(), nameOf, query)
      },
      async create(value) {
        requireFitting(value)
        const id = `dsv-${randomBytes(9).toString('base64url')}`
        const row = { id, ...rowOf(value), is_over: 0, created_ms: clock.nowMs() } as const
        await store([value.device], (transaction) => table.insertDeviceService(transaction, row))
        return { id, ...value }
      },
      async change(id, value) {
        const before = await get(id)
        requireFitting(value)
        await store([before.device, value.device], (transaction) =>
          table.updateDeviceService(transaction, id, rowOf(value)),
        )
        return { id, ...value }
      },
      async remove(id) {
        const { device } = await get(id)
        await store([device], (transaction) => table.deleteDeviceService(transaction, id))
      },
    },
    start() {
      run()
      timer = clock.setInterval(run, checkPeriodMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await round
    },
  }
}

const rowOf = ({ device, service, expiration }: DeviceService) => ({
  device_id: device,
  service,
  expires_ms: expiration === null ? null : Date.parse(expiration),
})
