// The push door through real sockets: batches, resumption, rights, and a reader that stops reading.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe('the push door', () => {
  let fleet: TestFleet
  let olivia: Browser
  let unit: TestDevice
  let topic: string
  beforeEach(async () => {
    fleet = await createTestFleet('sqlite')
    olivia = await fleet.signedIn('olivia')
    unit = await joined('LON-01')
    topic = `unit.${unit.id}`
  })
  afterEach(() => fleet.remove())

  async function joined(name: string, more = {}): Promise<TestDevice> {
    const device = await fleet.unit(name, more)
    await until(() => fleet.core.devices.memberships.groupsOf('unit', device.id).length > 0)
    return device
  }

  async function report(state: string, device = unit): Promise<void> {
    device.report({ state })
    await until(() => fleet.core.units.values(device.id)?.state === state)
  }

  const refused = (frames: Record<string, unknown>[]) =>
    frames.filter(({ kind }) => kind === 'refused').flatMap(({ topics }) => topics as string[])

  it('requires a sign-in', async () => {
    await expect(fleet.follow(fleet.browser())).rejects.toThrow('HTTP 401')
  })

  it('refuses a user whose sign-in ended while they connected', async () => {
    const { api: door } = fleet.core
    const callerOf = door.callerOfUpgrade
    door.callerOfUpgrade = async (request) => {
      const caller = await callerOf(request)
      door.callerOfUpgrade = callerOf
      await olivia.call(api.signIns.signOut, {})
      return caller
    }
    await expect(fleet.follow(olivia)).rejects.toThrow('HTTP 401')
  })

  it('stops to follow a unit that moved to another customer', async () => {
    const nora = await fleet.signedIn('nora')
    const root = await fleet.signedIn('root')
    const alone = await joined('ALONE')
    await nora.call(api.groupAdministration.removeUnit, { params: { groupId: 'london', id: alone.id } })
    const follower = await fleet.follow(nora, [`unit.${alone.id}`])
    await follower.sees(`unit.${alone.id}`, { name: 'ALONE' })
    await root.call(api.deviceAdministration.associate, { params: { inv: 'south', unit: alone.id } })
    await until(() => refused(follower.messages).includes(`unit.${alone.id}`))
  })

  it('welcomes with its epoch, answers a batch with snapshots, then one frame for each tick', async () => {
    const others = await Promise.all(Array.from({ length: 12 }, (_, at) => joined(`MANY-${at}`)))
    const follower = await fleet.follow(olivia)
    expect(follower.messages[0]).toMatchObject({
      kind: 'welcome',
      epoch: expect.any(String),
      wsLibrary: '0.1.0',
    })
    const topics = others.map(({ id }) => `unit.${id}`)
    follower.subscribe(topics)
    await until(() => topics.every((one) => follower.messages.some((message) => message.topic === one)))
    expect(follower.messages.filter((one) => 'topic' in one).every(({ from }) => from === 0)).toBe(true)
    await fleet.pass(200)
    const framesBefore = follower.frames.length
    for (const other of others) await report('first', other)
    for (const other of others) await report('second', other)
    await fleet.pass(100)
    await until(() => follower.frames.length > framesBefore)
    expect(follower.frames.length).toBe(framesBefore + 1)
    expect(others.map(({ id }) => follower.state(`unit.${id}`).state)).toEqual(others.map(() => 'second'))
  })

  it('resumes from the revision held, without what the reader has', async () => {
    const first = await fleet.follow(olivia, [topic])
    await first.sees(topic, { name: 'LON-01' })
    const held = first.messages.findLast((one) => one.topic === topic)?.seq as number
    first.socket.close()
    await report('meanwhile')
    const second = await fleet.follow(olivia)
    second.subscribe([topic], { [topic]: `${second.epoch}:${held}` })
    await second.sees(topic, { state: 'meanwhile' })
    expect(second.messages.filter((one) => one.topic === topic)).toMatchObject([
      { from: held, kind: 'unitStatus' },
    ])
    expect(second.state(topic)).not.toHaveProperty('serialNumber')
  })

  it('sends a snapshot to a reader with a revision of another epoch, or none', async () => {
    for (const since of [{ [topic]: 'another:1' }, { [topic]: 'nonsense' }, undefined]) {
      const follower = await fleet.follow(olivia)
      follower.subscribe([topic], since)
      await follower.sees(topic, { name: 'LON-01' })
      expect(follower.messages.filter((one) => one.topic === topic).every(({ from }) => from === 0)).toBe(
        true,
      )
    }
  })

  it('a reader that holds the newest revision is sent nothing until something changes', async () => {
    const follower = await fleet.follow(olivia)
    const { rev } = fleet.core.units.get({ everything: true } as never, unit.id)
    follower.subscribe([topic], { [topic]: rev })
    await flushed(follower.socket)
    await fleet.pass(100)
    expect(follower.messages).toHaveLength(1)
    await report('changed')
    await fleet.pass(200)
    await follower.sees(topic, { state: 'changed' })
  })

  it('refuses only topics that do not exist or are out of the reader’s scope', async () => {
    const foreign = await joined('CAI-01', { registrationKey: 'key-cairo' })
    const follower = await fleet.follow(olivia)
    const bad = ['unit.unknown', `unit.${foreign.id}`, 'group.cairo', 'user.us-sam', 'weather.today']
    follower.subscribe([...bad, topic, 'group.london', 'user.us-olivia'])
    await follower.sees(topic, { name: 'LON-01' })
    expect(refused(follower.messages)).toEqual(bad)
    await follower.sees('group.london', { alerts: [] })
    await follower.sees('user.us-olivia', { rightsChangedAt: null })
  })

  it('answers malformed requests and more than 500 topics, and continues', async () => {
    const follower = await fleet.follow(olivia)
    const tooMany = { action: 'subscribe', topics: Array.from({ length: 501 }, (_, at) => `unit.u${at}`) }
    const deep = `{"action":"subscribe","topics":${'['.repeat(7000)}${']'.repeat(7000)}}`
    for (const bad of [
      'not json',
      '[]',
      '{"action":"dance","topics":["unit.x"]}',
      JSON.stringify(tooMany),
      deep,
    ])
      follower.socket.send(bad)
    await until(() => follower.messages.filter(({ kind }) => kind === 'refused').length === 5)
    expect(follower.messages.at(-1)?.message).toBe('Must not be nested more than 32 levels deep')
    follower.subscribe([topic])
    await follower.sees(topic, { name: 'LON-01' })
  })

  it('sends nothing of a topic that was unsubscribed', async () => {
    const follower = await fleet.follow(olivia, [topic])
    await follower.sees(topic, { name: 'LON-01' })
    follower.socket.send(JSON.stringify({ action: 'unsubscribe', topics: [topic] }))
    await flushed(follower.socket)
    await report('unseen')
    await fleet.pass(200)
    expect(follower.state(topic).state).not.toBe('unseen')
  })

  it('closes the sockets of a sign-in that ended, and of no other', async () => {
    const follower = await fleet.follow(olivia, [topic])
    const other = await fleet.follow(await fleet.signedIn('olivia'), [topic])
    await olivia.send({
      method: 'POST',
      url: '/logout',
      headers: { 'x-csrf-token': olivia.cookies.get('backhaul_csrf') ?? '' },
    })
    await until(() => follower.closed === 4401)
    await report('after')
    await fleet.pass(200)
    await other.sees(topic, { state: 'after' })
  })

  it('[LIVE-007] pings every 12 s, and closes the socket of a browser that answers no more', async () => {
    const gone = await fleet.follow(olivia, [topic])
    const there = await fleet.follow(olivia, [topic])
    const readers = async () =>
      Number(/^backhaul_core_push_sockets (\d+)$/m.exec(await fleet.core.metrics.metrics())?.[1])
    let pings = 0
    there.socket.on('ping', () => pings++)
    gone.socket.pause()
    await fleet.pass(24_000)
    expect([pings, await readers()]).toEqual([2, 2])
    await fleet.pass(12_000)
    expect(pings).toBe(3)
    await expect.poll(readers).toBe(1)
    expect(there.closed).toBeUndefined()
  })

  it('closes the socket of a sign-in that is gone when the rights are checked again', async () => {
    const follower = await fleet.follow(olivia, [topic])
    await fleet.db.deleteFrom('sign_ins').where('user_id', '=', 'us-olivia').execute()
    fleet.core.events.emit('userScopeChanged', { userId: 'us-olivia' })
    await until(() => follower.closed !== undefined)
    expect(follower.closed).toBe(4401)
  })

  it('closes the socket for another attempt when the rights cannot be checked again', async () => {
    const follower = await fleet.follow(olivia, [topic])
    await fleet.db.schema.alterTable('sign_ins').renameTo('sign_ins_away').execute()
    fleet.core.events.emit('userScopeChanged', { userId: 'us-olivia' })
    await until(() => follower.closed !== undefined)
    expect(follower.closed).toBe(1011)
  })

  it('closes the socket of a reader with more than two hundred requests in a second', async () => {
    const follower = await fleet.follow(olivia)
    const callerOf = (times: number) => {
      for (let time = 0; time < times; time++)
        follower.socket.send(JSON.stringify({ action: 'unsubscribe', topics: [topic] }))
    }
    callerOf(200)
    follower.subscribe([])
    await until(() => follower.closed !== undefined)
    expect(follower.closed).toBe(1008)
    const patient = await fleet.follow(olivia)
    for (let second = 0; second < 3; second++) {
      for (let time = 0; time < 100; time++)
        patient.socket.send(JSON.stringify({ action: 'unsubscribe', topics: [topic] }))
      patient.subscribe([topic])
      await patient.sees(topic, { name: 'LON-01' })
      fleet.clock.advance(1000)
    }
    expect(patient.closed).toBeUndefined()
  })

  it('removes topics when the rights end, and informs the user', async () => {
    const follower = await fleet.follow(olivia, [topic, 'user.us-olivia'])
    await follower.sees(topic, { name: 'LON-01' })
    await fleet.db.deleteFrom('user_groups').where('user_id', '=', 'us-olivia').execute()
    fleet.core.events.emit('userScopeChanged', { userId: 'us-olivia' })
    await until(() => refused(follower.messages).includes(topic))
    await report('secret')
    await fleet.pass(200)
    await until(() => typeof follower.state('user.us-olivia').rightsChangedAt === 'number')
    expect(follower.state(topic).state).not.toBe('secret')
  })

  it('informs a user who is given a permission or loses it, and removes no topic', async () => {
    const follower = await fleet.follow(olivia, [topic, 'user.us-olivia'])
    await follower.sees(topic, { name: 'LON-01' })
    const root = await fleet.signedIn('root')
    const changedAt = () => follower.state('user.us-olivia').rightsChangedAt
    let before = changedAt()
    for (const body of [{ ODA: true }, { services: ['tally' as const] }, { ODA: false }]) {
      await root.call(api.users.change, { params: { id: 'us-olivia' }, body })
      await fleet.pass(200)
      await until(() => changedAt() !== before && changedAt() !== undefined)
      before = changedAt()
    }
    expect(refused(follower.messages)).not.toContain(topic)
  })

  it('notifies a group who joined, and removes the topic when a unit leaves', async () => {
    const follower = await fleet.follow(olivia, [topic, 'group.london'])
    await follower.sees(topic, { name: 'LON-01' })
    const newcomer = await joined('LON-02')
    await fleet.pass(200)
    await until(() => (follower.state('group.london').added as { device: string })?.device === newcomer.id)
    const notify = await fleet.db
      .transaction()
      .execute((transaction) => fleet.core.groups.leave(transaction, 'london', 'unit', unit.id))
    notify()
    await until(() => refused(follower.messages).includes(topic))
    await fleet.pass(200)
    await until(() => (follower.state('group.london').removed as { device: string })?.device === unit.id)
  })

  it('is not slowed down by a reader that stops reading, and sends it the newest state afterwards', async () => {
    const slow = await fleet.follow(olivia, [topic])
    const quick = await fleet.follow(olivia, [topic])
    await slow.sees(topic, { name: 'LON-01' })
    slow.socket.pause()
    const bytesBefore = process.memoryUsage().rss
    const show = fleet.core.units.provide('metadata')
    const rows = Array.from({ length: 2000 }, (_, at) => [`label-${at}`, 'x'.repeat(330)] as const)
    for (let round = 0; round < 40; round++) {
      show(unit.id, { metadata: { ...Object.fromEntries(rows), round: String(round) } })
      await fleet.pass(100)
    }
    const isNewest = (reader: typeof quick) =>
      (reader.state(topic).metadata as Record<string, string>).round === '39'
    await until(() => isNewest(quick))
    expect(quick.frames.length).toBeGreaterThan(30)
    // The queue for the slow one is bounded: a few frames of 0.7 MB, not forty.
    expect(process.memoryUsage().rss - bytesBefore).toBeLessThan(400 * 1024 * 1024)
    slow.socket.resume()
    for (let tick = 0; tick < 20; tick++) await fleet.pass(100)
    await until(() => isNewest(slow))
    expect(slow.frames.length).toBeLessThan(quick.frames.length / 2)
  })
})
