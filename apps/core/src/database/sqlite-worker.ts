// One SQLite connection on a thread of its own, so that waiting for the disk never stalls the event loop of core.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

export interface WorkerSettings {
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

const { file, role } = workerData as WorkerSettings
const connection = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 10_000 })
if (role === 'writer') {
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
} else {
  connection.exec('pragma query_only = true')
}

const prepared = new Map<string, StatementSync>()

function prepare(sql: string): StatementSync {
  const known = prepared.get(sql)
  if (known) {
    prepared.delete(sql)
    prepared.set(sql, known)
    return known
  }
  const statement = connection.prepare(sql)
  prepared.set(sql, statement)
  const oldest = prepared.keys().next().value
  if (prepared.size > preparedAtMost && oldest !== undefined) prepared.delete(oldest)
  return statement
}

function run({ id, sql, parameters }: Statement): StatementAnswer {
  try {
    const statement = prepare(sql)
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

/** The extended result codes that features tell apart, in the words that both engines share. */
function sqliteCode(errcode: number | undefined): string {
  if (errcode === 2067 || errcode === 1555) return 'unique'
  if (errcode === 787) return 'foreign-key'
  return String(errcode ?? 'unknown')
}

parentPort?.on('message', (message: Statement | 'close') => {
  if (message === 'close') {
    connection.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(run(message))
})
