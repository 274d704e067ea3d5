// The servers of a group through the doors: what the list of units shows of them, and to whom; who is notified of changes.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { servers: calls, deviceAdministration } = api

describe.each(enginesOfNight)('servers of a group on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let olivia: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    await fleet.server('Leeds', 1, { registrationKey: 'key-leeds' })
    await fleet.server('Cairo', 1, { registrationKey: 'key-cairo' })
    await fleet.pass()
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const listed = (group = 'london', by = olivia) => by.call(calls.ofGroup, { params: { id: group } })
  const namesOf = async (group: string, by: Browser) => (await listed(group, by)).map(({ name }) => name)
  const change = (groups: string[], id = hub.id) =>
    nora.call(deviceAdministration.changeServer, { params: { id }, body: { groups } })
  const notFound = { status: 404 }

  it('[UNIT-001] are listed with name, product, state, version and the channels that they use', async () => {
    const [channelId = ''] = hub.channelIds
    const [server] = await listed()
    expect(server).toEqual({
      deviceId: hub.id,
      type: 'mmh_server',
      name: 'MCR',
      serialNumber: 'sn-MCR',
      comment: '',
      productType: 'MMH Server',
      state: 'online',
      applications: {},
      swVersion: '10.1.0',
      reportedAt: expect.any(Number),
      reportIntervalMs: 1000,
      rev: expect.any(String),
    })
    const follower = await fleet.follow(olivia)
    follower.subscribe([`server.${hub.id}`], { [`server.${hub.id}`]: server?.rev ?? '' })
    hub.telemetry([{ channelId, status: 'collecting', recording: true }])
    await fleet.pass()
    const applications = { collecting: { channels: [channelId] }, recording: { channels: [channelId] } }
    await follower.sees(`server.${hub.id}`, { applications })
    expect(await listed()).toMatchObject([{ applications }])
    hub.socket.close()
    await fleet.pass()
    await follower.sees(`server.${hub.id}`, { state: 'offline', applications: {} })
    expect(await listed()).toMatchObject([{ name: 'MCR', state: 'offline' }])
  })

  it('[UNIT-001] are shown to users whose scope contains the group, with those of their groups that contain them', async () => {
    expect(await namesOf('leeds', nora)).toEqual(['Leeds'])
    expect(await namesOf('leeds', await fleet.signedIn('reed'))).toEqual(['Leeds'])
    await expect(listed('leeds')).rejects.toMatchObject(notFound)
    await expect(listed('london', await fleet.signedIn('sam'))).rejects.toMatchObject(notFound)
    await expect(listed('nowhere', await fleet.signedIn('root'))).rejects.toMatchObject(notFound)
    await change(['london', 'leeds'])
    expect(await namesOf('leeds', nora)).toEqual(['Leeds', 'MCR'])
    const groupsFor = async (by: Browser) =>
      (await by.call(calls.groups, { params: { id: hub.id } })).map(({ uid }) => uid).toSorted()
    expect(await groupsFor(nora)).toEqual(['leeds', 'london'])
    expect(await groupsFor(olivia)).toEqual(['london'])
    await change([])
    await expect(groupsFor(olivia)).rejects.toMatchObject(notFound)
    expect(await listed()).toEqual([])
  })

  it('[UNIT-001] are announced to those who follow the group when they join or leave it', async () => {
    const group = 'group.london'
    const topic = `server.${hub.id}`
    const follower = await fleet.follow(olivia, [group, topic])
    await follower.sees(topic, { name: 'MCR' })
    const newest = (field: 'added' | 'removed') =>
      (follower.state(group)[field] as { device: string } | null | undefined)?.device
    const isNews = async (field: 'added' | 'removed', id: string) => {
      await fleet.pass()
      await until(() => newest(field) === id)
    }
    await change(['leeds'])
    await isNews('removed', hub.id)
    // Their right to follow it ended with the group.
    await until(() =>
      follower.messages.some(({ topics }) => (topics as string[] | undefined)?.includes(topic)),
    )
    await change(['london'])
    await isNews('added', hub.id)
    const record = { type: 'mmh_server' as const, name: 'Spare', serialNumber: 'SN-1', groups: ['london'] }
    const { uid } = await nora.call(deviceAdministration.createServer, {
      body: { ...record, inventory: 'north' },
    })
    await isNews('added', uid)
    expect(await namesOf('london', olivia)).toEqual(['MCR', 'Spare'])
    await nora.call(deviceAdministration.removeServer, { params: { id: uid } })
    await isNews('removed', uid)
    expect(await namesOf('london', olivia)).toEqual(['MCR'])
  })
})
