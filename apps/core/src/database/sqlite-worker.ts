// One SQLite connection on a thread of its own, so that waiting for the disk never stalls the event loop of core.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'

/** The first thing that the thread is sent, and after each `close` again. */
export interface ConnectionSettings {
  file: string
  role: 'writer' | 'reader'
}

export interface Statement {
  id: number
  sql: string
  parameters: readonly unknown[]
}

export type StatementAnswer =
  | { id: number; rows: unknown[]; changes: number }
  | { id: number; error: { message: string; code: string } }

/** Enough for every statement text of core; a text with many placeholders (bulk) pushes out the oldest. */
const preparedAtMost = 500

let connection: DatabaseSync | undefined
const prepared = new Map<string, StatementSync>()

function open({ file, role }: ConnectionSettings): DatabaseSync {
  const opened = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 10_000 })
  if (role === 'writer') {
    opened.exec('pragma journal_mode = wal')
    opened.exec('pragma synchronous = full')
  } else {
    opened.exec('pragma query_only = true')
  }
  return opened
}

function prepare(database: DatabaseSync, sql: string): StatementSync {
  const known = prepared.get(sql)
  if (known) {
    prepared.delete(sql)
    prepared.set(sql, known)
    return known
  }
  const statement = database.prepare(sql)
  prepared.set(sql, statement)
  const oldest = prepared.keys().next().value
  if (prepared.size > preparedAtMost && oldest !== undefined) prepared.delete(oldest)
  return statement
}

function run(database: DatabaseSync, { id, sql, parameters }: Statement): StatementAnswer {
  try {
    const statement = prepare(database, sql)
    const values = parameters as SQLInputValue[]
    if (statement.columns().length > 0) {
      const rows = statement.all(...values)
      return { id, rows, changes: rows.length }
    }
    return { id, rows: [], changes: Number(statement.run(...values).changes) }
  } catch (error) {
    const cause = error as Error & { errcode?: number }
    return { id, error: { message: cause.message, code: sqliteCode(cause.errcode) } }
  }
}

/** The extended result codes that features distinguish, by the names that both engines share. */
function sqliteCode(errcode: number | undefined): string {
  if (errcode === 2067 || errcode === 1555) return 'unique'
  if (errcode === 787) return 'foreign-key'
  return String(errcode ?? 'unknown')
}

parentPort?.on('message', (message: ConnectionSettings | Statement | 'close') => {
  if (message === 'close') {
    prepared.clear()
    connection?.close()
    connection = undefined
    parentPort?.postMessage('closed')
  } else if ('file' in message) {
    connection = open(message)
  } else if (connection) {
    parentPort?.postMessage(run(connection, message))
  }
})
