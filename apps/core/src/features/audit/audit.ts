// The append-only log of every change that a person makes: who, what, on which object, from which address, result.
import { randomUUID } from 'node:crypto'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { insertLine } from './audit-table.ts'

export interface AuditLine {
  /** Null where nobody is signed in, for instance on a wrong password. */
  userId: string | null
  username: string
  /** Noun and verb, for instance `units.rename`. */
  action: string
  objectKind: string
  objectId: string | null
  inventoryId: string | null
  address: string
  /** `done`, the text of the refusal, or `failed` where core itself was at fault. */
  result: string
  /** What was asked for; never a secret. */
  details: Readonly<Record<string, unknown>>
}

export interface Audit {
  record(line: AuditLine): Promise<void>
}

export function createAudit({ db, clock }: { db: Database; clock: Clock }): Audit {
  return {
    record: (line) => insertLine(db, { id: randomUUID(), atMs: clock.nowMs(), ...line }),
  }
}
