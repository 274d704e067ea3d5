import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api as contract } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { audioRooms: calls, inventories } = contract

describe.each(enginesOfNight)('audio rooms on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let root: Browser
  let hub: TestDevice
  let unit: TestDevice
  let foreign: TestDevice
  let door: Server
  /** Requests at the server for audio rooms, and its answers. */
  const requests: string[] = []
  let status = 201
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    hub = await fleet.server('MCR', 1)
    unit = await fleet.unit('U-1')
    foreign = await fleet.unit('U-2', { registrationKey: 'key-cairo' })
    door = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      response.writeHead(request.method === 'DELETE' ? 200 : status).end('answer of the server')
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    hub.report({ interfaces: [{ id: 'ifb-1', kind: 'ifb', name: 'IFB 1' }] })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.interfaces !== undefined)
  })
  afterAll(async () => {
    door.closeAllConnections()
    door.close()
    await fleet.remove()
  })

  const north = { id: 'north' }
  const create = (name: string, more: object = {}) =>
    nora.call(calls.create, { params: north, body: { name, ...more } })
  const change = (room: string, body: object) => nora.call(calls.change, { params: { ...north, room }, body })
  const remove = (room: string) => nora.call(calls.remove, { params: { ...north, room } })
  const list = (query: object = {}) => nora.call(calls.list, { params: north, query })
  const join = (browser: Browser, room: string, echo = false) =>
    browser.call(calls.join, { params: { ...north, room }, body: { sdp: 'v=0', echo } })
  const leave = (browser: Browser, room: string, session: string) =>
    browser.call(calls.leave, { params: { ...north, room }, query: { session } })

  it('[COMM-005] rooms of a customer are added, listed a hundred at a time, counted, changed and removed', async () => {
    const belongings = { interfaces: [`${hub.id}:ifb-1`], units: [unit.id], channels: [...hub.channelIds] }
    const studio = await create(' Studio 1 ', { description: 'Director and crews', ...belongings })
    expect(studio).toEqual({
      id: expect.stringMatching(/^ar-/),
      inventory: 'north',
      name: 'Studio 1',
      description: 'Director and crews',
      ...belongings,
      participants: [],
    })
    const van = await create('Van')
    expect(await list()).toEqual({ items: [studio, van], total: 2, offset: 0, limit: 100 })
    expect((await list({ search: 'VAN' })).items).toEqual([van])
    expect((await list({ sort: 'name,desc', limit: 1 })).items).toEqual([van])
    expect(await nora.call(calls.count, { params: north })).toEqual({ count: 2 })
    const taken = { code: 409, fields: [fault('name', 'name.notUnique')] }
    await expect(create('Van')).rejects.toMatchObject(taken)
    await expect(change(van.id, { name: 'Studio 1' })).rejects.toMatchObject(taken)
    expect(await change(van.id, { description: 'On the road', units: [unit.id] })).toEqual({
      ...van,
      description: 'On the road',
      units: [unit.id],
    })
    await expect(create(' ')).rejects.toMatchObject({ code: 400 })
    for (const [body, message] of [
      [{ units: [foreign.id] }, 'Unit not found.'],
      [{ channels: ['nowhere'] }, 'Channel not found.'],
      [{ interfaces: [`${hub.id}:ifb-9`] }, 'IFB not found.'],
    ] as const)
      await expect(change(van.id, body)).rejects.toMatchObject({ code: 404, message })
    for (const { id } of [studio, van]) expect(await remove(id)).toEqual({ done: true })
    await expect(remove(van.id)).rejects.toMatchObject({ code: 404, message: 'Audio room not found.' })
    const olivia = await fleet.signedIn('olivia')
    await expect(olivia.call(calls.list, { params: north, query: {} })).rejects.toMatchObject({ code: 403 })
  })

  it('[INV-001] [COMM-005] [COMM-006] a room with a participant cannot be removed, nor its inventory, until they leave', async () => {
    const { id } = await create('Studio 1')
    await expect(join(nora, id)).rejects.toMatchObject({
      code: 503,
      message: 'No server of the inventory supports audio rooms.',
    })
    const capabilities = { protocolsIn: [], protocolsOut: [], encoders: [], ffmpegVersion: null }
    hub.report({
      capabilities: { ...capabilities, audioRooms: true },
      previewPort: (door.address() as AddressInfo).port,
    })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.previewPort != null)
    const joined = await join(nora, id, true)
    expect(joined).toEqual({ session: expect.any(String), sdp: 'answer of the server' })
    expect(requests).toEqual([`POST /rooms/${id}/${joined.session}?echo`])
    await join(root, id)
    expect((await list()).items[0]?.participants).toEqual(['nora', 'root'])
    await expect(remove(id)).rejects.toMatchObject({
      code: 409,
      message: 'Audio room in use cannot be deleted.',
    })
    await expect(root.call(inventories.remove, { params: north })).rejects.toMatchObject({
      code: 409,
      message: 'Inventory with active overlay or audio room session cannot be deleted.',
    })
    await expect(leave(root, id, joined.session)).rejects.toMatchObject({ message: 'Session not found.' })
    expect(await leave(nora, id, joined.session)).toEqual({ done: true })
    expect(requests.at(-1)).toBe(`DELETE /rooms/${id}/${joined.session}`)
    expect((await list()).items[0]?.participants).toEqual(['root'])
    // A participant that the server no longer reports has left.
    await fleet.clock.advanceAsync(6000)
    hub.send({
      type: 'serverTelemetry',
      ts: 1,
      channels: [],
      audioSessions: [],
      usage: { cpuPercent: 1, memoryPercent: 1, storagePercent: 1 },
    })
    await until(() => fleet.core.audioRooms.connect.participantsOf(id).length === 0)
    // A user who signs out leaves the room.
    const guest = await fleet.signedIn('nora')
    const { session } = await join(guest, id)
    await guest.call(contract.signIns.signOut, {})
    await until(() => requests.at(-1) === `DELETE /rooms/${id}/${session}`)
    status = 409
    await expect(join(nora, id)).rejects.toMatchObject({ code: 409, message: 'The room is full.' })
    status = 400
    await expect(join(nora, id)).rejects.toMatchObject({ code: 400, fields: [{ field: 'sdp' }] })
    status = 201
    await join(nora, id)
    hub.socket.close()
    await until(() => fleet.core.audioRooms.connect.participantsOf(id).length === 0)
    await remove(id)
  })
})
