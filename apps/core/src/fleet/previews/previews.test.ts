// Previews between a browser and a small HTTP server in place of the server's picture door.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { decodeWallStill, encodeWallStill } from '@backhaul/contract/nouns/previews'
import { isSigned } from '@backhaul/runtime/signed-requests'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createTestFleet, dialCore, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'

describe('previews', () => {
  let fleet: TestFleet
  let hub: TestDevice
  let channelId: string
  let door: Server
  /** Requests at the door; each unsigned one is marked. */
  let requests: string[]
  beforeEach(async () => {
    fleet = await createTestFleet('sqlite')
    hub = await fleet.server('MCR', 2)
    channelId = hub.channelIds[0] as string
    requests = []
    door = await openDoor(requests, () => hub)
    hub.report({ previewPort: (door.address() as AddressInfo).port, loops: ['loop-1'] })
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channelId).length > 0)
    await until(() => fleet.core.servers.memory(hub.id)?.actual.previewPort != null)
  })
  afterEach(async () => {
    await fleet.remove()
    door.closeAllConnections()
    door.close()
  })

  async function browse(username: string) {
    const browser = await fleet.signedIn(username)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return {
      get: (path: string, init: RequestInit = {}) =>
        fetch(fleet.url + path, { ...init, headers: { cookie, ...(init.headers as object) } }),
      open: (path: string) => new WebSocket(fleet.url.replace('http', 'ws') + path, { headers: { cookie } }),
      browser,
    }
  }

  it('pass a still on only to those who may see the channel', async () => {
    const olivia = await browse('olivia')
    const still = await olivia.get(`/preview/${channelId}/still.jpg`)
    expect([still.status, still.headers.get('content-type'), still.headers.get('x-still-time')]).toEqual([
      200,
      'image/jpeg',
      '1234',
    ])
    expect(await still.text()).toBe(`still of ${channelId}`)
    expect(requests).toEqual([`GET /channels/${channelId}/still.jpg`])
    expect((await fetch(`${fleet.url}/preview/${channelId}/still.jpg`)).status).toBe(401)
    expect((await (await browse('sam')).get(`/preview/${channelId}/still.jpg`)).status).toBe(404)
    expect(requests).toHaveLength(1)
  })

  it('are signed for the server that shows them, with a key that no other server gets', async () => {
    const other = await fleet.server('Spare', 1)
    const olivia = await browse('olivia')
    await olivia.get(`/preview/${channelId}/still.jpg`)
    const welcome = other.newest('welcome')
    expect(welcome?.previewKey).toMatch(/^[\w-]{43}$/)
    expect(welcome?.previewKey).not.toBe(hub.newest('welcome')?.previewKey)
    // A request for a picture that another server claims at this address is signed with that server's key, which is not valid here.
    other.report({ previewPort: (door.address() as AddressInfo).port })
    const ofOther = other.channelIds[0] as string
    await until(() => fleet.core.devices.memberships.groupsOf('channel', ofOther).length > 0)
    await until(() => fleet.core.servers.memory(other.id)?.actual.previewPort != null)
    await olivia.get(`/preview/${ofOther}/still.jpg`)
    expect(requests).toEqual([
      `GET /channels/${channelId}/still.jpg`,
      `GET /channels/${ofOther}/still.jpg unsigned`,
    ])
  })

  it('answer the reason when the server does not answer or is gone', async () => {
    const olivia = await browse('olivia')
    door.closeAllConnections()
    door.close()
    const silent = await olivia.get(`/preview/${channelId}/still.jpg`)
    expect([silent.status, ((await silent.json()) as { message: string }).message]).toEqual([
      503,
      'The server of this channel does not answer.',
    ])
    hub.socket.close()
    await until(() => !fleet.core.servers.isOnline(hub.id))
    const gone = await olivia.get(`/preview/${channelId}/still.jpg`)
    expect([gone.status, ((await gone.json()) as { message: string }).message]).toEqual([
      503,
      'The server of this channel is not connected.',
    ])
  })

  it('are requested from a server behind a proxy itself, never from the proxy in its name', async () => {
    const proxied = { 'x-forwarded-for': '169.254.169.254, 203.0.113.9' }
    const dialled = await dialCore(fleet.url, undefined, proxied)
    const far = await dialled.join('server', 'Far', 'key-london', 1)
    expect(fleet.core.devices.get(far.id)?.address).toBe('203.0.113.9')
    expect(fleet.core.devices.get(hub.id)?.address).toBe('127.0.0.1')
    dialled.socket.close()
  })

  it('follow no redirect of a server to another address', async () => {
    const olivia = await browse('olivia')
    const elsewhere: string[] = []
    door.removeAllListeners('request')
    door.on('request', (request, response) => {
      elsewhere.push(request.url ?? '')
      response.writeHead(302, { location: '/inside' })
      response.end()
    })
    expect((await olivia.get(`/preview/${channelId}/still.jpg`)).status).toBe(503)
    expect(elsewhere).toEqual([`/channels/${channelId}/still.jpg`])
  })

  it('open and close WebRTC sessions separately', async () => {
    const olivia = await browse('olivia')
    const offer = { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: 'v=0 offer' }
    const answer = await olivia.get(`/preview/${channelId}/whep`, offer)
    expect([answer.status, await answer.text()]).toEqual([201, 'answer to v=0 offer'])
    const location = answer.headers.get('location') as string
    expect(location).toBe(`/preview/${channelId}/whep/session-1`)
    expect((await (await browse('nora')).get(location, { method: 'DELETE' })).status).toBe(404)
    expect((await olivia.get(location, { method: 'DELETE' })).status).toBe(200)
    expect(requests.at(-1)).toBe(`DELETE /channels/${channelId}/whep/session-1`)
  })

  it('end with the right to see them, in every form', async () => {
    const offer = { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: 'v=0 offer' }
    const end = `DELETE /channels/${channelId}/whep/session-1`
    const watch = async (username: string) => {
      const person = await browse(username)
      await person.get(`/preview/${channelId}/whep`, offer)
      const socket = person.open(`/preview/${channelId}/stream`)
      await new Promise((resolve) => socket.once('message', resolve))
      requests.length = 0
      return { person, isCut: () => socket.readyState === socket.CLOSED && requests.includes(end) }
    }
    const nora = await fleet.signedIn('nora')
    const first = await watch('olivia')
    await nora.call(api.users.change, { params: { id: 'us-olivia' }, body: { groups: ['leeds'] } })
    await until(first.isCut)
    const second = await watch('reed')
    await second.person.browser.call(api.signIns.signOut, {})
    await until(second.isCut)
    const third = await watch('reed')
    const inGroup = { groupId: 'london', channelId }
    await nora.call(api.groupAdministration.removeChannel, { params: inGroup })
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channelId).length === 0)
    await fleet.pass(2100)
    await until(third.isCut)
  })

  it('open no session for a user whose right ends while the server answers', async () => {
    const olivia = await browse('olivia')
    const nora = await fleet.signedIn('nora')
    door.removeAllListeners('request')
    door.on('request', (request, response) => {
      requests.push(`${request.method} ${request.url}`)
      const answer = () => response.writeHead(201, { location: 'whep/session-7' }).end('answer')
      if (request.method === 'DELETE') return void response.end()
      const change = { params: { id: 'us-olivia' }, body: { groups: ['leeds'] } }
      nora.call(api.users.change, change).then(answer, answer)
    })
    const offer = { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: 'v=0 offer' }
    expect((await olivia.get(`/preview/${channelId}/whep`, offer)).status).toBe(404)
    expect(requests.at(-1)).toBe(`DELETE /channels/${channelId}/whep/session-7`)
  })

  it('connect a stream after the admission, without the cookie, and cut it when the sign-in ends', async () => {
    const olivia = await browse('olivia')
    const socket = olivia.open(`/preview/${channelId}/stream`)
    const received: string[] = []
    let isClosed = false
    socket.on('message', (data) => received.push(String(data)))
    socket.on('close', () => {
      isClosed = true
    })
    socket.on('error', () => {})
    await until(() => received.length > 0)
    expect(received[0]).toBe(`stream of ${channelId}`)
    expect(requests).toEqual([`GET /channels/${channelId}/stream`])
    await olivia.browser.send({
      method: 'POST',
      url: '/logout',
      headers: { 'x-csrf-token': olivia.browser.cookies.get('backhaul_csrf') ?? '' },
    })
    await until(() => isClosed)
    const refused = (await browse('sam')).open(`/preview/${channelId}/stream`)
    let status = 0
    refused.on('unexpected-response', (_, response) => {
      status = response.statusCode ?? 0
    })
    refused.on('error', () => {})
    await until(() => status === 404)
  })

  it('[GROUP-009] are closed for a customer whose previews are switched off', async () => {
    const switched = (value: boolean) => fleet.core.inventories.setProperty('north', 'mjpegPreview', value)
    const olivia = await browse('olivia')
    const stills: string[] = []
    const wall = olivia.open('/preview/wall')
    wall.on('message', (data) => stills.push(decodeWallStill(data as Buffer)?.channelId ?? ''))
    await new Promise((resolve) => wall.once('open', resolve))
    await switched(false)
    wall.send(JSON.stringify({ watch: [channelId] }))
    const offer = { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: 'v=0 offer' }
    for (const answer of [
      await olivia.get(`/preview/${channelId}/still.jpg`),
      await olivia.get(`/preview/${channelId}/whep`, offer),
    ]) {
      expect(answer.status).toBe(409)
      expect(await answer.json()).toMatchObject({ message: 'Feature disabled' })
    }
    const stream = olivia.open(`/preview/${channelId}/stream`)
    let status = 0
    stream.on('unexpected-response', (_, response) => {
      status = response.statusCode ?? 0
    })
    stream.on('error', () => {})
    await until(() => status === 403)
    expect([requests, stills]).toEqual([[], []])
    // Within the time for which the answer is cached, and at the wall's next poll.
    await switched(true)
    await fleet.pass(4100)
    await until(() => stills.length > 0)
    expect((await olivia.get(`/preview/${channelId}/still.jpg`)).status).toBe(200)
  })

  it('build the wall from the channels themselves and from the loop that is shown for another', async () => {
    const second = hub.channelIds[1] as string
    hub.telemetry([{ channelId: second, status: 'collecting', previewOf: 'loop-1' }])
    await until(() => fleet.core.channels.telemetry(second)?.previewOf === 'loop-1')
    const socket = (await browse('olivia')).open('/preview/wall')
    const stills = new Map<string, string>()
    socket.on('message', (data) => {
      const still = decodeWallStill(data as Buffer)
      if (still) stills.set(still.channelId, Buffer.from(still.jpeg).toString())
    })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ watch: [channelId, second, 'ch-unknown'] }))
    await until(() => stills.size === 2)
    expect(stills.get(channelId)).toBe(`still of ${channelId}`)
    expect(stills.get(second)).toBe('still of loop-1')
    let code = 0
    socket.on('close', (closed) => {
      code = closed
    })
    socket.send('not JSON')
    await until(() => code === 1007)
  })
})

