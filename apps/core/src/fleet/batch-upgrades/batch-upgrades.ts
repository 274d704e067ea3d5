// Batch upgrades: a verdict on each line of a file, one run that sets the targets, and the report of what came of each.
import { randomBytes } from 'node:crypto'
import type { Page } from '@backhaul/contract/define/answers'
import { Conflict, NotFound, Refusal } from '@backhaul/contract/define/errors'
import { because, type Reason, reasonFields } from '@backhaul/contract/define/refusals'
import {
  type BatchRow,
  type BatchRowState,
  type BatchUpgrade,
  isBatchRowOpen,
  type ListedBatch,
} from '@backhaul/contract/nouns/batch-upgrades'
import type { KnownSoftwareVersion } from '@backhaul/contract/nouns/software-versions'
import { shownWarnings } from '@backhaul/contract/nouns/upgrades'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { BatchUpgradeRow, BatchUpgradeRowRow } from '../../database/access-schema.ts'
import { causeColumn, causeOfColumn } from '../../database/causes.ts'
import type { Window } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import { everything } from '../../database/scope.ts'
import { createWrites } from '../../database/writes.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { SoftwareVersions } from '../../platform/software-versions/software-versions.ts'
import type { Events } from '../../world/events.ts'
import type { Device, Devices } from '../devices/devices.ts'
import type { Upgrades } from '../upgrades/upgrades.ts'
import { type BatchLine, linesOf } from './batch-csv.ts'
import * as table from './batch-upgrade-table.ts'

export interface BatchUpgrades {
  page(query: Window): Promise<Page<ListedBatch>>
  /** Throws InvalidRequest where the text is no such file. */
  check(caller: Pick<Caller, 'username'>, csv: string): Promise<BatchUpgrade>
  /** Throws NotFound. */
  one(id: string): Promise<BatchUpgrade>
  /** Throws NotFound, and Conflict where it was run before or no line of it can be. */
  run(caller: Pick<Caller, 'username'>, id: string): Promise<BatchUpgrade>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  softwareVersions: Pick<SoftwareVersions, 'known'>
  upgrades: Upgrades
}

/** The result of an upgrade of a line at this moment. */
interface Verdict {
  device: Device | undefined
  version: KnownSoftwareVersion | undefined
  state: 'ready' | 'waits' | 'refused'
  reason: Reason | undefined
}

const dayMs = 24 * 3_600_000

