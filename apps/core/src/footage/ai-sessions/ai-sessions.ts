// AI sessions: one for a unit at a time, on its running transmission; a provider adds marks.

import { randomBytes } from 'node:crypto'
import { Conflict } from '@backhaul/contract/define/errors'
import { type PlainCode, reasonFields } from '@backhaul/contract/define/refusals'
import type { AiMark, AiObservation, AiState } from '@backhaul/contract/nouns/ai'
import { gate } from '@backhaul/contract/nouns/gates'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { AiSessionRow } from '../../database/ai-schema.ts'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { SendOutward } from '../../doors/outward-request.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { AiSettings } from '../../platform/ai-settings/ai-settings.ts'
import type { Transmissions } from '../../transmission/transmissions/transmissions.ts'
import type { Services } from '../../usage/services/services.ts'
import type { Events } from '../../world/events.ts'
import * as table from './ai-session-table.ts'
import { createHttpProvider } from './http-provider.ts'
import { createLocalProvider } from './local-provider.ts'

/** Everything throws NotFound for a unit outside the caller's scope. */
export interface AiSessions {
  of(scope: Scope, unitId: string): Promise<AiState>
  /** Throws Conflict with the reason when none can be started. */
  start(scope: Scope, unitId: string, profileId: string, by: string): Promise<AiState>
  /** Throws Conflict when none runs. */
  end(scope: Scope, unitId: string, by: string): Promise<AiState>
  /** Resumes the sessions that ran when core stopped. */
  resume(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  units: Units
  channels: Channels
  transmissions: Transmissions
  services: Services
  aiSettings: AiSettings
  sendOutward: SendOutward
}

interface Running {
  row: AiSessionRow
  observe: (observation: AiObservation) => void
  /** The number of marks; `written` is the pending write of the newest. */
  marks: number
  written: Promise<void>
}

const everyMs = 1000

export function createAiSessions(needs: Needs): AiSessions {
  const { db, clock, log, events, units, channels, transmissions, services, aiSettings } = needs
  const running = new Map<string, Running>()
  /** The louder side of each channel with sound, by the last report. */
  const loudness = new Map<string, number>()
  let timer: Timer | undefined

  events.on('device:levels', ({ message }) => {
    if (running.size === 0) return
    for (const { channelId, levels } of message.channels)
      loudness.set(channelId, Math.max(...levels.map(({ rmsDb }) => rmsDb)))
  })

  async function refusalOf(unit: Unit, hasProfiles: boolean): Promise<PlainCode | null> {
    const closed = gate('ai', { unit, services: await services.inForce([unit.inventoryId]) })
    if (closed !== undefined) return closed
    if (!hasProfiles) return 'ai.notConfigured'
    return transmissions.running(unit.uid) ? null : 'transmission.notRunning'
  }

  async function stateOf(unit: Unit): Promise<AiState> {
    const profiles = (await aiSettings.all()).map(({ id, name, provider }) => ({ id, name, provider }))
    const why = await refusalOf(unit, profiles.length > 0)
    const { reason: refusal, cause: refusalCause } = reasonFields(why ?? undefined)
    const session = await table.newestSession(db, unit.uid, units.sinceMs(unit.uid))
    return { session, profiles, refusal, refusalCause }
  }

  /** Marks are stored one after the other; a failed write does not end the session. */
  function keep(session: Running, marks: AiMark[]): void {
    if (marks.length === 0) return
    const before = session.marks
    session.marks += marks.length
    session.written = session.written
      .then(() => table.addMarks(db, session.row.id, before, marks))
      .catch((error) =>
        log.error({ err: error, sessionId: session.row.id }, 'marks of the AI session not stored'),
      )
  }

  /** False for a provider whose address was deleted with its settings. */
  async function run(row: AiSessionRow, marks: number): Promise<boolean> {
    const settings = await aiSettings.open(row.settings_id)
    const session: Running = { row, observe: () => {}, marks, written: Promise.resolve() }
    const onMarks = (found: AiMark[]) => keep(session, found)
    if (row.provider === 'local') {
      const marksOf = createLocalProvider()
      session.observe = (observation) => onMarks(marksOf(observation))
    } else {
      if (!settings || settings.provider === 'local') return false
      const about = { ...settings, session: row.id, unit: units.values(row.unit_id)?.name ?? '' }
      session.observe = createHttpProvider(needs.sendOutward, about, onMarks)
    }
    running.set(row.unit_id, session)
    return true
  }

  async function end(unitId: string, by: string | null): Promise<void> {
    const session = running.get(unitId)
    if (!session) return
    running.delete(unitId)
    await session.written
    await table.endSession(db, session.row.id, { nowMs: clock.nowMs(), by })
  }

  function observe(): void {
    for (const [unitId, { observe }] of running) {
      const channelId = units.values(unitId)?.transmission?.channelId
      if (!transmissions.running(unitId) || channelId === undefined) {
        end(unitId, null).catch((error) => log.error({ err: error, unitId }, 'AI session not ended'))
        continue
      }
      const telemetry = channels.telemetry(channelId)
      if (telemetry?.status !== 'collecting') continue
      const { kbps, health } = telemetry
      const { black, frozen, silent } = health ?? { black: false, frozen: false, silent: false }
      const ts = new Date(clock.nowMs()).toISOString()
      observe({ ts, kbps, black, frozen, silent, rmsDb: loudness.get(channelId) ?? null })
    }
    if (running.size === 0) loudness.clear()
  }

  return {
    of: (scope, unitId) => stateOf(units.get(scope, unitId)),
    async start(scope, unitId, profileId, by) {
      const unit = units.get(scope, unitId)
      const profile = (await aiSettings.all()).find(({ id }) => id === profileId)
      const refusal = await refusalOf(unit, profile !== undefined)
      if (refusal !== null) throw new Conflict(refusal)
      if (running.has(unitId) || !profile) throw new Conflict('ai.running')
      const row: AiSessionRow = {
        id: `as-${randomBytes(9).toString('base64url')}`,
        unit_id: unitId,
        settings_id: profile.id,
        profile_name: profile.name,
        provider: profile.provider,
        started_ms: clock.nowMs(),
        started_by: by,
        ended_ms: null,
        ended_by: null,
      }
      await run(row, 0)
      await table.insertSession(db, row)
      return await stateOf(unit)
    },
    async end(scope, unitId, by) {
      const unit = units.get(scope, unitId)
      if (!running.has(unitId)) throw new Conflict('ai.notRunning')
      await end(unitId, by)
      return await stateOf(unit)
    },
    async resume() {
      for (const row of await table.openSessions(db)) {
        const isThere = transmissions.running(row.unit_id) !== undefined
        if (isThere && (await run(row, await table.lastTurn(db, row.id)))) continue
        await table.endSession(db, row.id, { nowMs: clock.nowMs(), by: null })
      }
      timer = clock.setInterval(observe, everyMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await Promise.all([...running.values()].map(({ written }) => written))
    },
  }
}
