// Services of units through the doors: licences from the stock, the maintenance contract and the number of cameras by vendor staff.
import { api } from '@backhaul/contract/api/api'
import { unitLicences } from '@backhaul/contract/nouns/gates'
import type { LicenceStock } from '@backhaul/contract/nouns/licences'
import type { UnitServiceName } from '@backhaul/contract/nouns/unit-services'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { unitServices: calls } = api

describe.each(enginesOfNight)('the services of a unit on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let root: Browser
  let nora: Browser
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('VAN')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
    await fleet.db.updateTable('users').set({ oda: 1 }).where('username', '=', 'nora').execute()
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const all = () => olivia.call(api.units.services, { params: params() })
  const has = async (svc: UnitServiceName) =>
    (await olivia.call(calls.one, { params: { ...params(), svc } })).enabled
  const add = (body: UnitServiceName[], browser = nora) => browser.call(calls.add, { params: params(), body })
  const remove = (body: UnitServiceName[], browser = nora) =>
    browser.call(calls.remove, { params: params(), body })
  const hold = (licence: LicenceStock['licence'], total: number) =>
    root.call(api.licences.setStock, { params: { id: 'north' }, body: { licence, total } })
  const assigned = async (licence: string) =>
    (await nora.call(api.licences.ofInventory, { params: { id: 'north' } })).stock.find(
      (one) => one.licence === licence,
    )?.assigned
  const start = () => olivia.call(api.unitCommands.start, { params: params(), body: {} })

  it('[UNIT-022] are enabled from the stock of the customer and removed into it, several together or one by its name', async () => {
    for (const licence of unitLicences) await hold(licence, 1)
    expect(await has('ai')).toBe(true)
    // The first removal from a unit that was not limited: it keeps the others.
    expect((await remove(['ai', 'databridge'])).toSorted()).toEqual(
      ['video', 'pro4k', 'multiCamera', 'videoReturn', 'sla'].toSorted(),
    )
    expect([await assigned('ai'), await assigned('video'), await has('ai')]).toEqual([0, 1, false])
    expect(await add(['ai'])).toContain('ai')
    expect(await assigned('ai')).toBe(1)
    expect(await add(['ai'])).toContain('ai')
    expect(await assigned('ai')).toBe(1)
    await expect(add(['databridge', 'ai'])).resolves.toContain('databridge')
    await nora.call(calls.disable, { params: { ...params(), svc: 'video' } })
    expect(await has('video')).toBe(false)
    await expect(start()).rejects.toMatchObject({ message: 'Unit video license is invalid.' })
    await nora.call(calls.enable, { params: { ...params(), svc: 'video' } })
    await expect(start()).rejects.toMatchObject({ message: 'Selected channel is busy or offline.' })
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    expect((await all()).toSorted()).toEqual([...unitLicences, 'sla'].toSorted())
  })

  it('[UNIT-022] are refused beyond the stock, to a transmitting unit, to other roles, and with names that do not exist', async () => {
    await expect(remove(['ai'])).rejects.toMatchObject({ status: 409, message: 'No license available.' })
    expect(await all()).toContain('ai')
    for (const licence of unitLicences) await hold(licence, 1)
    unit.report({ applications: { video: { state: 'streaming' } } })
    await until(() => fleet.core.units.values(unit.id)?.busy === true)
    await expect(remove(['video'])).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
    await expect(remove(['ai'], root)).rejects.toMatchObject({ status: 403 })
    await expect(remove(['sla'])).rejects.toMatchObject({ status: 403 })
    await expect(add(['pro2'])).rejects.toMatchObject({ status: 403 })
    await expect(remove(['ai'], olivia)).rejects.toMatchObject({ status: 403 })
    const unheardOf = { params: { ...params(), svc: 'flying' as 'ai' } }
    await expect(nora.call(calls.enable, unheardOf)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'svc' }],
    })
    await expect(add([])).rejects.toMatchObject({ status: 400 })
    expect((await all()).toSorted()).toEqual([...unitLicences, 'sla'].toSorted())
  })

  it('[UNIT-022] [STREAM-010] set the maintenance contract, and how many cameras the unit may send: none, 2 or 4', async () => {
    for (const licence of unitLicences) await hold(licence, 1)
    expect(await remove(['sla'], root)).not.toContain('sla')
    expect(await add(['sla'], root)).toContain('sla')
    const camera = {
      connected: true,
      kind: 'sdi',
      width: 1920,
      height: 1080,
      fps: 50,
      codec: 'H.264/AVC' as const,
    }
    unit.report({ capabilities: { multiCamera: true }, cameras: [camera, camera, camera, camera] })
    await until(() => fleet.core.units.values(unit.id)?.cameras.length === 4)
    const hub = await fleet.server('MCR', 4)
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 4)
    const feeds = (numberOfFeeds: number) =>
      olivia.call(api.cameras.setFeeds, {
        params: params(),
        body: {
          numberOfFeeds,
          channelSelectionMode: 'custom',
          customSelectedChannels: hub.channelIds.slice(0, numberOfFeeds),
          channel: null,
        },
      })
    expect(await add(['pro2'], root)).toContain('pro2')
    await feeds(2)
    await expect(feeds(4)).rejects.toMatchObject({
      message: 'The multi-camera service of the unit allows 2 cameras.',
    })
    const now = await add(['pro4'], root)
    expect([now.includes('pro4'), now.includes('pro2')]).toEqual([true, false])
    await feeds(4)
    expect(await remove(['pro4'], root)).not.toContain('pro4')
    await feeds(4)
    await remove(['multiCamera'])
    await expect(feeds(2)).rejects.toMatchObject({ message: 'No multi-camera license.' })
  })
})
