// One SQLite connection on a thread of its own, so that waiting for the disk never stalls the event loop of core.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'

/** The first message to the thread, and again after each `close`. */
export interface ConnectionSettings {
  file: string
  role: 'writer' | 'reader'
}

/** Statements are answered in the order in which they were sent. */
export interface Statement {
  sql: string
  /**
   * The values of one run, or a list of them: then it runs once for each, all or none. One that fails ends its
   * transaction, as in PostgreSQL: savepoints would take a quarter of the time in which a fleet is stored.
   */
  parameters: readonly unknown[]
  /** Begins a transaction, or belongs to one that has begun. */
  transaction?: 'begins' | 'continues' | undefined
}

interface Outcome {
  rows: unknown[]
  changes: number
}

export type StatementAnswer = Outcome | { error: { message: string; code: string } }

/**
 * Enough for the pages of some thousand rows that a search looks up, counts and puts in order. With the 2 MB that are usual each
 * of these steps reads them from the file again: 17 ms instead of 6 for 1,300 of a million groups.
 */
const readerCacheKb = 32_000

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
    opened.exec(`pragma cache_size = -${readerCacheKb}`)
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

function run(database: DatabaseSync, { sql, parameters, transaction }: Statement): StatementAnswer {
  try {
    if (transaction === 'begins') database.exec('begin immediate')
    // It never began, or SQLite itself ended it, where the disk is full: nothing of it may be stored.
    else if (transaction === 'continues' && !database.isTransaction)
      throw new Error('The transaction is over')
    const once = runnerOf(prepare(database, sql))
    return isList(parameters) ? runEach(database, once, parameters) : once(parameters)
  } catch (error) {
    const cause = error as Error & { errcode?: number }
    return { error: { message: cause.message, code: sqliteCode(cause.errcode) } }
  }
}

/** No value of SQLite is a list. */
const isList = (parameters: readonly unknown[]): parameters is readonly (readonly unknown[])[] =>
  Array.isArray(parameters[0])

type Run = (parameters: readonly unknown[]) => Outcome

function runnerOf(statement: StatementSync): Run {
  if (statement.columns().length === 0)
    return (parameters) => {
      const { changes } = statement.run(...(parameters as SQLInputValue[]))
      return { rows: [], changes: Number(changes) }
    }
  return (parameters) => {
    const rows = statement.all(...(parameters as SQLInputValue[]))
    return { rows, changes: rows.length }
  }
}

function runEach(database: DatabaseSync, once: Run, list: readonly (readonly unknown[])[]): Outcome {
  const isOwn = !database.isTransaction
  if (isOwn) database.exec('begin immediate')
  try {
    const all = list.map(once)
    if (isOwn) database.exec('commit')
    return {
      rows: all.flatMap(({ rows }) => rows),
      changes: all.reduce((sum, { changes }) => sum + changes, 0),
    }
  } catch (error) {
    // SQLite itself ends the transaction where the disk is full.
    if (database.isTransaction) database.exec('rollback')
    throw error
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
