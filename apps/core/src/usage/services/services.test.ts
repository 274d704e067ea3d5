// Managed services through the doors: what customers have, trials, changes by the vendor, and use beyond the package.

import { api } from '@backhaul/contract/api/api'
import { type ManagedService, type NamedServiceChange, serviceNames } from '@backhaul/contract/nouns/services'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'
import { planHolds } from './plan-use.ts'

const { services: calls } = api
const dayMs = 86_400_000
const params = { id: 'north' }

describe.each(engines)('[INV-006] managed services on %s', (engine) => {
  let fleet: TestFleet
  let root: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const add = (body: NamedServiceChange) => root.call(calls.add, { params, body })
  const change = (body: NamedServiceChange) => root.call(calls.change, { params, body })
  const list = async (query: object = {}) => (await nora.call(calls.list, { query })).items
  const trial = (serviceName: 'ingest' | 'graphics' | 'go_plan', browser = nora, current = 'north') =>
    browser.call(calls.startTrial, { params: { current }, body: { serviceName } })
  const one = async (name: string): Promise<ManagedService | undefined> =>
    (await nora.call(calls.ofInventory, { params })).find((service) => service.name === name)
  const ahead = (ms: number) => new Date(fleet.clock.nowMs() + ms).toISOString()
  const transmits = (id: string, unitId: string, channelId: string | null) =>
    fleet.db
      .insertInto('transmissions')
      .values({
        id,
        unit_id: unitId,
        channel_id: channelId,
        group_id: null,
        inventory_id: 'north',
        delay_ms: 1000,
        started_by: 'olivia',
        stopped_by: null,
        live_ms: null,
        started_ms: fleet.clock.nowMs(),
        stopped_ms: null,
        stop_reason: null,
        details: '{}',
      })
      .execute()
  const sent = (transmissionId: string, bytes: number) =>
    fleet.db
      .insertInto('transmission_usage')
      .values({ transmission_id: transmissionId, from_ms: fleet.clock.nowMs(), bytes })
      .execute()
  const mails = async () =>
    (await fleet.db.selectFrom('mails').select(['recipient', 'subject', 'text']).execute()).toSorted((a, b) =>
      a.recipient.localeCompare(b.recipient),
    )

  it('shows every known service of a customer, those it never had as not available', async () => {
    const all = await nora.call(calls.ofInventory, { params })
    expect(all).toHaveLength(11)
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['na']))
    expect(await root.call(calls.ofInventoryForVendor, { params })).toEqual(all)
    expect(await list()).toEqual([])
    await expect(nora.call(calls.ofInventoryForVendor, { params })).rejects.toMatchObject({ code: 403 })
    await expect(nora.call(calls.ofInventory, { params: { id: 'south' } })).rejects.toMatchObject({
      code: 404,
    })
  })

  it('lets the vendor assign, change and remove a service, with its name in the body or in the path', async () => {
    const given = { plan: 'PERMANENT' as const, usageType: 'data' as const, packageSize: 500 }
    expect(
      await add({ name: 'go_plan', ...given, expiration: ahead(dayMs), renewal: 'yearly' }),
    ).toMatchObject({
      ...given,
      inventoryId: 'north',
      inventoryName: 'North Broadcasting',
      name: 'go_plan',
      renewal: 'yearly',
      status: 'purchasedService',
      state: 'purchased',
      expiration: ahead(dayMs),
      usedData: 0,
      instanceLimit: null,
      trial: false,
      overUsage: false,
      measured: true,
    })
    await expect(add({ name: 'go_plan' })).rejects.toMatchObject({
      code: 409,
      message: 'The inventory already has this service.',
    })
    const path = { ...params, service: 'Own_Service' }
    await root.call(calls.addNamed, { params: path, body: { instanceLimit: 3, status: 'selfActive' } })
    expect(await root.call(calls.changeNamed, { params: path, body: { instanceLimit: 4 } })).toMatchObject({
      name: 'Own_Service',
      instanceLimit: 4,
      status: 'selfActive',
      state: 'purchased',
      usedData: null,
    })
    expect(await change({ name: 'go_plan', status: 'disabled' })).toMatchObject({
      state: null,
      renewal: 'yearly',
    })
    expect((await list()).map(({ name }) => name)).toEqual(['go_plan', 'Own_Service'])
    await root.call(calls.removeNamed, { params: path })
    await root.call(calls.remove, { params, query: { serviceName: 'go_plan' } })
    expect(await list()).toEqual([])
    const gone = { code: 404, message: 'Service not found.' }
    await expect(change({ name: 'go_plan' })).rejects.toMatchObject(gone)
    await expect(root.call(calls.removeNamed, { params: path })).rejects.toMatchObject(gone)
    await expect(nora.call(calls.add, { params, body: { name: 'ingest' } })).rejects.toMatchObject({
      code: 403,
    })
    await expect(add({ name: 'two words' })).rejects.toMatchObject({ code: 400 })
    const { rows } = { rows: await fleet.db.selectFrom('audit').select(['action', 'result']).execute() }
    expect(rows).toContainEqual({ action: 'services.addNamed', result: 'done' })
    expect(rows).toContainEqual({ action: 'services.add', result: 'The inventory already has this service.' })
  })

  it('gives one trial of 30 days of each service, and remembers it when the service is removed', async () => {
    expect(await trial('ingest')).toMatchObject({
      status: 'enabledTrial',
      state: 'onTrial',
      trial: true,
      trialStarted: ahead(0),
      expiration: ahead(30 * dayMs),
    })
    const used = { code: 409, message: 'The trial of this service has already been used.' }
    await expect(trial('ingest')).rejects.toMatchObject(used)

    await fleet.db.updateTable('inventory_services').set({ expires_ms: fleet.clock.nowMs() }).execute()
    expect(await one('ingest')).toMatchObject({ status: 'expiredTrial', state: 'trialExpired', trial: true })
    await expect(trial('ingest')).rejects.toMatchObject(used)
    await root.call(calls.remove, { params, query: { serviceName: 'ingest' } })
    expect(await list()).toEqual([])
    await expect(trial('ingest')).rejects.toMatchObject(used)
    expect(await add({ name: 'ingest' })).toMatchObject({ state: 'purchased', trial: true })
    await add({ name: 'go_plan' })
    await expect(trial('go_plan')).rejects.toMatchObject({ message: 'This service is already in force.' })
    for (const [browser, current, code] of [
      [root, 'north', 403],
      [await fleet.signedIn('olivia'), 'north', 403],
      [nora, 'south', 404],
    ] as const) {
      await expect(trial('graphics', browser, current)).rejects.toMatchObject({ code })
    }
    await expect(trial('two_plans' as 'ingest')).rejects.toMatchObject({
      code: 400,
      fields: [{ field: 'serviceName', message: `Must be one of ${serviceNames.join(', ')}` }],
    })
  })

  it('ends the trial of graphics after ten hours of use', async () => {
    expect(await trial('graphics')).toMatchObject({ expiration: null, usageType: 'time', packageSize: 10 })
    expect(await change({ name: 'graphics', usedData: 9.9 })).toMatchObject({ status: 'activeTrial' })
    expect(await change({ name: 'graphics', usedData: 10 })).toMatchObject({ status: 'expiredTrial' })
  })

  it('starts only one trial when two administrators request it at the same time', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => trial('ingest')))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 409 })
  })

  it('shows whether the named services are in force, and all when none is named', async () => {
    await trial('ingest')
    await add({ name: 'go_plan', expiration: ahead(-1) })
    const statusOf = (serviceName?: string | string[]) =>
      nora.call(calls.status, {
        params: { current: 'north' },
        query: serviceName === undefined ? {} : { serviceName },
      })
    expect(await statusOf(['ingest', 'go_plan', 'unheard_of'])).toEqual([
      { serviceName: 'ingest', status: 'ENABLED' },
      { serviceName: 'go_plan', status: 'DISABLED' },
      { serviceName: 'unheard_of', status: 'DISABLED' },
    ])
    expect(await statusOf('ingest')).toEqual([{ serviceName: 'ingest', status: 'ENABLED' }])
    expect(await statusOf()).toHaveLength(11)
  })

  it('[INV-007] lists services with their use, end and limit, page by page, found and sorted', async () => {
    await add({ name: 'ingest', instanceLimit: 5, expiration: ahead(dayMs), renewal: 'monthly' })
    await add({ name: 'audio_ifb', usageType: 'time', packageSize: 2, usedData: 1.5 })
    await root.call(calls.add, { params: { id: 'south' }, body: { name: 'ingest' } })
    expect(await list()).toMatchObject([
      { name: 'audio_ifb', usageType: 'time', packageSize: 2, usedData: 1.5, measured: false },
      { name: 'ingest', instanceLimit: 5, expiration: ahead(dayMs), renewal: 'monthly', trial: false },
    ])
    expect((await list({ sort: 'name,desc' })).map(({ name }) => name)).toEqual(['ingest', 'audio_ifb'])
    expect((await list({ search: 'IFB' })).map(({ name }) => name)).toEqual(['audio_ifb'])
    const query = { limit: 1, offset: 1 }
    expect(await nora.call(calls.list, { query })).toMatchObject({ total: 2, items: [{ name: 'ingest' }] })
    await expect(root.call(calls.list, { query: {} })).rejects.toMatchObject({ code: 403 })
  })

  it('[INV-007] measures a plan, shows when its package is used up, notifies administrators once and blocks nothing', async () => {
    const hub = await fleet.server('MCR', 1)
    const unit = await fleet.unit('VAN-1')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    await add({ name: 'go_plan', plan: 'PERMANENT', usageType: 'data', packageSize: 50 })
    await add({ name: 'smart_plan', plan: 'PERMANENT_SMART', usageType: 'data', packageSize: 50 })
    await transmits('t1', unit.id, hub.channelIds[0] ?? null)
    const sends = async (bytes: number) => {
      await fleet.clock.advanceAsync(1000)
      await sent('t1', bytes)
      await fleet.clock.advanceAsync(600_000)
    }
    await sends(40e9)
    await expect
      .poll(() => one('go_plan'))
      .toMatchObject({ usedData: 40, state: 'purchased', overUsage: false })
    expect(await mails()).toEqual([])
    // The other plan is not for this unit.
    expect(await one('smart_plan')).toMatchObject({ usedData: 0, overUsage: false })
    await sends(20e9)
    await expect
      .poll(() => one('go_plan'))
      .toMatchObject({ usedData: 60, state: 'overUsage', overUsage: true })
    const mail = {
      recipient: 'nora@north.example',
      subject: 'Over usage: go_plan of North Broadcasting',
      text: expect.stringContaining('has used 60 GB of go_plan; the package holds 50 GB') as string,
    }
    await expect.poll(mails).toEqual([mail])
    await sends(1e9)
    expect(await mails()).toHaveLength(1)
    expect(
      await nora.call(calls.status, { params: { current: 'north' }, query: { serviceName: 'go_plan' } }),
    ).toEqual([{ serviceName: 'go_plan', status: 'ENABLED' }])
    // A new end is a new term, which counts from zero.
    expect(await change({ name: 'go_plan', expiration: ahead(dayMs) })).toMatchObject({
      usedData: 0,
      overUsage: false,
    })
    await sends(51e9)
    await expect.poll(mails).toHaveLength(2)
  })

  it('[INV-007] does not count for a new term what is measured for the old one at the same time', async () => {
    const unit = await fleet.unit('VAN-1')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    await transmits('t1', unit.id, null)
    await add({ name: 'go_plan', plan: 'PERMANENT', usageType: 'data', packageSize: 50 })
    for (let round = 1; round <= 5; round++) {
      await fleet.clock.advanceAsync(1000)
      await sent('t1', round * 10e9)
      // The measure that begins here still counts for the old term.
      fleet.clock.advance(600_000)
      await change({ name: 'go_plan', expiration: ahead((round + 1) * dayMs) })
      await new Promise((passed) => setTimeout(passed, 30))
      expect(await one('go_plan')).toMatchObject({ usedData: 0 })
    }
  })

  it('[INV-007] notifies of use that the vendor reports too, and again after it went down', async () => {
    await add({ name: 'cellular_cap', usageType: 'data', packageSize: 10, usedData: 11 })
    expect(await mails()).toHaveLength(1)
    await change({ name: 'cellular_cap', usedData: 12 })
    expect(await mails()).toHaveLength(1)
    await change({ name: 'cellular_cap', usedData: 1 })
    await change({ name: 'cellular_cap', usedData: 12 })
    expect(await mails()).toHaveLength(2)
  })

  it('[INV-007] notifies once, however many record at the same time that it is used up', async () => {
    await add({ name: 'cellular_cap', usageType: 'data', packageSize: 10 })
    await Promise.all([11, 12, 13, 14, 15, 16].map((usedData) => change({ name: 'cellular_cap', usedData })))
    expect(await mails()).toHaveLength(1)
  })

  it('counts the units of a plan', () => {
    const groups = ['fieldUnits', 'liteUnits', 'smartUnits', 'ptpUnits'] as const
    const held = (plan: Parameters<typeof planHolds>[0]) => groups.filter((group) => planHolds(plan, group))
    expect(held('ADHOC_SMART')).toEqual(['smartUnits'])
    expect(held('PERMANENT_LITE')).toEqual(['liteUnits'])
    expect(held('PERMANENT')).toEqual(['fieldUnits', 'ptpUnits'])
  })
})
