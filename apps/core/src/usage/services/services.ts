// Managed services: what customers have in addition to their units, the one trial of each, and changes by the vendor.
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import {
  isInForce,
  isMeasured,
  isOverUsage,
  type ManagedService,
  type NamedServiceChange,
  type ServiceChange,
  serviceNames,
  stateOf,
  statusOf,
  trialOf,
  trialRefusal,
} from '@backhaul/contract/nouns/services'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import { type Customers, everything, type Scope } from '../../database/scope.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Users } from '../../people/users/users.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { Reports } from '../reports/reports.ts'
import { createPlanUse } from './plan-use.ts'
import * as table from './service-table.ts'

export interface Services {
  /** Services that the caller's customers have or had. */
  page(scope: Scope, query: PageQuery): Promise<Page<ManagedService>>
  /** Every known service and any other that the customer has. Throws NotFound. */
  ofInventory(scope: Scope, inventoryId: string): Promise<ManagedService[]>
  /** The status of each of these services. Throws NotFound. */
  status(
    scope: Scope,
    inventoryId: string,
    names: readonly string[],
  ): Promise<{ serviceName: string; status: 'ENABLED' | 'DISABLED' }[]>
  /** Names of those that are in force for one of these customers. */
  inForce(inventoryIds: readonly string[]): Promise<string[]>
  /** Names of those that are in force for one of the customers that are in each of these. */
  inForceIn(customers: readonly Customers[]): Promise<string[]>
  /** Throws Conflict when the one trial was used or the service is in force. */
  startTrial(scope: Scope, inventoryId: string, name: string): Promise<ManagedService>
  /** Throws Conflict when the customer has it. */
  add(inventoryId: string, service: NamedServiceChange): Promise<ManagedService>
  change(inventoryId: string, service: NamedServiceChange): Promise<ManagedService>
  remove(inventoryId: string, name: string): Promise<void>
  /** Counts hours of use towards the package of a service that is counted by time; does nothing for others. */
  use(inventoryId: string, name: string, hours: number): Promise<void>
  start(): void
  stop(): void
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  inventories: Inventories
  outbox: Outbox
  reports: Reports
  units: Units
  users: Users
}

