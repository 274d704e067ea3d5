/** Reads the memory of programs and pages by the DevTools protocol, on a connection that is closed again. */
import { WebSocket } from 'ws'

interface Command {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

interface Message {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
  readonly method?: string
  readonly params?: { readonly sessionId: string; readonly message?: string }
}

/** Commands to a program or a page, and to the threads of a program. */
interface Inspection {
  /** Rejects when the command is refused. */
  ask<Result>(command: Command): Promise<Result>
  /** The same for a thread. */
  askThread<Result>(sessionId: string, command: Command): Promise<Result>
  /** The threads of a Node program that run JavaScript, in addition to its main one. */
  threads(): Promise<readonly string[]>
}

/** The result of `inspect`; the connection is closed then. */
export async function inspected<Result>(
  address: string,
  inspect: (inspection: Inspection) => Promise<Result>,
): Promise<Result> {
  const socket = new WebSocket(address)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const found: string[] = []
  let lastId = 0

  function receive({ id, result, error, method, params }: Message): void {
    if (method === 'NodeWorker.attachedToWorker' && params) found.push(params.sessionId)
    if (method === 'NodeWorker.receivedMessageFromWorker')
      receive(JSON.parse(params?.message ?? '{}') as Message)
    const answer = waiting.get(id ?? 0)
    if (error) answer?.reject(new Error(error.message))
    else answer?.resolve(result)
  }

  function send<Result>(message: (id: number) => Command & { id: number }): Promise<Result> {
    const id = ++lastId
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    socket.send(JSON.stringify(message(id)))
    return answer.promise as Promise<Result>
  }

  const inspection: Inspection = {
    ask: (command) => send((id) => ({ id, ...command })),
    askThread(sessionId, command) {
      const inner = ++lastId
      const answer = Promise.withResolvers<unknown>()
      waiting.set(inner, answer)
      const message = JSON.stringify({ id: inner, ...command })
      const params = { sessionId, message }
      return send((id) => ({ id, method: 'NodeWorker.sendMessageToWorker', params })).then(
        () => answer.promise,
      ) as never
    },
    async threads() {
      await inspection.ask({ method: 'NodeWorker.enable', params: { waitForDebuggerOnStart: false } })
      return found
    },
  }
  const { promise: failed, reject } = Promise.withResolvers<never>()
  socket.on('message', (bytes) => receive(JSON.parse(String(bytes)) as Message))
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the connection ended')))
  try {
    await Promise.race([failed, new Promise((resolve) => socket.once('open', resolve))])
    return await Promise.race([failed, inspect(inspection)])
  } finally {
    failed.catch(() => {})
    socket.close()
  }
}

const collectGarbage = { method: 'HeapProfiler.collectGarbage' } as const

/** The heap of a page. Garbage is collected first, so that only referenced memory is counted. */
export const heapKb = (address: string): Promise<number> =>
  inspected(address, async ({ ask }) => {
    await ask(collectGarbage)
    const { usedSize } = await ask<{ usedSize: number }>({ method: 'Runtime.getHeapUsage' })
    return Math.round(usedSize / 1024)
  })

/** The heaps of all threads of a program, in kB. */
export interface ProgramHeap {
  objects: number
  /** Compiled code, which grows as long as the program does something for the first time. */
  code: number
}

const spaceSizes = {
  method: 'Runtime.evaluate',
  params: {
    expression: `Object.fromEntries(process.getBuiltinModule('v8').getHeapSpaceStatistics()
      .map(({ space_name, space_used_size }) => [space_name, space_used_size]))`,
    returnByValue: true,
  },
} as const
const codeSpaces = ['code_space', 'code_large_object_space', 'trusted_space', 'trusted_large_object_space']

/** After a collection in each thread. */
export const programHeap = (address: string): Promise<ProgramHeap> =>
  inspected(address, async ({ ask, askThread, threads }) => {
    type Sizes = { result: { value: Record<string, number> } }
    await ask(collectGarbage)
    const sizes = [(await ask<Sizes>(spaceSizes)).result.value]
    for (const thread of await threads()) {
      await askThread(thread, collectGarbage)
      sizes.push((await askThread<Sizes>(thread, spaceSizes)).result.value)
    }
    const kbOf = (isWanted: (space: string) => boolean) => {
      const wanted = sizes.flatMap((one) => Object.entries(one)).filter(([space]) => isWanted(space))
      return Math.round(wanted.reduce((sum, [, bytes]) => sum + bytes, 0) / 1024)
    }
    return {
      objects: kbOf((space) => !codeSpaces.includes(space) && !space.startsWith('read_only')),
      code: kbOf((space) => codeSpaces.includes(space)),
    }
  })
