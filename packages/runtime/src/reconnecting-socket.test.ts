import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createTestClock } from './clock.ts'
import {
  createReconnectingSocket,
  type ReconnectingSocket,
  redialDelayMs,
  type SocketClosed,
} from './reconnecting-socket.ts'

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

async function serve(options: { port?: number; autoPong?: boolean; verifyClient?: () => boolean } = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options })
  await once(server, 'listening')
  cleanUps.push(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}

/** Events of the socket as a queue that a test waits on. */
function dialTo(urlOf: () => string, token: () => string = () => 'one') {
  const clock = createTestClock()
  const events: (string | SocketClosed)[] = []
  let wake = () => {}
  const push = (event: string | SocketClosed) => {
    events.push(event)
    wake()
  }
  const socket: ReconnectingSocket = createReconnectingSocket({
    dial: () => ({ url: urlOf(), headers: { authorization: `Bearer ${token()}` } }),
    onOpen: () => push('open'),
    onMessage: (text) => push(text),
    onClose: push,
    clock,
    random: () => 0,
    maxPayloadBytes: 1000,
  })
  cleanUps.push(() => socket.close())
  const next = async () => {
    while (events.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return events.shift()
  }
  return { socket, clock, next }
}

test('the delay doubles from 1 s to 10 s and half of it is random', () => {
  expect([1, 2, 3, 4, 5, 6, 60].map((failures) => redialDelayMs(failures, 0))).toEqual([
    1000, 2000, 4000, 8000, 10_000, 10_000, 10_000,
  ])
  expect(redialDelayMs(1, 1)).toBe(500)
})

test('messages pass both ways and a lost connection is dialled again with the newest token', async () => {
  const { server, port } = await serve()
  const tokens: (string | undefined)[] = []
  server.on('connection', (peer: WebSocket, request) => {
    tokens.push(request.headers.authorization)
    peer.on('message', (data) => peer.send(`echo ${data}`))
  })
  let token = 'one'
  const { socket, clock, next } = dialTo(
    () => `ws://127.0.0.1:${port}`,
    () => token,
  )
  expect(socket.send({ early: true })).toBe(false)
  expect(await next()).toBe('open')
  expect(socket.send({ a: 1 })).toBe(true)
  expect(await next()).toBe('echo {"a":1}')
  token = 'two'
  for (const client of server.clients) client.close(4001, 'go away')
  expect(await next()).toEqual({ code: 4001, reason: 'go away' })
  expect(socket.isOpen()).toBe(false)
  await clock.advanceAsync(1000)
  expect(await next()).toBe('open')
  expect(tokens).toEqual(['Bearer one', 'Bearer two'])
})

test('a refused upgrade reports the HTTP status and is retried', async () => {
  let allowed = false
  const { port } = await serve({ verifyClient: () => allowed })
  const { clock, next } = dialTo(() => `ws://127.0.0.1:${port}`)
  expect(await next()).toMatchObject({ code: 1006, httpStatus: 401, reason: 'the server answered 401' })
  allowed = true
  await clock.advanceAsync(1000)
  expect(await next()).toBe('open')
})

test('a server that answers no ping is given up after two misses', async () => {
  const { port } = await serve({ autoPong: false })
  const { clock, next } = dialTo(() => `ws://127.0.0.1:${port}`)
  expect(await next()).toBe('open')
  await clock.advanceAsync(45_000)
  expect(await next()).toMatchObject({ code: 1006, reason: 'no answer to 2 pings' })
})

test('a message above the limit closes the connection', async () => {
  const { server, port } = await serve()
  server.on('connection', (peer) => peer.send('x'.repeat(1001)))
  const { next } = dialTo(() => `ws://127.0.0.1:${port}`)
  expect(await next()).toBe('open')
  expect(await next()).toMatchObject({ code: 1006, reason: 'Max payload size exceeded' })
})

test('an address that cannot be dialled is reported and retried', async () => {
  let url = 'ws://127.0.0.1:1'
  const { port } = await serve()
  const { clock, next } = dialTo(() => url)
  expect(await next()).toMatchObject({ code: 1006 })
  url = `ws://127.0.0.1:${port}`
  await clock.advanceAsync(1000)
  expect(await next()).toBe('open')
})

test('after close nothing is dialled any more', async () => {
  const { server, port } = await serve()
  const { socket, clock, next } = dialTo(() => `ws://127.0.0.1:${port}`)
  expect(await next()).toBe('open')
  const [peer] = [...server.clients]
  socket.close()
  await once(peer!, 'close')
  await clock.advanceAsync(60_000)
  expect(server.clients.size).toBe(0)
  expect(clock.pendingCount()).toBe(0)
})
