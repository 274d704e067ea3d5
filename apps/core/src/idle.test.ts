// Connections that nobody uses end by themselves; real sockets, with short times.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestFleet, type TestFleet } from './testing/fleet.ts'
import { until } from './testing/wait.ts'

describe('a connection that nobody uses', () => {
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

  async function dial(text = ''): Promise<{ socket: Socket; heard: () => string }> {
    const socket = connect(Number(new URL(fleet.url).port), '127.0.0.1')
    sockets.push(socket)
    let heard = ''
    socket.on('data', (data) => {
      heard += String(data)
    })
    await once(socket, 'connect')
    socket.write(text)
    return { socket, heard: () => heard }
  }

  it('ends when it never sends a request', async () => {
    const { socket } = await dial()
    await until(() => socket.destroyed || socket.readableEnded)
  })

  it('ends when it begins a request and never ends its head', async () => {
    const { socket } = await dial('GET /healthz HTTP/1.1\r\nhost: core\r\n')
    await until(() => socket.destroyed || socket.readableEnded)
  })

  it('ends when no further request comes', async () => {
    const { socket, heard } = await dial('GET /healthz HTTP/1.1\r\nhost: core\r\n\r\n')
    await until(() => socket.destroyed || socket.readableEnded)
    expect(heard()).toMatch(/^HTTP\/1.1 200/)
  })

  it('ends when its upgrade was refused and it does not hang up', async () => {
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
      await new Promise((resolve) => setTimeout(resolve, 50))
      now = await connections()
    }
    expect(now).toBe(before)
  })

  const connections = () =>
    new Promise<number>((resolve) => {
      fleet.core.api.app.server.getConnections((_, count) => resolve(count))
    })

  it('ends at the push door when it follows nothing, and stays when it follows something', async () => {
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
