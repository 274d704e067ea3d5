/** Reads the memory of programs and pages by the DevTools protocol, on a connection that is closed again. */
import { WebSocket } from 'ws'

interface Command {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** Sends the commands one after the other; the result of the last. Rejects when one is refused. */
export async function askOnce<Result>(address: string, commands: readonly Command[]): Promise<Result> {
  const socket = new WebSocket(address)
  try {
    return await new Promise<Result>((resolve, reject) => {
      const ask = (id: number) => socket.send(JSON.stringify({ id, ...commands[id] }))
      socket.on('open', () => ask(0))
      socket.on('message', (bytes) => {
        const answer = JSON.parse(String(bytes)) as {
          id?: number
          result: Result
          error?: { message: string }
        }
        if (answer.id === undefined) return
        if (answer.error) reject(new Error(answer.error.message))
        else if (answer.id === commands.length - 1) resolve(answer.result)
        else ask(answer.id + 1)
      })
      socket.on('error', reject)
    })
  } finally {
    socket.close()
  }
}

/** Garbage is collected first, so that only referenced memory is counted. */
export async function heapKb(address: string): Promise<number> {
  const { usedSize } = await askOnce<{ usedSize: number }>(address, [
    { method: 'HeapProfiler.collectGarbage' },
    { method: 'Runtime.getHeapUsage' },
  ])
  return Math.round(usedSize / 1024)
}
