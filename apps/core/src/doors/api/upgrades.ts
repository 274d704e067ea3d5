// Passes each WebSocket upgrade to the door with its path; any other is refused.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface Upgrades {
  /** `path` is compared whole, without the query. */
  on(path: string, handler: UpgradeHandler): void
  /** Handles paths that name an object; they are checked after all whole paths. */
  onMatch(pattern: RegExp, handler: UpgradeHandler): void
}

export function createUpgrades(server: Server): Upgrades {
  const handlers = new Map<string, UpgradeHandler>()
  const matchers: [RegExp, UpgradeHandler][] = []
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = request.url?.split('?')[0] ?? ''
    const handler = handlers.get(path) ?? matchers.find(([pattern]) => pattern.test(path))?.[1]
    if (handler) handler(request, socket, head)
    else refuseUpgrade(socket, 404, 'Not Found')
  })
  return {
    on: (path, handler) => void handlers.set(path, handler),
    onMatch: (pattern, handler) => void matchers.push([pattern, handler]),
  }
}

/** Answers an upgrade with a plain HTTP refusal and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number, reason: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  // The other side may never close its end.
  const timer = setTimeout(() => socket.destroy(), 2000).unref()
  socket.once('close', () => clearTimeout(timer))
}
