import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { readCoreSettings } from '../../settings.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('details of a user on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let door: Server
  let nora: Browser
  let root: Browser
  beforeAll(async () => {
    const { ice } = readCoreSettings({
      NODE_ENV: 'test',
      BACKHAUL_STUN_URLS: 'stun:stun.example:3478',
      BACKHAUL_TURN_URLS: 'turn:turn.example:3478',
      BACKHAUL_TURN_SECRET: 's'.repeat(32),
    })
    fleet = await createTestFleet(engine, { ice })
    hub = await fleet.server('MCR', 1)
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    door = createServer((request, response) => {
      request.resume()
      request.on('end', () => response.end('answer'))
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await fleet.remove()
    await new Promise((resolve) => door.close(resolve))
  })

  const idOf = (username: string) => `us-${username}`
  const of = (username: string, browser = root) =>
    browser.call(api.userDetails.ofUser, { params: { id: idOf(username) } })
  const reportAudio = (audioSessions: string[]) =>
    hub.send({
      type: 'serverTelemetry',
      ts: 1,
      channels: [],
      audioSessions,
      usage: { cpuPercent: 1, memoryPercent: 1, storagePercent: 1 },
    })

  it("[USER-001] names the groups and customers whose live state reaches the user, within the caller's scope", async () => {
    const covers = async (username: string, browser = root) => {
      const { groupSubscriptions, inventorySubscriptions } = await of(username, browser)
      return [groupSubscriptions.toSorted(), inventorySubscriptions.toSorted()]
    }
    // An operator follows their groups, an administrator every group of their customers.
    const olivia = await fleet.signedIn('olivia')
    const follower = await fleet.follow(olivia, ['group.london', 'group.leeds'])
    await until(() => follower.messages.some(({ topic }) => topic === 'group.london'))
    expect(await covers('olivia')).toEqual([['london'], ['north']])
    expect(follower.messages.some(({ topic }) => topic === 'group.leeds')).toBe(false)
    expect(await covers('nora')).toEqual([['leeds', 'london'], ['north']])
    expect((await covers('root'))[0]).toEqual(expect.arrayContaining(['cairo', 'leeds', 'london']))
    expect((await covers('root', root))[1]).toEqual(expect.arrayContaining(['north', 'south']))
    await root.call(api.users.change, {
      params: { id: idOf('olivia') },
      body: { groups: ['london', 'leeds'] },
    })
    expect(await covers('olivia', nora)).toEqual([['leeds', 'london'], ['north']])
    await root.call(api.users.change, { params: { id: idOf('olivia') }, body: { active: false } })
    expect(await covers('olivia')).toEqual([[], []])
    await root.call(api.users.change, { params: { id: idOf('olivia') }, body: { active: true } })
    await expect(of('sam', nora)).rejects.toMatchObject({ status: 404 })
    await expect(of('nora', await fleet.signedIn('olivia'))).rejects.toMatchObject({ status: 403 })
  })

  it("[USER-001] names the relays that the user's browser is given, without their secrets", async () => {
    const { stunTurnInfo } = await of('olivia')
    expect(stunTurnInfo).toEqual({
      iceServers: [{ urls: ['stun:stun.example:3478'] }, { urls: ['turn:turn.example:3478'] }],
    })
    const olivia = await fleet.signedIn('olivia')
    const answer = await olivia.call(api.channels.stunTurn, { query: { identifier: 'North Broadcasting' } })
    expect(answer.iceServers.map(({ urls }) => urls)).toEqual(stunTurnInfo.iceServers.map(({ urls }) => urls))
    expect(answer.iceServers[1]?.credential).toEqual(expect.any(String))
  })

  it('[USER-001] shows whether the user is in an audio room, and in which', async () => {
    hub.report({
      capabilities: {
        protocolsIn: [],
        protocolsOut: [],
        encoders: [],
        ffmpegVersion: null,
        audioRooms: true,
      },
      previewPort: (door.address() as AddressInfo).port,
    })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.previewPort != null)
    expect(await of('nora')).toMatchObject({ IFBStatus: 'off', audioRoom: null })
    const { id } = await root.call(api.audioRooms.create, {
      params: { id: 'north' },
      body: { name: 'Studio 1' },
    })
    const room = { id: 'north', room: id }
    const { session } = await nora.call(api.audioRooms.join, { params: room, body: { sdp: 'v=0' } })
    expect(await of('nora', nora)).toMatchObject({ IFBStatus: 'connecting', audioRoom: 'Studio 1' })
    reportAudio([session])
    await until(() => fleet.core.audioRooms.connect.presenceOf(idOf('nora'))?.status === 'connected')
    expect(await of('nora')).toMatchObject({ IFBStatus: 'connected', audioRoom: 'Studio 1' })
    expect(await of('olivia')).toMatchObject({ IFBStatus: 'off' })
    await nora.call(api.audioRooms.leave, { params: room, query: { session } })
    expect(await of('nora')).toMatchObject({ IFBStatus: 'off', audioRoom: null })
  })
  it("[USER-001] names the features that the user's customers have", async () => {
    const features = async () => (await nora.call(api.users.one, { params: { id: idOf('olivia') } })).features
    const own = async () => (await (await fleet.signedIn('olivia')).call(api.client.currentUser, {})).features
    const before = await features()
    expect(before).not.toContain('ExternalPreview')
    const params = { id: 'north', name: 'externalPreview' as const }
    await root.call(api.inventories.setProperty, { params, body: { value: true } })
    expect(await features()).toEqual([...before, 'ExternalPreview'].toSorted())
    expect(await own()).toEqual(await features())
    const { items } = await root.call(api.users.list, { query: { search: 'sam' } })
    expect(items.map((user) => user.features)).toEqual([before])
  })
})
