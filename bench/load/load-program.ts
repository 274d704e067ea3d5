/** A program of the load or of a peer, in a process of its own, so that its cost is not counted as the product's. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface LoadProgram {
  readonly pid: number
  /** Sends one line of JSON and reads one line of JSON as the answer. */
  request<Answer>(message: object): Promise<Answer>
  stop(): Promise<void>
}

/** Starts `bench/<path>.ts`; it answers each line on its standard input and ends when that is closed. */
export function startLoad(
  stack: AsyncDisposableStack,
  path: string,
  args: readonly (string | number)[] = [],
  nodeOptions: readonly string[] = [],
): LoadProgram {
  const child = startProcess(
    stack,
    process.execPath,
    [...nodeOptions, join(import.meta.dirname, '..', `${path}.ts`), ...args.map(String)],
    'pipe',
  )
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  return {
    pid: child.pid,
    async request<Answer>(message: object) {
      child.stdin?.write(`${JSON.stringify(message)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`${path} ended in the middle`)
      return JSON.parse(String(value)) as Answer
    },
    stop: () => endProcess(child),
  }
}

/** Starts any program; the stack ends it. */
export function startProcess(
  stack: AsyncDisposableStack,
  command: string,
  args: readonly string[],
  stdio: 'ignore' | 'pipe' = 'ignore',
): ChildProcess & { pid: number } {
  const child = spawn(command, [...args], { stdio: [stdio, stdio, stdio === 'pipe' ? 'inherit' : 'ignore'] })
  const { pid } = child
  if (pid === undefined) throw new Error(`cannot start ${command}`)
  child.stdin?.on('error', () => {})
  stack.defer(() => endProcess(child))
  return Object.assign(child, { pid })
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** The side of the program: answers each line of standard input, ends with it. */
export function answerLines(answer: (message: never) => unknown): void {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', async (line) => {
    console.log(JSON.stringify((await answer(JSON.parse(line) as never)) ?? {}))
  })
  lines.on('close', () => process.exit(0))
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
