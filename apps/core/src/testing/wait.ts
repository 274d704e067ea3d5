// Waiting in tests: for core to have read what was sent, for a condition, and for a moment.
import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'

/** Ends once core has read all that was sent on the socket before, or the socket is closed; immediately if it does not read it. */
export async function flushed(socket: WebSocket): Promise<void> {
  if (socket.readyState !== WebSocket.OPEN || socket.isPaused) return
  const mark = randomUUID()
  await new Promise<void>((resolve) => {
    const end = () => {
      socket.off('pong', onPong).off('close', end)
      resolve()
    }
    const onPong = (data: Buffer) => {
      if (String(data) === mark) end()
    }
    socket.on('pong', onPong).on('close', end).ping(mark)
  })
}

/** Gives sockets and database threads a moment. */
export const pause = (ms = 15): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const timeoutMs = 60_000

export async function until(isTrue: () => boolean): Promise<void> {
  const endMs = Date.now() + timeoutMs
  while (!isTrue()) {
    if (Date.now() > endMs) throw new Error(`Still false: ${isTrue.toString().slice(0, 200)}`)
    await pause(5)
  }
}
