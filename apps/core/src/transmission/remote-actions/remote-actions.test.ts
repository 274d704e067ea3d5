import { api } from '@backhaul/contract/api/api'
import { SUPPORT_ACCESS_MS } from '@backhaul/contract/nouns/access-approvals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { type Browser, password } from '../../testing.ts'

const { list, act } = api.remoteActions
const noShutdown = 'The owner of the unit has not allowed its shutdown from here.'
const missing = 'No active access approval for this device.'
const closed = ['reboot', 'shutdown'].map((name) => ({
  name,
  refusal: missing,
  cause: { code: 'access.missing', params: {} },
}))

describe.each(enginesOfNight)('remote actions on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let carl: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('U-1', { serialNumber: 'SN-4711' })
    await fleet.unit('U-2', { serialNumber: 'SN-4712' })
    await fleet.unit('C-1', { registrationKey: 'key-cairo' })
    await fleet.pass()
    for (const [username, userType] of [
      ['carl', 'contractor'],
      ['petra', 'partner'],
    ] as const)
      await fleet.core.users.ensure({
        id: `us-${username}`,
        username,
        password,
        userType,
        firstName: 'Some',
        lastName: 'Body',
        inventories: ['north'],
        groups: ['london'],
      })
    carl = await fleet.signedIn('carl')
  })
  afterEach(() => fleet.remove())

  const find = (browser: Browser, search: string) => browser.call(list, { query: { search } })
  const namesOf = async (browser: Browser, search: string) =>
    (await find(browser, search)).items.map(({ name }) => name)
  const reboot = (browser: Browser) => browser.call(act, { body: { device: unit.id, action: 'reboot' } })
  const grant = async () =>
    await (await fleet.signedIn('olivia')).call(api.accessApprovals.grant, { body: { device: unit.id } })

  it("find a device by its serial number or name, within the caller's scope", async () => {
    expect(await namesOf(carl, 'sn-471')).toEqual(['U-1', 'U-2'])
    expect(await namesOf(carl, '4711')).toEqual(['U-1'])
    expect(await namesOf(carl, 'u-2')).toEqual(['U-2'])
    expect(await namesOf(carl, 'C-1')).toEqual([])
    expect(await namesOf(await fleet.signedIn('root'), '')).toEqual(['C-1', 'U-1', 'U-2'])
    const second = await carl.call(list, { query: { limit: 1, offset: 1 } })
    expect([second.total, second.items.map(({ name }) => name)]).toEqual([2, ['U-2']])
  })

  it('[INV-002] show what may be done now, and until when the customer has approved it', async () => {
    expect((await find(carl, '4711')).items).toMatchObject([
      {
        device: unit.id,
        serialNumber: 'SN-4711',
        inventoryName: 'North Broadcasting',
        offline: false,
        accessUntil: null,
        actions: closed,
      },
    ])
    const { end } = await grant()
    expect((await find(carl, '4711')).items).toMatchObject([
      {
        accessUntil: end,
        actions: [
          { name: 'reboot', refusal: null },
          { name: 'shutdown', refusal: noShutdown },
        ],
      },
    ])
    expect((await find(carl, '4712')).items[0]?.actions).toEqual(closed)
    await fleet.core.inventories.setProperty('north', 'reboot', false)
    expect((await find(carl, '4711')).items[0]?.actions).toEqual([
      { name: 'reboot', refusal: 'Feature disabled', cause: { code: 'feature.disabled', params: {} } },
      { name: 'shutdown', refusal: 'Feature disabled', cause: { code: 'feature.disabled', params: {} } },
    ])
  })

  it('are allowed to contractors and partners with an active access approval, to super users without', async () => {
    const petra = await fleet.signedIn('petra')
    for (const browser of [carl, petra])
      await expect(reboot(browser)).rejects.toMatchObject({ code: 403, message: missing })
    await grant()
    const { commandId } = await reboot(petra)
    expect(await unit.next('order', ({ name }) => name === 'reboot')).toMatchObject({ id: commandId })
    await expect(reboot(carl)).resolves.toMatchObject({ accepted: true })
    fleet.clock.advance(SUPPORT_ACCESS_MS)
    await expect(reboot(await fleet.signedIn('carl'))).rejects.toMatchObject({ code: 403, message: missing })
  })

  it('are refused to all other roles, and for a device out of scope', async () => {
    for (const username of ['nora', 'olivia', 'reed'])
      await expect(reboot(await fleet.signedIn(username))).rejects.toMatchObject({ code: 403 })
    const [{ device = '' } = {}] = (await find(await fleet.signedIn('root'), 'C-1')).items
    await expect(carl.call(act, { body: { device, action: 'reboot' } })).rejects.toMatchObject({ code: 404 })
  })

  it('are in the audit log, done or refused', async () => {
    await reboot(carl).catch(() => {})
    await grant()
    await reboot(carl)
    const root = await fleet.signedIn('root')
    const { items } = await root.call(api.audit.list, { query: { action: 'remoteActions.act' } })
    expect(items).toMatchObject([
      { username: 'carl', objectName: 'U-1', result: 'done', details: { action: 'reboot' } },
      { username: 'carl', details: { device: unit.id }, result: missing },
    ])
  })
})
