// Support cases: what operators report about a unit, stored and sent to the support by e-mail.
import { randomInt } from 'node:crypto'
import { Conflict } from '@backhaul/contract/define/errors'
import { caseRefusal, type SupportCase } from '@backhaul/contract/nouns/support-cases'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Users } from '../../people/users/users.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { DeviceLogs } from '../device-logs/device-logs.ts'
import { casesOfUnit, insertCase } from './support-case-table.ts'

export interface SupportCases {
  /** Throws NotFound, and Conflict where the unit is not idle, the caller has no address, or the logs cannot come. */
  open(caller: Caller, request: { unit: string; description: string; logs: boolean }): Promise<SupportCase>
  ofUnit(scope: Scope, unitId: string): Promise<SupportCase[]>
}

interface Needs {
  db: Database
  clock: Clock
  units: Units
  users: Users
  outbox: Outbox
  deviceLogs: DeviceLogs
  /** The address that cases are sent to; undefined: they are only stored. */
  supportEmail: string | undefined
}

export function createSupportCases(needs: Needs): SupportCases {
  const { db, clock, units, users, outbox, deviceLogs, supportEmail } = needs
  return {
    async open(caller, { unit: unitId, description, logs }) {
      const unit = units.get(caller.scope, unitId)
      const { email } = await users.details(caller.userId)
      const refusal = caseRefusal(unit, email)
      if (refusal !== undefined) throw new Conflict(refusal)
      if (logs) await deviceLogs.sendOfUnit(caller, unitId, { description, includeChannel: false })
      const nowMs = clock.nowMs()
      const opened: SupportCase = {
        id: newCaseId(nowMs),
        unit: unitId,
        unitName: unit.name,
        description,
        by: caller.username,
        email,
        withLogs: logs,
        openedAt: new Date(nowMs).toISOString(),
      }
      await db.transaction().execute(async (transaction) => {
        await insertCase(transaction, {
          id: opened.id,
          unit_id: unitId,
          inventory_id: unit.inventoryId,
          unit_name: unit.name,
          description,
          opened_by: caller.username,
          email,
          with_logs: logs ? 1 : 0,
          opened_ms: nowMs,
        })
        if (supportEmail !== undefined)
          await outbox.post(
            { inventoryId: unit.inventoryId, recipient: supportEmail, ...mailOf(opened, unit) },
            transaction,
          )
      })
      return opened
    },
    async ofUnit(scope, unitId) {
      const { inventoryId } = units.get(scope, unitId)
      return await casesOfUnit(db, unitId, inventoryId)
    },
  }
}

/** The characters of a case number, without those that are mistaken for one another when read aloud. */
const signs = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

function newCaseId(nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '')
  const rest = Array.from({ length: 6 }, () => signs[randomInt(signs.length)]).join('')
  return `case-${day}-${rest}`
}

const mailOf = (opened: SupportCase, unit: Pick<Unit, 'type' | 'serialNumber' | 'swVersion'>) => ({
  subject: `${opened.id}: ${opened.unitName}`,
  text: [
    opened.description,
    '',
    `Unit: ${opened.unitName} (${unit.type}, serial number ${unit.serialNumber}, software ${unit.swVersion})`,
    `Opened by: ${opened.by}, ${opened.email}`,
    `Logs: ${opened.withLogs ? 'requested with the case; they are with the unit in the console' : 'not requested'}`,
  ].join('\n'),
})
