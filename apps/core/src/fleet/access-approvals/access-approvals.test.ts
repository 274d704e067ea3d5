import { api } from '@backhaul/contract/api/api'
import type { UserType } from '@backhaul/contract/define/roles'
import { SUPPORT_ACCESS_MS } from '@backhaul/contract/nouns/access-approvals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import { type Browser, password } from '../../testing.ts'

const { list, grant, revoke } = api.accessApprovals
const refused = { code: 403, message: 'No active access approval for this device.' }
const notFound = { code: 404 }

describe.each(enginesOfNight)('[ACCESS-011] vendor support access on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let hub: TestDevice
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('U-1')
    hub = await fleet.server('MCR', 1, { swVersion: '10.2.0' })
    await fleet.pass()
    olivia = await fleet.signedIn('olivia')
    for (const [username, userType] of [
      ['carl', 'contractor'],
      ['petra', 'partner'],
    ] as const)
      await addPerson(username, userType)
  })
  afterEach(() => fleet.remove())

  const addPerson = (username: string, userType: UserType) =>
    fleet.core.users.ensure({
      id: `us-${username}`,
      username,
      password,
      userType,
      firstName: 'Some',
      lastName: 'Body',
      inventories: ['north'],
      groups: ['london'],
    })
  const opened = (browser = olivia, { id } = unit) => browser.call(grant, { body: { device: id } })
  const listed = async (browser: Browser) => (await browser.call(list, { query: {} })).items
  const reboot = async (username: string) =>
    (await fleet.signedIn(username)).call(api.unitCommands.command, {
      params: { id: unit.id, command: 'reboot' },
      body: {},
    })
  const isoIn = (ms: number) => new Date(fleet.clock.nowMs() + ms).toISOString()

  it('is granted for eight hours by an operator, and shown to the vendor with device, grantor, times, state', async () => {
    const approval = await opened()
    expect(approval).toMatchObject({
      device: unit.id,
      deviceName: 'U-1',
      inventoryName: 'North Broadcasting',
      grantedBy: 'olivia',
      start: isoIn(0),
      end: isoIn(SUPPORT_ACCESS_MS),
      state: 'active',
      usedBy: null,
    })
    expect(SUPPORT_ACCESS_MS).toBe(8 * 3_600_000)
    expect(await listed(await fleet.signedIn('root'))).toEqual([approval])
    expect(await listed(await fleet.signedIn('carl'))).toEqual([approval])
  })

  it('expires by the clock after eight hours', async () => {
    const { id } = await opened()
    fleet.clock.advance(SUPPORT_ACCESS_MS - 1)
    expect((await listed(olivia))[0]?.state).toBe('active')
    fleet.clock.advance(1)
    olivia = await fleet.signedIn('olivia')
    expect((await listed(olivia))[0]).toMatchObject({ id, state: 'expired' })
    await expect(olivia.call(revoke, { params: { id } })).rejects.toMatchObject({
      code: 409,
      message: 'This access has already ended.',
    })
    expect(await opened()).toMatchObject({ state: 'active' })
  })

  it('is granted once at a time, however many try at the same time', async () => {
    const results = await Promise.allSettled([opened(), opened(), opened()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(opened()).rejects.toMatchObject({
      code: 409,
      message: 'Support access to this device is already granted.',
    })
  })

  it('lets contractors and partners reboot while it is open, and is used by the first of them', async () => {
    for (const username of ['carl', 'petra']) await expect(reboot(username)).rejects.toMatchObject(refused)
    expect(await fleet.db.selectFrom('commands').select('id').execute()).toEqual([])
    const approval = await opened()
    await expect(reboot('carl')).resolves.toMatchObject({ accepted: true })
    const used = { ...approval, state: 'used', usedBy: 'carl', usedOn: isoIn(0) }
    expect(await listed(olivia)).toEqual([used])
    await fleet.pass(1000)
    await expect(reboot('petra')).resolves.toMatchObject({ accepted: true })
    expect(await listed(olivia)).toEqual([used])
    fleet.clock.advance(SUPPORT_ACCESS_MS)
    await expect(reboot('carl')).rejects.toMatchObject(refused)
    expect(await listed(await fleet.signedIn('olivia'))).toEqual([used])
  })

  /** The calls that act on a unit or on a server, each made by the given user. */
  const actsOnUnit = (versionNumberId: string, logId: string) => {
    const params = { id: unit.id }
    return [
      (by: Browser) => by.call(api.upgrades.setTarget, { params, body: { versionNumberId } }),
      (by: Browser) => by.call(api.upgrades.setTargetOfUnit, { params, body: { versionNumberId } }),
      (by: Browser) => by.call(api.upgrades.clear, { params }),
      (by: Browser) => by.call(api.deviceLogs.sendOfUnit, { params, body: { description: 'Froze' } }),
      (by: Browser) => by.call(api.deviceLogs.stopOfUnit, { params }),
      (by: Browser) => by.call(api.deviceLogs.ofUnit, { params }),
      (by: Browser) => by.call(api.deviceLogs.text, { params: { id: logId } }),
    ]
  }
  const actsOnServer = (versionNumberId: string, logId: string) => {
    const [server, channel] = [{ id: hub.id }, { id: hub.channelIds[0] as string }]
    const body = { description: 'Froze' }
    return [
      (by: Browser) => by.call(api.upgrades.setTarget, { params: server, body: { versionNumberId } }),
      (by: Browser) => by.call(api.upgrades.clear, { params: server }),
      (by: Browser) => by.call(api.deviceLogs.sendOfChannel, { params: channel, body }),
      (by: Browser) =>
        by.call(api.deviceLogs.sendOfUnit, {
          params: { id: unit.id },
          body: { ...body, includeChannel: true },
        }),
      (by: Browser) => by.call(api.deviceLogs.stopOfChannel, { params: channel }),
      (by: Browser) => by.call(api.deviceLogs.ofChannel, { params: channel }),
      (by: Browser) => by.call(api.deviceLogs.text, { params: { id: logId } }),
    ]
  }

  /** Logs of the unit and its channel, as the administrator got them. */
  async function received(nora: Browser) {
    unit.report({ capabilities: { logs: true, upgrade: true }, channelId: hub.channelIds[0] as string })
    await until(() => fleet.core.units.values(unit.id)?.selChannel?.uniqueId === hub.channelIds[0])
    const params = { id: unit.id }
    await nora.call(api.deviceLogs.sendOfUnit, {
      params,
      body: { description: 'Froze', includeChannel: true },
    })
    for (const device of [unit, hub]) {
      const { args } = await device.next('order', ({ name }) => name === 'send_logs')
      device.send({ type: 'logPart', logId: args.logId, at: 0, text: 'started\n', isLast: true })
    }
    const logs = () => nora.call(api.deviceLogs.ofUnit, { params })
    await expect.poll(async () => (await logs()).map(({ state }) => state)).toEqual(['complete', 'complete'])
    const idOf = async (source: string) => (await logs()).find((log) => log.source === source)?.id ?? ''
    return { ofUnit: await idOf('unit'), ofChannel: await idOf('channel') }
  }

  it('lets contractors and partners set software versions, and request and read logs, only while it is open', async () => {
    const [root, nora] = [await fleet.signedIn('root'), await fleet.signedIn('nora')]
    const body = { number: '10.2.0', path: 'r/10.2.0', products: ['LU-600', 'MMH Server'] }
    const { id: version } = await root.call(api.softwareVersions.create, { body })
    const logs = await received(nora)
    const ofUnit = actsOnUnit(version, logs.ofUnit)
    const ofServer = actsOnServer(version, logs.ofChannel)
    const people = [await fleet.signedIn('carl'), await fleet.signedIn('petra')]
    for (const by of people)
      for (const act of [...ofUnit, ...ofServer]) await expect(act(by)).rejects.toMatchObject(refused)

    await opened()
    const [carl] = people as [Browser]
    const text = (id: string) => carl.call(api.deviceLogs.text, { params: { id } })
    expect(await text(logs.ofUnit)).toMatchObject({ text: 'started\n' })
    expect(await listed(olivia)).toMatchObject([{ state: 'active' }])
    const params = { id: unit.id }
    await carl.call(api.deviceLogs.sendOfUnit, { params, body: { description: 'Froze' } })
    expect((await listed(olivia))[0]).toMatchObject({ state: 'used', usedBy: 'carl' })
    await carl.call(api.deviceLogs.stopOfUnit, { params })
    expect(await carl.call(api.deviceLogs.ofUnit, { params })).toHaveLength(3)
    await carl.call(api.upgrades.setTarget, { params, body: { versionNumberId: version } })
    expect(await nora.call(api.upgrades.target, { params })).toMatchObject({ version: '10.2.0', by: 'carl' })
    for (const act of ofServer) await expect(act(carl)).rejects.toMatchObject(refused)

    fleet.clock.advance(1000)
    await opened(nora, hub)
    expect(await text(logs.ofChannel)).toMatchObject({ text: 'started\n' })
    const channel = { id: hub.channelIds[0] as string }
    await carl.call(api.deviceLogs.sendOfChannel, { params: channel, body: { description: 'Froze' } })
    expect(await listed(nora)).toMatchObject([{ device: hub.id, state: 'used', usedBy: 'carl' }, {}])
    await carl.call(api.deviceLogs.stopOfChannel, { params: channel })
    expect(await carl.call(api.deviceLogs.ofChannel, { params: channel })).toHaveLength(2)

    fleet.clock.advance(SUPPORT_ACCESS_MS)
    const again = await fleet.signedIn('carl')
    for (const act of [...ofUnit, ...ofServer]) await expect(act(again)).rejects.toMatchObject(refused)
  })

  it('ends when the customer revokes it', async () => {
    const { id } = await opened()
    fleet.clock.advance(1000)
    expect(await olivia.call(revoke, { params: { id } })).toMatchObject({ state: 'expired', end: isoIn(0) })
    await expect(reboot('carl')).rejects.toMatchObject(refused)
    expect(await opened()).toMatchObject({ state: 'active' })
  })

  it('is not required for super users and administrators, but used by a super user', async () => {
    await expect(reboot('nora')).resolves.toMatchObject({ accepted: true })
    await opened()
    await expect(reboot('nora')).resolves.toMatchObject({ accepted: true })
    expect((await listed(olivia))[0]).toMatchObject({ state: 'active' })
    const root = await fleet.signedIn('root')
    await root.call(api.unitCommands.setDelay, { params: { id: unit.id }, body: { delay: 2000 } })
    expect((await listed(olivia))[0]).toMatchObject({ state: 'used', usedBy: 'root' })
    await fleet.core.inventories.setProperty('north', 'reboot', false)
    await expect(reboot('nora')).rejects.toMatchObject({ status: 409, message: 'Feature disabled' })
    await fleet.core.inventories.setProperty('north', 'reboot', true)
  })

  it('is for one device only', async () => {
    const other = await fleet.unit('U-2')
    await fleet.pass()
    await opened()
    const carl = await fleet.signedIn('carl')
    const params = { id: other.id, command: 'reboot' as const }
    await expect(carl.call(api.unitCommands.command, { params, body: {} })).rejects.toMatchObject(refused)
  })

  it("is granted by no other role, and only within the caller's scope", async () => {
    for (const username of ['reed', 'carl', 'petra', 'vera'])
      await expect(opened(await fleet.signedIn(username))).rejects.toMatchObject({ code: 403 })
    const { id } = await opened()
    const sam = await fleet.signedIn('sam')
    await expect(opened(sam)).rejects.toMatchObject(notFound)
    await expect(sam.call(revoke, { params: { id } })).rejects.toMatchObject(notFound)
    await expect(sam.call(list, { query: { device: unit.id } })).rejects.toMatchObject(notFound)
    expect(await listed(sam)).toEqual([])
    expect(await opened(await fleet.signedIn('nora')).catch((error) => error.code)).toBe(409)
  })

  it('is in the audit log with its device', async () => {
    const { id } = await opened()
    await olivia.call(revoke, { params: { id } })
    const nora = await fleet.signedIn('nora')
    const { items } = await nora.call(api.audit.list, { query: { username: 'olivia' } })
    expect(items.filter(({ action }) => action.startsWith('accessApprovals'))).toMatchObject([
      { action: 'accessApprovals.revoke', objectName: 'U-1', result: 'done' },
      { action: 'accessApprovals.grant', objectName: 'U-1', result: 'done' },
    ])
  })
})
