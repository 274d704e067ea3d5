// Kysely on node:sqlite: one writer thread with an owner at a time, and a reader thread that never waits for it.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import { Precedence } from './precedence.ts'
import { DatabaseError, SqliteThread, type StatementResult, type Threads } from './sqlite-thread.ts'

/** An open transaction that waits for anything but the database itself is a defect; this error names it. */
const writerWaitMs = 30_000

export function sqliteDialect(file: string, threads: Threads): Dialect {
  return {
    createAdapter: () => new TwoThreadAdapter(),
    createDriver: () => new SqliteThreadDriver(file, threads),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LiteralLimitCompiler(),
  }
}

class TwoThreadAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** A limit is part of the text: SQLite prepares a statement whose limit is a parameter again for each run. */
class LiteralLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node
    const isWhole = ValueNode.is(limit) && Number.isSafeInteger(limit.value)
    super.visitLimit(isWhole ? { ...node, limit: ValueNode.createImmediate(limit.value) } : node)
  }
}

class SqliteThreadDriver implements Driver {
  readonly #file: string
  readonly #threads: Threads
  #writer: Writer | undefined
  #reader: SqliteThread | undefined

  constructor(file: string, threads: Threads) {
    this.#file = file
    this.#threads = threads
  }

  async init(): Promise<void> {
    const thread = new SqliteThread({ file: this.#file, role: 'writer' }, this.#threads)
    this.#writer = new Writer(thread)
    // The writer must have made the file and its journal mode before a reader opens it.
    await thread.run('select 1', [])
    this.#reader = new SqliteThread({ file: this.#file, role: 'reader' }, this.#threads)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#writer || !this.#reader) throw new DatabaseError('The database is not open', 'closed')
    return new SqliteConnection(this.#writer, this.#reader)
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.end('commit')
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.end('rollback')
  }

  async destroy(): Promise<void> {
    await this.#reader?.close()
    await this.#writer?.thread.close()
  }
}

/** Gives the one writing connection to one owner after another. */
class Writer {
  readonly thread: SqliteThread
  readonly #owners = new Precedence(1)

  constructor(thread: SqliteThread) {
    this.thread = thread
  }

  take(): Promise<() => void> {
    return this.#owners.enter(
      writerWaitMs,
      () => new DatabaseError(`No turn to write within ${writerWaitMs} ms`, 'busy'),
    )
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: Writer
  readonly #reader: SqliteThread
  #giveBack: (() => void) | undefined
  /** Its first statement was sent, and with it the begin: each message to a thread costs as much as many rows. */
  #hasBegun = false

  constructor(writer: Writer, reader: SqliteThread) {
    this.#writer = writer
    this.#reader = reader
  }

  async begin(): Promise<void> {
    this.#giveBack = await this.#writer.take()
    this.#hasBegun = false
  }

  async end(word: 'commit' | 'rollback'): Promise<void> {
    try {
      if (this.#hasBegun) await this.#writer.thread.run(word, [])
    } catch (error) {
      // Kysely sends a rollback after a failed commit, and the writer is only free after it.
      if (word === 'commit') throw error
    }
    this.#giveBack?.()
    this.#giveBack = undefined
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#run(query)
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  async #run(query: CompiledQuery): Promise<StatementResult> {
    if (this.#giveBack) return this.#runWithin(query)
    if (query.query.kind === 'SelectQueryNode') return this.#reader.run(query.sql, query.parameters)
    const giveBack = await this.#writer.take()
    try {
      return await this.#writer.thread.run(query.sql, query.parameters)
    } finally {
      giveBack()
    }
  }

  #runWithin({ sql, parameters }: CompiledQuery): Promise<StatementResult> {
    const transaction = this.#hasBegun ? 'continues' : 'begins'
    this.#hasBegun = true
    return this.#writer.thread.run(sql, parameters, transaction)
  }

  // biome-ignore lint/correctness/useYield: nothing streams; the interface requires the method
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new DatabaseError('Rows are read in pages, never streamed', 'unsupported')
  }
}
