// Services that vendor staff give to one device: their effect on the device, their end, and that each is given once.
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import type { DeviceServiceName } from '@backhaul/contract/nouns/device-services'
import { unitLicences } from '@backhaul/contract/nouns/gates'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'
import { checkPeriodMs } from './device-services.ts'

const { create, change, list, remove } = api.deviceServices

describe.each(engines)('[STAFF-002] services given to one device on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let root: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('VAN')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const give = (
    service: DeviceServiceName,
    { device = unit.id, expiration = null }: { device?: string; expiration?: string | null } = {},
  ) => root.call(create, { body: { device, service, expiration } })
  const inMs = (ms: number) => new Date(fleet.clock.nowMs() + ms).toISOString()
  const services = async () => await nora.call(api.units.services, { params: { id: unit.id } })
  const start = () => nora.call(api.unitCommands.start, { params: { id: unit.id }, body: {} })
  /** The unit has only what it is given from now on. */
  async function limit(): Promise<void> {
    await fleet.db.updateTable('users').set({ oda: 1 }).where('username', '=', 'nora').execute()
    for (const licence of unitLicences) {
      const body = { licence, total: 1 }
      await root.call(api.licences.setStock, { params: { id: 'north' }, body })
    }
    const params = { id: 'north', unit: unit.id }
    await nora.call(api.licences.assign, { params, body: { databridge: true } })
    await nora.call(api.licences.assign, { params, body: { databridge: false } })
  }

  it('open what a unit does not have of its own, and close it again by themselves at their end', async () => {
    await limit()
    expect(await services()).toEqual(['sla'])
    await expect(start()).rejects.toMatchObject({ message: 'Unit video license is invalid.' })
    const { id } = await give('video', { expiration: inMs(3_600_000) })
    expect(await services()).toEqual(['sla', 'video'])
    await expect(start()).rejects.toMatchObject({ message: 'Selected channel is busy or offline.' })
    // Nothing of it comes from the stock of the customer.
    const { stock } = await nora.call(api.licences.ofInventory, { params: { id: 'north' } })
    expect(stock.find(({ licence }) => licence === 'video')?.assigned).toBe(0)

    await fleet.restart()
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
    expect(await services()).toEqual(['sla', 'video'])
    fleet.clock.advance(3_600_000 - 10_000)
    await fleet.pass()
    expect(await services()).toEqual(['sla', 'video'])
    const later = async () => {
      fleet.clock.advance(checkPeriodMs)
      return await services()
    }
    const isLicensed = async () =>
      (await nora.call(api.units.one, { params: { id: unit.id } })).license?.valid
    expect(await isLicensed()).toBe(true)
    await expect.poll(later).toEqual(['sla'])
    expect(await isLicensed()).toBe(false)
    // The entry is kept, so that it can be renewed.
    expect((await root.call(list, { query: {} })).items).toMatchObject([{ id, service: 'video' }])
    await root.call(change, { params: { id }, body: { device: unit.id, service: 'ai', expiration: null } })
    expect(await services()).toEqual(['sla', 'ai'])
    await root.call(remove, { params: { id } })
    expect(await services()).toEqual(['sla'])
  })

  it('end at the start where they expired while core was down', async () => {
    await limit()
    await give('ai', { expiration: inMs(60_000) })
    expect(await services()).toContain('ai')
    await fleet.db
      .updateTable('device_services')
      .set({ expires_ms: fleet.clock.nowMs() - 1 })
      .execute()
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    await expect.poll(services).toEqual(['sla'])
  })

  it('let a unit that is not under SLA use its extenders as long as they last', async () => {
    unit.report({ capabilities: { xtend: true }, extenders: [] })
    await until(() => fleet.core.units.values(unit.id)?.capabilities.xtend === true)
    const params = { id: unit.id }
    await nora.call(api.linkExtenders.pair, { params, body: { serialNumber: 'LX-1' } })
    const sent = (serials: string) =>
      unit.next('wanted', ({ state }) => (state.extenders?.join() ?? '') === serials)
    await root.call(api.deviceAdministration.changeUnit, { params, body: { sla: false } })
    await sent('')
    const { id } = await give('sla', { expiration: inMs(60_000) })
    await sent('LX-1')
    await root.call(api.deviceAdministration.changeUnit, { params, body: { comment: 'On loan' } })
    await root.call(remove, { params: { id } })
    await sent('')
  })

  it('take a server in a cloud out of the field servers of its customer, and are shown at the server', async () => {
    const hub = await fleet.server('CLOUD', 1)
    const field = async () =>
      (await nora.call(api.ingest.fieldServers, { params: { id: 'north' } })).map(({ uid }) => uid)
    await expect.poll(field).toEqual([hub.id])
    const { id } = await give('cloud', { device: hub.id })
    expect(await field()).toEqual([])
    expect(await nora.call(api.servers.services, { params: { id: hub.id } })).toEqual(['cloud'])
    await root.call(remove, { params: { id } })
    expect(await field()).toEqual([hub.id])
  })

  it('are given once, also by two at the same time, to devices that exist and can have them, until a time to come', async () => {
    const taken = {
      status: 409,
      message: 'Association exists.',
      fields: [fault('service', 'field.notUnique')],
    }
    const both = await Promise.allSettled([give('ai'), give('ai')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: taken })
    const { id } = await give('databridge')
    await expect(
      root.call(change, { params: { id }, body: { device: unit.id, service: 'ai', expiration: null } }),
    ).rejects.toMatchObject(taken)
    expect((await root.call(list, { query: {} })).total).toBe(2)
    expect((await root.call(list, { query: { search: 'van data' } })).total).toBe(1)
    await expect(give('ai', { device: 'nowhere' })).rejects.toMatchObject({
      status: 404,
      message: 'Device not found.',
    })
    await expect(give('cloud')).rejects.toMatchObject({
      status: 409,
      fields: [fault('service', 'deviceService.otherKind')],
    })
    await expect(give('sla', { expiration: inMs(0) })).rejects.toMatchObject({
      status: 409,
      fields: [fault('expiration', 'date.inFuture')],
    })
    await expect(give('flying' as 'ai')).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'service' }],
    })
    await expect(nora.call(list, { query: {} })).rejects.toMatchObject({ status: 403 })
    await expect(
      nora.call(create, { body: { device: unit.id, service: 'sla', expiration: null } }),
    ).rejects.toMatchObject({ status: 403 })

    unit.socket.close()
    await root.call(api.deviceAdministration.removeUnit, { params: { id: unit.id } })
    expect((await root.call(list, { query: {} })).total).toBe(0)
  })
})
