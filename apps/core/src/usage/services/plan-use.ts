// Use of the customers' plans: data or hours of the units that a plan is for, and e-mail to administrators above the limit.
import { productOf, type UnitTypeGroup } from '@backhaul/contract/nouns/products'
import { isMeasured, isOverUsage, type PlanType } from '@backhaul/contract/nouns/services'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Users } from '../../people/users/users.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { Reports } from '../reports/reports.ts'
import * as table from './service-table.ts'

const measurePeriodMs = 600_000

interface Needs {
  db: Database
  clock: Clock
  log: Log
  outbox: Outbox
  reports: Reports
  units: Units
  users: Users
}

/** A plan names the units that it is for; plans without units are for all others. */
export function planHolds(plan: PlanType, group: UnitTypeGroup): boolean {
  if (plan.endsWith('_SMART')) return group === 'smartUnits'
  if (plan.endsWith('_LITE')) return group === 'liteUnits'
  return group !== 'smartUnits' && group !== 'liteUnits'
}

export function createPlanUse({ db, clock, log, outbox, reports, units, users }: Needs) {
  let timer: Timer | undefined

  /** In the unit of the package: gigabytes or hours. */
  async function measured(service: table.StoredService, plan: PlanType): Promise<number> {
    const { inventoryId, countedFromMs, usageType } = service
    const rows = await reports.byUnit(inventoryId, countedFromMs, clock.nowMs())
    let sum = 0
    for (const { id, dataBytes, streamingMs } of rows) {
      const { group } = productOf(units.values(id ?? '')?.type ?? '')
      if (planHolds(plan, group))
        sum += usageType === 'data' ? (dataBytes ?? 0) / 1e9 : streamingMs / 3_600_000
    }
    return sum
  }

  /** Once for each time that a package is used up; of several cores exactly one sends it. */
  async function notify(service: table.NamedService): Promise<void> {
    const addresses = await users.administratorsOf(service.inventoryId)
    await db.transaction().execute(async (transaction) => {
      const held = await table.holdService(transaction, service.inventoryId, service.name)
      if (!held || held.overNotifiedMs !== null || !isOverUsage(held, clock.nowMs())) return
      await table.updateService(transaction, { ...held, overNotifiedMs: clock.nowMs() })
      for (const recipient of addresses)
        await outbox.post(mailOf(held, service.inventoryName, recipient), transaction)
    })
  }

  async function measure(service: table.NamedService): Promise<void> {
    const used = isMeasured(service) ? await measured(service, service.plan) : service.used
    const now = { ...service, used }
    const isOver = isOverUsage(now, clock.nowMs())
    if (used !== service.used || (!isOver && service.overNotifiedMs !== null)) {
      await db.transaction().execute(async (transaction) => {
        const held = await table.holdService(transaction, service.inventoryId, service.name)
        if (!held || !isSameTerm(held, service)) return
        const measuredNow = isMeasured(held) ? { ...held, used } : held
        const isStillOver = isOverUsage(measuredNow, clock.nowMs())
        await table.updateService(transaction, {
          ...measuredNow,
          overNotifiedMs: isStillOver ? held.overNotifiedMs : null,
        })
      })
    }
    if (isOver && service.overNotifiedMs === null) await notify(now)
  }

  /** Measures the packages of all customers, or of one. */
  async function measureAll(inventoryId?: string): Promise<void> {
    for (const service of await table.packagedServices(db)) {
      if (inventoryId === undefined || service.inventoryId === inventoryId) await measure(service)
    }
  }

  return {
    measureAll,
    start() {
      timer = clock.setInterval(() => {
        measureAll().catch((error) => log.error({ err: error }, 'services: measuring use failed'))
      }, measurePeriodMs)
    },
    stop: () => clock.clearInterval(timer),
  }
}

/** A measurement for one term does not count for a term that began meanwhile. */
const isSameTerm = (held: table.StoredService, service: table.StoredService): boolean =>
  held.countedFromMs === service.countedFromMs &&
  held.plan === service.plan &&
  held.usageType === service.usageType

function mailOf(
  { inventoryId, name, used, packageSize, usageType }: table.StoredService,
  customer: string,
  recipient: string,
) {
  const unit = usageType === 'data' ? 'GB' : 'h'
  const rounded = Math.round((used ?? 0) * 10) / 10
  return {
    inventoryId,
    recipient,
    subject: `Over usage: ${name} of ${customer}`,
    text: [
      `${customer} has used ${rounded} ${unit} of ${name}; the package holds ${packageSize} ${unit}.`,
      'Nothing is cut off. The services of your inventories are listed in the console under Services.',
    ].join('\n\n'),
  }
}
