import { api } from '@backhaul/contract/api/api'
import { pathOf } from '@backhaul/contract/define/endpoint'
import { english, reasonFields } from '@backhaul/contract/define/refusals'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'
import { type Browser, password } from '../../testing.ts'

describe.each(enginesOfNight)('units on %s', (engine) => {
  let fleet: TestFleet
  let olivia: Browser
  let unit: TestDevice
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    olivia = await fleet.signedIn('olivia')
    unit = await fleet.unit('LON-01')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  })
  afterEach(() => fleet.remove())

  const values = () => fleet.core.units.values(unit.id)

  it('keep why the hardware of a camera does not encode it any more, once for each failure', async () => {
    const camera = { kind: 'sdi', width: 1920, height: 1080, fps: 50, codec: 'H.264/AVC' } as const
    const [whole, left] = [
      { ...camera, connected: true },
      { ...camera, connected: true, hardwareFault: reasonFields('unit.noFfmpeg') },
    ]
    for (const cameras of [
      [whole, left],
      [whole, left],
      [whole, whole],
      [left, whole],
    ]) {
      unit.report({ cameras: cameras })
      await flushed(unit.socket)
    }
    const events = await olivia.call(api.units.events, { params: { id: unit.id }, query: {} })
    const text = (number: number) => `camera ${number} encoded in software: ${english('unit.noFfmpeg')}`
    const texts = events.filter(({ what }) => what?.code === 'transmission.inSoftware').map((one) => one.text)
    expect(texts.toSorted()).toEqual([text(1), text(2)])
  })

  it('name the status that follows a move without a name of its own', async () => {
    for (const applications of [
      { databridge: { state: 'connecting' } },
      { databridge: { state: 'bridging' } },
      {},
    ]) {
      unit.report({ applications })
      await flushed(unit.socket)
    }
    const events = await olivia.call(api.units.events, { params: { id: unit.id }, query: {} })
    const moves = events.filter(({ what }) => what?.code === 'status.changed').map(({ text }) => text)
    expect(moves.toSorted()).toEqual(['status idle', 'status transparent_bridge'])
  })

  it('[INV-002] derive links, uplink, battery and position from the newest sample', async () => {
    const battery = { connected: true, charging: false, percentage: 76 }
    const location = { lat: 51.5, lng: -0.12, address: 'London' }
    const sample = sampleOf(fleet.clock.nowMs(), { battery, location })
    const down = { ...sample, links: sample.links.map((link) => ({ ...link, up: link.port !== 2 })) }
    unit.send({ type: 'telemetry', samples: [sample] })
    unit.send({ type: 'telemetry', samples: [sample, down] })
    await until(() => values()?.offlineModems.length === 1)
    const params = { id: unit.id }
    const modems = await olivia.call(api.units.modems, { params })
    expect(modems.modems.map(({ port, uplinkKbps, rttMs }) => [port, uplinkKbps, rttMs])).toEqual([
      [1, 1000, 41],
      [3, 1000, 43],
    ])
    expect(modems.offlineModems).toMatchObject([{ port: 2, connected: false, uplinkKbps: 0, rttMs: null }])
    expect(await olivia.call(api.units.one, { params })).toMatchObject({
      battery,
      location,
      uplink: { kbps: 2000, encoderKbps: 2800, capacityKbps: 4500, rttMs: 43 },
    })
    const { rawModemInfo } = await olivia.call(api.units.one, { params })
    expect(rawModemInfo).toContainEqual(expect.objectContaining({ port: 2, id: 'Modem 2', enabled: true }))
    expect(await olivia.call(api.units.location, { params })).toEqual(location)
    expect(await olivia.call(api.units.coordinates, { query: { group: 'london' } })).toEqual([
      { uid: unit.id, location },
    ])
    await fleet.core.inventories.setProperty('north', 'mapView', false)
    await expect(olivia.call(api.units.coordinates, { query: { group: 'london' } })).rejects.toMatchObject({
      status: 409,
      message: 'Feature disabled',
    })
    await fleet.core.inventories.setProperty('north', 'mapView', true)
    const events = await olivia.call(api.units.events, { params, query: {} })
    const what = unitEvent('link.down', { link: 'Modem 2' })
    expect(events).toContainEqual(expect.objectContaining({ kind: 'link', text: 'Modem 2 down', what }))
    const { data } = await fleet.db
      .selectFrom('unit_events')
      .select('data')
      .where('kind', '=', 'link')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(data)).toEqual({ severity: 'info', what })
    // A row of an earlier version has its text alone.
    const old = { text: 'onlineToOffline', severity: 'warning' }
    await fleet.db
      .updateTable('unit_events')
      .set({ data: JSON.stringify(old) })
      .where('kind', '=', 'link')
      .execute()
    const [kept] = (await olivia.call(api.units.events, { params, query: {} })).filter(
      ({ kind }) => kind === 'link',
    )
    expect(kept).toEqual({ id: expect.any(String), ts: expect.any(Number), kind: 'link', ...old })
  })

  it('have each field from one feature', () => {
    expect(() => fleet.core.units.provide('usage')).toThrow('Two features provide the field usage of units')
  })

  it('[UNIT-023] answer one unit in every form, with its groups and records', async () => {
    const params = { id: unit.id }
    const toLeeds = { params: { groupId: 'leeds', id: unit.id } }
    const nora = await fleet.signedIn('nora')
    await nora.call(api.groupAdministration.addUnit, toLeeds)
    await fleet.core.users.ensure({
      id: 'us-gus',
      username: 'gus',
      password,
      userType: 'regular',
      firstName: 'G',
      lastName: 'T',
      inventories: ['south'],
      groups: ['london'],
    })
    const byId = await olivia.call(api.units.byId, { params })
    expect(await olivia.call(api.units.one, { params })).toEqual(byId)
    const enhanced = await olivia.call(api.units.enhanced, { params })
    expect(enhanced).toMatchObject({
      ...byId,
      inventory: { id: 'north', name: 'North Broadcasting' },
      groups: [{ uid: 'london', name: 'London-News' }],
    })
    expect(await olivia.call(api.units.groups, { params })).toEqual([{ uid: 'london', name: 'London-News' }])
    const ofNora = await nora.call(api.units.groups, { params })
    expect(ofNora.map(({ uid }) => uid).toSorted()).toEqual(['leeds', 'london'])
    expect(await olivia.call(api.units.configuration, { params })).toMatchObject({
      delay: 1000,
      delayChoices: expect.arrayContaining([400, 20_000]),
      storeAndForwardVideoQualityV2: { 'H.264/AVC': 'standard', 'H.265/HEVC': 'standard' },
    })
    // A guest of the group sees only the id of the customer.
    const guest = await fleet.signedIn('gus')
    expect(await guest.call(api.units.enhanced, { params })).toMatchObject({
      inventory: { id: 'north', name: '' },
    })
    const sam = await fleet.signedIn('sam')
    await expect(sam.call(api.units.one, { params })).rejects.toMatchObject({ status: 404 })
  })

  it('[UNIT-014] have names that are unique within their customer, and a short comment', async () => {
    const other = await fleet.unit('LON-02')
    const foreign = await fleet.unit('CAI-01', { registrationKey: 'key-cairo' })
    await until(() => fleet.core.devices.memberships.groupsOf('unit', other.id).length > 0)
    const rename = (uid: string, name: string) => olivia.call(api.units.rename, { body: { uid, name } })
    await expect(rename(unit.id, 'LON-02')).rejects.toMatchObject({
      status: 409,
      message: 'Name is already taken. Please select a different name.',
    })
    await expect(rename(unit.id, 'not a name')).rejects.toMatchObject({ status: 400 })
    await expect(rename(foreign.id, 'MINE')).rejects.toMatchObject({ status: 404 })
    await rename(unit.id, 'CAI-01')
    const comment = (text: string) =>
      olivia.call(api.units.update, { params: { id: unit.id }, body: { comment: text } })
    await expect(comment('x'.repeat(101))).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'comment', message: 'Must have at most 100 characters' }],
    })
    await comment('x'.repeat(100))
    await comment('pool')
    expect(values()).toMatchObject({ name: 'CAI-01', uname: 'CAI-01', comment: 'pool' })
    await fleet.restart()
    expect(values()).toMatchObject({ name: 'CAI-01', comment: 'pool' })
  })

  it('report an internal failure in the body of a successful answer', async () => {
    fleet.core.groups.get = () => Promise.reject(new Error('the disk is gone'))
    const response = await olivia.send({
      method: 'GET',
      url: `${pathOf(api.units.ofGroup)}?group=london`,
      headers: { 'application-id': 'test' },
    })
    expect([response.statusCode, response.json()]).toMatchObject([
      200,
      { code: 500, message: 'Internal Error' },
    ])
  })

  it('[LIVE-007] ignore connecting and stopping of video return and databridge, and show the transition', async () => {
    unit.report({ applications: { databridge: { state: 'bridging' }, videoReturn: { state: 'collecting' } } })
    await until(() => values()?.databridge?.state === 'bridging')
    unit.report({ applications: { databridge: { state: 'connecting' }, videoReturn: { state: 'stopping' } } })
    await until(() => values()?.databridgeInTransition === true)
    expect(values()).toMatchObject({
      databridge: { state: 'bridging' },
      videoReturn: { state: 'collecting' },
      videoReturnInTransition: true,
    })
    await fleet.pass(20_500)
    expect(values()).toMatchObject({ databridgeInTransition: false, videoReturnInTransition: false })
    unit.report({ applications: {} })
    await until(() => values()?.databridge === null)
    expect(values()).toMatchObject({ databridgeInTransition: false, videoReturnInTransition: false })
  })

  it('go offline when they disconnect, and after a restart when they do not come back in time', async () => {
    await fleet.restart()
    expect(values()).toMatchObject({ status: 'idle', offline: false })
    await fleet.pass(20_500)
    expect(values()).toMatchObject({ status: 'offline', offline: true, applications: null })
    const back = await fleet.again(unit)
    await back.greet()
    back.report({ applications: {} })
    await until(() => values()?.status === 'idle')
    back.socket.close()
    await until(() => values()?.status === 'offline')
    // A unit that was offline before a restart is offline after it.
    await fleet.restart()
    expect(values()?.status).toBe('offline')
  })
})