/** Signed with the key that this server got at its welcome. */
function isFor(server: TestDevice, { method = '', url: path = '', headers }: IncomingMessage): boolean {
  const { previewKey = '', serverTime = 0 } = server.newest('welcome') ?? {}
  return isSigned(previewKey, { method, path }, serverTime, String(headers['x-backhaul-signature']))
}

/** A server's picture door like that of the hub. */
async function openDoor(requests: string[], owner: () => TestDevice): Promise<Server> {
  const sockets = new WebSocketServer({ noServer: true })
  const nameIn = (url = '') => decodeURIComponent(url.split('/')[2] ?? '')
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}${isFor(owner(), request) ? '' : ' unsigned'}`)
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'image/jpeg', 'x-still-time': '1234' })
      response.end(`still of ${nameIn(request.url)}`)
      return
    }
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      const isOffer = request.method === 'POST'
      response.writeHead(isOffer ? 201 : 200, isOffer ? { location: 'whep/session-1' } : {})
      response.end(isOffer ? `answer to ${body}` : '')
    })
  })
  server.on('upgrade', (request, socket, head) => {
    const mark = isFor(owner(), request) ? '' : ' unsigned'
    requests.push(`GET ${request.url}${mark}${request.headers.cookie ?? ''}`)
    sockets.handleUpgrade(request, socket, head, (ws) => {
      if (request.url !== '/wall') return ws.send(`stream of ${nameIn(request.url)}`)
      ws.on('message', (data) => {
        for (const name of (JSON.parse(String(data)) as { watch: string[] }).watch)
          ws.send(encodeWallStill({ channelId: name, timeMs: 1, jpeg: Buffer.from(`still of ${name}`) }))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