export function createBatchUpgrades(needs: Needs): BatchUpgrades {
  const { db, clock, log, events, devices, softwareVersions, upgrades } = needs
  const writes = createWrites(log)

  const write = (job: () => Promise<void>) => writes.add(job, 'line of a batch upgrade not stored')

  async function stored(id: string): Promise<BatchUpgradeRow> {
    const found = await table.findBatch(db, id)
    if (!found) throw new NotFound('batch')
    return found
  }

  /** Judges the lines of a batch as the fleet is now. */
  async function judge(lines: readonly BatchLine[]): Promise<Verdict[]> {
    const versions = await softwareVersions.known(everything)
    const bySerial = Map.groupBy(
      [...devices.all('unit'), ...devices.all('server')],
      (one) => one.serialNumber,
    )
    const firstLine = new Map<string, number>()
    const refused = (reason: Reason, device?: Device): Verdict => ({
      device,
      version: undefined,
      state: 'refused',
      reason,
    })
    return lines.map(({ line, serialNumber, targetVersion }) => {
      if (serialNumber === '' || targetVersion === '') return refused('batch.incomplete')
      const before = firstLine.get(serialNumber)
      if (before !== undefined) return refused(because('batch.twice', { line: before }))
      firstLine.set(serialNumber, line)
      const [device, other] = bySerial.get(serialNumber) ?? []
      if (!device) return refused('device.notFound')
      if (other) return refused('batch.ambiguous')
      const version = versionFor(device, targetVersion, versions)
      if (!version) return refused('softwareVersion.notFound', device)
      const refusal = upgrades.refusalOf(device, version)
      if (refusal && !refusal.passes) return refused(refusal.reason, device)
      return { device, version, state: refusal ? 'waits' : 'ready', reason: refusal?.reason }
    })
  }

  async function shown(batch: BatchUpgradeRow): Promise<BatchUpgrade> {
    await writes.stored()
    const rows = await table.rowsOf(db, batch.id)
    if (batch.started_ms !== null) return { ...table.batchOf(batch), rows: rows.map(reported) }
    const verdicts = await judge(rows.map(lineOf))
    return { ...table.batchOf(batch), rows: rows.map((row, at) => judged(row, verdicts[at] as Verdict)) }
  }

  /** Sets the target of each line that has none yet. */
  async function runRows(username: string, batchId: string): Promise<void> {
    const rows = (await table.rowsOf(db, batchId)).filter(({ state }) => state === null)
    const verdicts = await judge(rows.map(lineOf))
    for (const [at, row] of rows.entries()) await runRow(username, row, verdicts[at] as Verdict)
    await writes.stored()
  }

  async function runRow(username: string, row: BatchUpgradeRowRow, verdict: Verdict): Promise<void> {
    const { device, version } = verdict
    const about = { device_id: device?.id ?? null, device_name: device?.name ?? null }
    const from = { ...about, from_version: device?.swVersion ?? null }
    const save = (outcome: Parameters<typeof table.saveRow>[3]) =>
      write(() => table.saveRow(db, row.batch_id, row.line, { ...from, ...outcome }))
    const refuse = (why: Parameters<typeof reasonFields>[0]) => {
      const { reason, cause } = reasonFields(why)
      return save({ state: 'refused', reason, cause: causeColumn(cause) })
    }
    if (!device || !version || verdict.state === 'refused') return await refuse(verdict.reason)
    try {
      const target = { versionNumberId: version.id, upgradeNow: false }
      const { state } = await upgrades.setTargetInBatch(username, device.id, target)
      await save({ state, upgrade_id: upgrades.idOf(device.id) ?? null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await refuse(error)
    }
  }

  events.on('upgradeChanged', ({ upgradeId, state, reason, cause }) => {
    void write(() => table.saveUpgradeState(db, upgradeId, { state, reason, cause: causeColumn(cause) }))
  })

  return {
    async page(window) {
      const { items, total } = await table.batchPage(db, window)
      return { items, total, ...window }
    },
    async check({ username }, csv) {
      const lines = linesOf(csv)
      const nowMs = clock.nowMs()
      const id = `batch-${randomBytes(9).toString('base64url')}`
      const batch = { id, made_by: username, made_ms: nowMs, started_ms: null }
      await db.transaction().execute(async (transaction) => {
        await table.dropUnstarted(transaction, nowMs - dayMs)
        await table.insertBatch(transaction, batch, lines)
      })
      return await shown(batch)
    },
    one: async (id) => await shown(await stored(id)),
    async run({ username }, id) {
      const batch = await stored(id)
      const { rows } = await shown(batch)
      if (batch.started_ms === null && rows.every(({ state }) => state === 'refused'))
        throw new Conflict('batch.nothing')
      if (!(await table.markStarted(db, id, clock.nowMs()))) throw new Conflict('batch.started')
      await runRows(username, id)
      return await shown(await stored(id))
    },
    async start() {
      for (const { id, made_by } of await table.unfinished(db)) await runRows(made_by, id)
    },
    async stop() {
      await writes.stored()
    },
  }
}

const lineOf = ({ line, serial_number, target_version }: BatchUpgradeRowRow): BatchLine => ({
  line,
  serialNumber: serial_number,
  targetVersion: target_version,
})

/** A number may be there several times, for other models or customers. */
function versionFor(
  { productType, inventoryId }: Device,
  number: string,
  versions: readonly KnownSoftwareVersion[],
): KnownSoftwareVersion | undefined {
  const numbered = versions.filter((version) => version.number === number)
  const isMeant = ({ products, inventories }: KnownSoftwareVersion) =>
    products.includes(productType) && (inventories.length === 0 || inventories.includes(inventoryId))
  return numbered.find(isMeant) ?? numbered[0]
}

function judged(row: BatchUpgradeRowRow, { device, version, state, reason }: Verdict): BatchRow {
  const swVersion = device?.swVersion ?? ''
  return {
    ...lineOf(row),
    device: device?.id ?? null,
    name: device?.name ?? '',
    swVersion,
    state,
    ...reasonFields(reason),
    warnings: version ? shownWarnings(swVersion, version.number) : [],
  }
}

function reported(row: BatchUpgradeRowRow): BatchRow {
  const state = (row.state ?? 'pending') as BatchRowState
  return {
    ...lineOf(row),
    device: row.device_id,
    name: row.device_name ?? '',
    swVersion: row.from_version ?? '',
    state,
    reason: isBatchRowOpen(state) ? null : row.reason,
    ...(isBatchRowOpen(state) ? {} : causeOfColumn(row.cause)),
    warnings: [],
  }
}
