// Unused connections are closed; real sockets, with short times.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestFleet, type TestFleet } from './testing/fleet.ts'
import { pause, until } from './testing/wait.ts'

describe('an unused connection', () => {
  let fleet: TestFleet
  const sockets: Socket[] = []
  beforeEach(async () => {
    const idle = { headersMs: 300, checkMs: 100, keepAliveMs: 300, subscribeMs: 60_000 }
    fleet = await createTestFleet('sqlite', { idle })
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await fleet.remove()
  })

  async function dial(text = ''): Promise<{ socket: Socket; flushed: () => string }> {
    const socket = connect(Number(new URL(fleet.url).port), '127.0.0.1')
    sockets.push(socket)
    let flushed = ''
    socket.on('data', (data) => {
      flushed += String(data)
    })
    await once(socket, 'connect')
    socket.write(text)
    return { socket, flushed: () => flushed }
  }

  it('is closed when it never sends a request', async () => {
    const { socket } = await dial()
    await until(() => socket.destroyed || socket.readableEnded)
  })

  it('is closed when it never ends the head of a request', async () => {
    const { socket } = await dial('GET /healthz HTTP/1.1\r\nhost: core\r\n')
    await until(() => socket.destroyed || socket.readableEnded)
  })

  it('is closed when no further request comes', async () => {
    const { socket, flushed } = await dial('GET /healthz HTTP/1.1\r\nhost: core\r\n\r\n')
    await until(() => socket.destroyed || socket.readableEnded)
    expect(flushed()).toMatch(/^HTTP\/1.1 200/)
  })

  it('is closed when its upgrade was refused and the client leaves it open', async () => {
    const head = 'GET /nowhere HTTP/1.1\r\nhost: core\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
    const before = await connections()
    const port = Number(new URL(fleet.url).port)
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(head)
    await once(socket.resume(), 'end')
    let now = await connections()
    for (let tries = 0; tries < 200 && now > before; tries++) {
      await pause(50)
      now = await connections()
    }
    expect(now).toBe(before)
  })

  const connections = () =>
    new Promise<number>((resolve) => {
      fleet.core.api.app.server.getConnections((_, count) => resolve(count))
    })

  it('is closed at the push door when it follows nothing, and kept when it follows a topic', async () => {
    await fleet.unit('FOLLOWED')
    const olivia = await fleet.signedIn('olivia')
    const [idle, used] = [await fleet.follow(olivia), await fleet.follow(olivia, ['group.london'])]
    await used.sees('group.london', {})
    fleet.clock.stepWall(24 * 3_600_000)
    await fleet.pass(50_000)
    fleet.clock.stepWall(-48 * 3_600_000)
    expect(idle.closed).toBeUndefined()
    await fleet.pass(40_000)
    await until(() => idle.closed !== undefined)
    expect([idle.closed, used.closed]).toEqual([4408, undefined])
  })
})
