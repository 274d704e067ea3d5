// The append-only log of every change that a user makes: who, what, on which object, from which address, result.
import { randomUUID } from 'node:crypto'
import type { Page } from '@backhaul/contract/define/answers'
import { byteOrderMark, csvLine } from '@backhaul/contract/define/csv'
import type { AuditEntry, AuditFilter } from '@backhaul/contract/nouns/audit'
import type { Clock } from '@backhaul/runtime/clock'
import { causeOfColumn } from '../../database/causes.ts'
import { fromNearerEnd, type Window } from '../../database/paging.ts'
import type { AuditRow, Database } from '../../database/schema.ts'
import { readsInventory, type Scope } from '../../database/scope.ts'
import type { AuditLine } from './audit-table.ts'
import * as table from './audit-table.ts'
import { findObjects, isWithin, textsIn, without } from './object-names.ts'

export interface Audit {
  record(line: AuditLine): Promise<void>
  /** The newest first. */
  list(scope: Scope, filter: AuditFilter, window: Window): Promise<Page<AuditEntry>>
  /** All lines that match as CSV, read piece by piece. */
  export(scope: Scope, filter: AuditFilter): AsyncIterable<string>
}

const linesAtOnce = 500

export function createAudit({ db, clock }: { db: Database; clock: Clock }): Audit {
  let made = 0
  // Lines of one millisecond keep their order.
  const nextId = () => `${(made++).toString(36).padStart(8, '0')}-${randomUUID()}`
  return {
    async record({ scope, ...line }) {
      const object =
        line.objectId === null ? undefined : (await findObjects(db, [line.objectId])).get(line.objectId)
      const ofObject = [line.inventoryId ?? [], object?.inventories ?? []].flat()
      await table.insertLine(
        db,
        { id: nextId(), atMs: clock.nowMs(), ...line },
        {
          ofObject: new Set(ofObject.filter((id) => readsInventory(scope, id))),
          // A key acts for the customer that it was made for, even where its maker belongs to others too.
          ofPerson: line.apiKey === undefined ? await table.customersOf(db, line) : scope.inventories,
        },
      )
    },
    async list(scope, filter, window) {
      const total = await table.countLines(db, scope, filter)
      const rows = await table.pageOfLines(db, scope, filter, fromNearerEnd(window, total))
      return { items: await shown(db, scope, rows), total, ...window }
    },
    async *export(scope, filter) {
      yield byteOrderMark + csvLine(columns)
      let after: AuditRow | undefined
      do {
        const rows = await table.linesAfter(db, scope, filter, after, linesAtOnce)
        yield (await shown(db, scope, rows)).map((entry) => csvLine(cellsOf(entry))).join('')
        after = rows.length < linesAtOnce ? undefined : rows.at(-1)
      } while (after)
    },
  }
}

/** An administrator is shown nothing that is not their customer's: neither the object nor an id in the details. */
async function shown(db: Database, scope: Scope, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const readable = scope.everything ? undefined : await table.linesOfObjects(db, scope, rows)
  const isShown = ({ id }: AuditRow) => readable?.has(id) ?? true
  const entries = rows.map((row) => ({ ...entryOf(row), ...(!isShown(row) && nameless) }))
  const texts = entries.flatMap(({ userId, objectId, details }) => textsIn([userId, objectId, details]))
  const objects = await findObjects(db, [...new Set(texts)])
  const isHidden = (text: string) => {
    const object = objects.get(text)
    return object !== undefined && !isWithin(scope, object)
  }
  return entries.map((entry) => ({
    ...entry,
    userId: entry.userId && isHidden(entry.userId) ? null : entry.userId,
    // The name that an object has at another customer is not shown.
    objectName: isHidden(entry.objectId ?? '') ? null : (objects.get(entry.objectId ?? '')?.name ?? null),
    // A refused call may have named anything.
    details:
      scope.everything || entry.result === 'done'
        ? (without(entry.details, isHidden) as AuditEntry['details'])
        : {},
  }))
}

const nameless = { objectId: null, details: {} }

function entryOf(row: AuditRow): Omit<AuditEntry, 'objectName'> {
  return {
    id: row.id,
    at: new Date(row.at_ms).toISOString(),
    userId: row.user_id,
    username: row.username,
    apiKey: row.api_key,
    action: row.action,
    objectKind: row.object_kind,
    objectId: row.object_id,
    address: row.address,
    result: row.result,
    ...causeOfColumn(row.cause),
    details: JSON.parse(row.details) as Record<string, unknown>,
  }
}

const columns = ['Time', 'User', 'Action', 'Kind', 'ID', 'Name', 'Result', 'Address', 'Details', 'API key']

const cellsOf = (entry: AuditEntry): string[] => [
  entry.at,
  entry.username,
  entry.action,
  entry.objectKind,
  entry.objectId ?? '',
  entry.objectName ?? '',
  entry.result,
  entry.address,
  JSON.stringify(entry.details),
  entry.apiKey ?? '',
]
