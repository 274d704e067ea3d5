// Data monitoring of modems: counts what each watched one uses, and notes when it passes its limit (GAP-CONF-13).
import type { UnitTelemetry } from '@backhaul/contract/gateway/gateway'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { type DataMonitoring, type DataUse, unmonitored } from '@backhaul/contract/nouns/unit-networks'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import { countNow, type ModemData, newCount, passesLimit, usedBy, useOf } from './modem-data-count.ts'
import { allModemData, type ModemPlace, saveModemData } from './modem-data-table.ts'

export interface ModemDataMeter {
  of(place: ModemPlace): { dataMonitoring: DataMonitoring; dataUse: DataUse | null }
  /** Keeps the count of the present period. */
  watch(place: ModemPlace, monitoring: DataMonitoring): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  units: Units
}

/** A crash of core loses at most what was used in this time. */
const writePeriodMs = 60_000

export function createModemDataMeter({ db, clock, log, events, units }: Needs): ModemDataMeter {
  /** The counts by unit and port. */
  const counts = new Map<string, Map<number, ModemData>>()
  const sampledMs = new Map<string, number>()
  const touched = new Map<string, Set<number>>()
  let timer: Timer | undefined
  let writing: Promise<void> = Promise.resolve()

  function keep({ unitId, port }: ModemPlace, data: ModemData): void {
    counts.set(unitId, (counts.get(unitId) ?? new Map()).set(port, data))
  }

  function add(unitId: string, { samples }: UnitTelemetry): void {
    const watched = counts.get(unitId)
    const newest = samples.at(-1)
    if (!watched || !newest) return
    const measure = {
      before: sampledMs.get(unitId),
      intervalMs: units.kept(unitId)?.reportIntervalMs ?? 1000,
    }
    sampledMs.set(unitId, newest.ts)
    for (const [port, data] of watched) {
      if (data.monitoring.mode === 'none') continue
      const before = countNow(data, clock.nowMs())
      const used = usedBy(port, samples, measure)
      const now = {
        ...before,
        bytes: before.bytes + used.bytes,
        connectedMs: before.connectedMs + used.connectedMs,
      }
      watched.set(port, now)
      touched.set(unitId, (touched.get(unitId) ?? new Set()).add(port))
      if (passesLimit(before, now)) noteOver({ unitId, port }, now.monitoring)
    }
  }

  function noteOver({ unitId, port }: ModemPlace, { mode, limit }: DataMonitoring): void {
    const links = units.memory(unitId)?.actual.links ?? []
    const link = links.find((one) => one.port === port)?.id ?? String(port)
    const what = unitEvent(mode === 'per data' ? 'link.overData' : 'link.overHours', { link, limit })
    units.addEvent(unitId, 'link', what, 'warning')
  }

  function write(): Promise<void> {
    const due = [...touched].flatMap(([unitId, ports]) =>
      [...ports].flatMap((port) => {
        const data = counts.get(unitId)?.get(port)
        return data ? [{ unitId, port, data }] : []
      }),
    )
    touched.clear()
    writing = writing
      .then(() => saveModemData(db, due))
      .catch((error) => {
        log.error({ err: error }, 'data of modems not stored')
        for (const { unitId, port } of due) touched.set(unitId, (touched.get(unitId) ?? new Set()).add(port))
      })
    return writing
  }

  events.on('device:telemetry', ({ deviceId, message }) => add(deviceId, message))
  events.on('deviceRemoved', ({ deviceId }) => {
    counts.delete(deviceId)
    sampledMs.delete(deviceId)
    touched.delete(deviceId)
  })

  return {
    of({ unitId, port }) {
      const data = counts.get(unitId)?.get(port)
      if (!data) return { dataMonitoring: unmonitored, dataUse: null }
      return { dataMonitoring: data.monitoring, dataUse: useOf(countNow(data, clock.nowMs())) }
    },
    async watch(place, monitoring) {
      const nowMs = clock.nowMs()
      const before = counts.get(place.unitId)?.get(place.port)
      const data = before ? countNow({ ...before, monitoring }, nowMs) : newCount(monitoring, nowMs)
      await saveModemData(db, [{ ...place, data }])
      keep(place, data)
    },
    async start() {
      for (const { data, ...place } of await allModemData(db)) keep(place, data)
      timer = clock.setInterval(() => void write(), writePeriodMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await write()
    },
  }
}