export function createServices(needs: Needs): Services {
  const { db, clock, inventories } = needs
  const planUse = createPlanUse(needs)

  const shown = (service: table.NamedService): ManagedService => {
    const nowMs = clock.nowMs()
    const { inventoryId, inventoryName, name, plan, renewal, instanceLimit, usageType, packageSize } = service
    return {
      inventoryId,
      inventoryName,
      name,
      plan,
      renewal,
      instanceLimit,
      usageType,
      packageSize,
      status: statusOf(service, nowMs),
      state: stateOf(service, nowMs),
      expiration: isoTime(service.expiresMs),
      usedData: service.used,
      trial: service.trialStartedMs !== null,
      trialStarted: isoTime(service.trialStartedMs),
      overUsage: isOverUsage(service, nowMs),
      measured: isMeasured(service),
    }
  }

  function namesInForce(services: readonly table.StoredService[]): string[] {
    const nowMs = clock.nowMs()
    const names = services.filter((service) => isInForce(service, nowMs)).map(({ name }) => name)
    return [...new Set(names)].sort()
  }

  async function one(inventoryId: string, inventoryName: string, name: string): Promise<ManagedService> {
    const found = (await table.servicesOf(db, [inventoryId])).find((service) => service.name === name)
    return shown({ ...(found ?? none(inventoryId, name, clock.nowMs())), inventoryName })
  }

  return {
    async page(scope, query) {
      const paging = pagingOf(query, table.serviceKeys)
      const { items, total } = await table.servicePage(db, scope, paging)
      return { items: items.map(shown), total, offset: paging.offset, limit: paging.limit }
    },
    async ofInventory(scope, inventoryId) {
      const { id, name: inventoryName } = await inventories.get(scope, inventoryId)
      const had = await table.servicesOf(db, [id])
      const missing = serviceNames.filter((name) => !had.some((service) => service.name === name))
      const all = [...had, ...missing.map((name) => none(id, name, clock.nowMs()))]
      return all.map((service) => shown({ ...service, inventoryName }))
    },
    async status(scope, inventoryId, names) {
      const { id } = await inventories.get(scope, inventoryId)
      const nowMs = clock.nowMs()
      const had = new Map((await table.servicesOf(db, [id])).map((service) => [service.name, service]))
      return names.map((serviceName) => {
        const service = had.get(serviceName)
        return { serviceName, status: service && isInForce(service, nowMs) ? 'ENABLED' : 'DISABLED' }
      })
    },
    inForce: async (inventoryIds) => namesInForce(await table.servicesOf(db, inventoryIds)),
    inForceIn: async (customers) => namesInForce(await table.servicesIn(db, customers)),
    async startTrial(scope, inventoryId, name) {
      const inventory = await inventories.get(scope, inventoryId)
      const nowMs = clock.nowMs()
      const fresh = none(inventory.id, name, nowMs)
      const trial = { ...trialOf(name, nowMs), used: 0, trialStartedMs: nowMs, countedFromMs: nowMs }
      await db.transaction().execute(async (transaction) => {
        // When two run at the same time, the second finds the row of the first, and waits for its end.
        if (await table.insertService(transaction, { ...fresh, ...trial })) return
        const held = await table.holdService(transaction, inventory.id, name)
        const refusal = trialRefusal(held, nowMs)
        if (refusal !== undefined) throw new Conflict(refusal)
        await table.updateService(transaction, { ...(held ?? fresh), ...trial, overNotifiedMs: null })
      })
      return await one(inventory.id, inventory.name, name)
    },
    async add(inventoryId, { name, ...given }) {
      const inventory = await inventories.get(everything, inventoryId)
      const purchased = { ...none(inventory.id, name, clock.nowMs()), status: 'purchasedService' as const }
      await db.transaction().execute(async (transaction) => {
        if (await table.insertService(transaction, applied(purchased, given))) return
        const held = await table.holdService(transaction, inventory.id, name)
        // A service that is kept only for its trial may be sold.
        if (held?.status !== 'na') throw new Conflict('service.held')
        const { trialStartedMs } = held
        await table.updateService(transaction, { ...applied(purchased, given), trialStartedMs })
      })
      await planUse.measureAll(inventory.id)
      return await one(inventory.id, inventory.name, name)
    },
    async change(inventoryId, { name, ...given }) {
      const inventory = await inventories.get(everything, inventoryId)
      await db.transaction().execute(async (transaction) => {
        const held = await table.holdService(transaction, inventory.id, name)
        if (!held) throw new NotFound('service')
        const changed = applied(held, given)
        // A new end or package is a new term: use counts from zero.
        const isRenewed = changed.expiresMs !== held.expiresMs && isMeasured(changed)
        await table.updateService(transaction, {
          ...changed,
          ...(isRenewed && { countedFromMs: clock.nowMs(), used: 0, overNotifiedMs: null }),
        })
      })
      await planUse.measureAll(inventory.id)
      return await one(inventory.id, inventory.name, name)
    },
    async remove(inventoryId, name) {
      const inventory = await inventories.get(everything, inventoryId)
      await db.transaction().execute(async (transaction) => {
        const held = await table.holdService(transaction, inventory.id, name)
        if (!held || held.status === 'na') throw new NotFound('service')
        const { trialStartedMs } = held
        if (trialStartedMs === null) return await table.deleteService(transaction, inventory.id, name)
        const left = { ...none(inventory.id, name, clock.nowMs()), trialStartedMs }
        await table.updateService(transaction, left)
      })
    },
    async use(inventoryId, name, hours) {
      await db.transaction().execute(async (transaction) => {
        const held = await table.holdService(transaction, inventoryId, name)
        if (held?.usageType !== 'time' || isMeasured(held)) return
        await table.updateService(transaction, { ...held, used: (held.used ?? 0) + hours })
      })
    },
    start: planUse.start,
    stop: planUse.stop,
  }
}

const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** A service that the customer does not have. */
const none = (inventoryId: string, name: string, nowMs: number): table.StoredService => ({
  inventoryId,
  name,
  plan: null,
  status: 'na',
  expiresMs: null,
  trialStartedMs: null,
  renewal: '',
  instanceLimit: null,
  usageType: 'na',
  packageSize: null,
  used: null,
  countedFromMs: nowMs,
  overNotifiedMs: null,
})

function applied(service: table.StoredService, given: ServiceChange): table.StoredService {
  const { plan, status, expiration, renewal, instanceLimit, usageType, packageSize, usedData } = given
  return {
    ...service,
    ...(plan !== undefined && { plan }),
    ...(status !== undefined && { status }),
    ...(expiration !== undefined && { expiresMs: expiration === null ? null : Date.parse(expiration) }),
    ...(renewal !== undefined && { renewal }),
    ...(instanceLimit !== undefined && { instanceLimit }),
    ...(usageType !== undefined && { usageType }),
    ...(packageSize !== undefined && { packageSize }),
    ...(usedData !== undefined && { used: usedData }),
  }
}
