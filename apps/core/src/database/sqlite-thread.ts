// The near side of a SQLite thread: sends statements, resolves answers in order.
import { Worker } from 'node:worker_threads'
import type { ConnectionSettings, Statement, StatementAnswer } from './sqlite-worker.ts'

export interface StatementResult {
  rows: unknown[]
  changes: number
}

/** A refusal by the engine; `code` is 'unique' or 'foreign-key' where a rule of the schema was broken. */
export class DatabaseError extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.name = 'DatabaseError'
    this.code = code
  }
}

/** The store that threads are taken from and returned to once their database is closed. */
export interface Threads {
  take(): Worker
  giveBack(worker: Worker): Promise<unknown>
}

/** Each database has its own threads, which end with it. */
export const ownThreads: Threads = {
  take: startThread,
  giveBack: (worker) => worker.terminate(),
}

export function startThread(): Worker {
  return new Worker(new URL('./sqlite-worker.ts', import.meta.url), { execArgv: [] })
}

interface Waiting {
  resolve: (result: StatementResult) => void
  reject: (error: Error) => void
}

export class SqliteThread {
  readonly #threads: Threads
  readonly #worker: Worker
  /**
   * The statements that the worker has not answered, in their order. Not a Map: V8 gives one that is filled and emptied all
   * the time another table each time, and what was in a former table lives until old objects are collected too.
   */
  readonly #waiting: Waiting[] = []
  readonly #closed: Promise<void>
  #failure: Error | undefined

  constructor(settings: ConnectionSettings, threads: Threads) {
    this.#threads = threads
    this.#worker = threads.take()
    this.#worker.on('error', (error) => this.#fail(error as Error))
    this.#closed = new Promise((resolve) => {
      const closed = () => {
        this.#fail(new DatabaseError('The database is closed', 'closed'))
        resolve()
      }
      this.#worker.on('message', (answer: StatementAnswer | 'closed') => {
        if (answer === 'closed') closed()
        else this.#settle(answer)
      })
      this.#worker.on('exit', closed)
    })
    this.#worker.postMessage(settings)
  }

  run(
    sql: string,
    parameters: readonly unknown[],
    transaction?: Statement['transaction'],
  ): Promise<StatementResult> {
    if (this.#failure) return Promise.reject(this.#failure)
    const statement: Statement = { sql, parameters, transaction }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#worker.postMessage(statement)
    })
  }

  /** Statements already sent are carried out first. */
  async close(): Promise<void> {
    this.#worker.postMessage('close')
    await this.#closed
    for (const event of ['message', 'error', 'exit']) this.#worker.removeAllListeners(event)
    await this.#threads.giveBack(this.#worker)
  }

  #settle(answer: StatementAnswer): void {
    const waiting = this.#waiting.shift()
    if ('error' in answer) waiting?.reject(new DatabaseError(answer.error.message, answer.error.code))
    else waiting?.resolve(answer)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error)
  }
}
