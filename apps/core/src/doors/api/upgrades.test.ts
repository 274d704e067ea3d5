import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUpgrades, type Upgrades } from './upgrades.ts'

let server: Server
let upgrades: Upgrades
beforeEach(async () => {
  server = createServer()
  upgrades = createUpgrades(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => server.close())

async function upgrade(path: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`)
  let text = ''
  for await (const part of socket) text += part
  return text
}

it('passes an upgrade to the handler of its path, regardless of its query', async () => {
  upgrades.on('/gateway', (request, socket) => socket.end(`owner of ${request.url}`))
  expect(await upgrade('/gateway?device=1')).toBe('owner of /gateway?device=1')
})

it('refuses an upgrade without a handler', async () => {
  upgrades.on('/gateway', (_, socket) => socket.end('owner'))
  expect(await upgrade('/gateway/else')).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
})
