import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { SUPPORT_ACCESS_MS } from '@backhaul/contract/nouns/access-approvals'
import type { RemoteActionRequest } from '@backhaul/contract/nouns/remote-actions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import { type Browser, password } from '../../testing.ts'

const { list, act } = api.remoteActions
const noShutdown = 'The owner of the unit has not allowed its shutdown from here.'
const missing = 'No active access approval for this device.'
const ofUnits = [
  'checkAccess',
  'reboot',
  'shutdown',
  'sendLogs',
  'setTargetVersion',
  'clearTargetVersion',
  'deleteCertificate',
] as const
const closed = ofUnits.map((name) =>
  name === 'checkAccess'
    ? { name, refusal: null }
    : { name, refusal: missing, cause: { code: 'access.missing', params: {} } },
)

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
  const perform = (
    action: RemoteActionRequest['action'],
    more: Partial<RemoteActionRequest> = {},
    device = unit.id,
  ) => carl.call(act, { body: { device, action, ...more } })
  /** The next order of this name is answered with this outcome. */
  const answers = (device: TestDevice, name: string, outcome: object) =>
    device
      .next('order', (one) => one.name === name)
      .then((order) => {
        device.messages.splice(device.messages.indexOf(order), 1)
        device.send({ type: 'outcome', id: order.id, ...outcome })
        return order
      })
  const values = () => fleet.core.units.values(unit.id)
  const lacksAccess = { status: 403, message: missing }
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
          { name: 'checkAccess', refusal: null },
          { name: 'reboot', refusal: null },
          { name: 'shutdown', refusal: noShutdown },
          { name: 'sendLogs', refusal: 'The unit cannot send logs.' },
          { name: 'setTargetVersion', refusal: 'The device cannot upgrade itself.' },
          { name: 'clearTargetVersion', refusal: 'No upgrade is pending.' },
          { name: 'deleteCertificate', refusal: null },
        ],
      },
    ])
    expect((await find(carl, '4712')).items[0]?.actions).toEqual(closed)
    await fleet.core.inventories.setProperty('north', 'reboot', false)
    expect((await find(carl, '4711')).items[0]?.actions.slice(1, 3)).toEqual([
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

  it('[STAFF-008] report whether the customer grants access, to super users too, and do nothing to the device', async () => {
    const root = await fleet.signedIn('root')
    const check = (browser: Browser) =>
      browser.call(act, { body: { device: unit.id, action: 'checkAccess' } })
    for (const browser of [carl, root]) await expect(check(browser)).rejects.toMatchObject(lacksAccess)
    await grant()
    for (const browser of [carl, root]) expect(await check(browser)).toEqual({ accepted: true })
    expect(unit.newest('order')).toBeUndefined()
    const { items } = await carl.call(api.accessApprovals.list, { query: { device: unit.id } })
    expect(items).toMatchObject([{ state: 'active', usedBy: null }])
  })

  it('[STAFF-008] have a unit send its logs, which staff then read', async () => {
    unit.report({ capabilities: { logs: true } })
    await until(() => values()?.capabilities.logs === true)
    const request = { description: 'Froze' }
    await expect(perform('sendLogs', request)).rejects.toMatchObject(lacksAccess)
    await grant()
    for (const body of [{}, { description: '  ' }])
      await expect(perform('sendLogs', body)).rejects.toMatchObject({
        status: 400,
        fields: [fault('description', 'field.required')],
      })
    expect(await perform('sendLogs', request)).toMatchObject({ commandId: expect.any(String) })
    const { args } = await answers(unit, 'send_logs', { state: 'confirmed' })
    unit.send({ type: 'logPart', logId: args.logId, at: 0, text: 'started\n', isLast: true })
    const logs = () => carl.call(api.deviceLogs.ofUnit, { params: { id: unit.id } })
    await expect.poll(async () => (await logs())[0]?.state).toBe('complete')
    const [log] = await logs()
    expect(log).toMatchObject({ ...request, by: 'carl' })
    expect(await carl.call(api.deviceLogs.text, { params: { id: log?.id ?? '' } })).toMatchObject({
      text: 'started\n',
    })
    unit.report({ applications: { video: { state: 'streaming' } } })
    await until(() => values()?.busy === true)
    await expect(perform('sendLogs', request)).rejects.toMatchObject({
      status: 409,
      message: 'Send logs only when the unit is online and not transmitting.',
    })
  })

  it('[STAFF-008] set and clear the version that a device is to run', async () => {
    const root = await fleet.signedIn('root')
    const products = [values()?.type ?? '']
    const version = { number: '10.2.0', path: 'agent-10.2.0.bhp', products }
    const { id: versionNumberId } = await root.call(api.softwareVersions.create, { body: version })
    const target = () => carl.call(api.upgrades.target, { params: { id: unit.id } })
    await expect(perform('setTargetVersion', { versionNumberId })).rejects.toMatchObject(lacksAccess)
    await grant()
    await expect(perform('clearTargetVersion')).rejects.toMatchObject({
      status: 409,
      message: 'No upgrade is pending.',
    })
    await expect(perform('setTargetVersion')).rejects.toMatchObject({
      status: 400,
      fields: [fault('versionNumberId', 'field.required')],
    })
    unit.report({ capabilities: { upgrade: true }, applications: { video: { state: 'streaming' } } })
    await until(() => values()?.busy === true)
    await perform('setTargetVersion', { versionNumberId })
    expect(await target()).toMatchObject({ state: 'pending', version: '10.2.0', by: 'carl' })
    const { items } = await carl.call(api.accessApprovals.list, { query: { device: unit.id } })
    expect(items).toMatchObject([{ state: 'used', usedBy: 'carl' }])
    await perform('clearTargetVersion')
    expect(await target()).toBeNull()
    unit.report({ applications: {} })
    await until(() => values()?.busy === false)
    await perform('setTargetVersion', { versionNumberId })
    expect(await unit.next('order', ({ name }) => name === 'upgrade')).toMatchObject({
      args: { version: '10.2.0' },
    })
    expect((await find(carl, '4711')).items[0]?.actions).toContainEqual(
      expect.objectContaining({ name: 'setTargetVersion', refusal: 'The device is being upgraded.' }),
    )
  })

  it('[STAFF-008] void the certificate of a unit, whose machine is then unknown and registers again', async () => {
    await expect(perform('deleteCertificate')).rejects.toMatchObject(lacksAccess)
    await grant()
    unit.report({ applications: { video: { state: 'streaming' } } })
    await until(() => values()?.busy === true)
    await expect(perform('deleteCertificate')).rejects.toMatchObject({
      status: 409,
      message: 'Cannot delete certificate while device busy.',
    })
    unit.report({ applications: {} })
    await until(() => values()?.busy === false)
    void answers(unit, 'delete_certificate', { state: 'refused', reason: 'no key' })
    await expect(perform('deleteCertificate')).rejects.toMatchObject({
      status: 409,
      message: 'Certificate deletion failed.',
    })
    expect(unit.closed).toBeUndefined()
    void answers(unit, 'delete_certificate', { state: 'confirmed' })
    expect(await perform('deleteCertificate')).toEqual({ accepted: true })
    expect(await unit.gone()).toBe(4401)
    // Its old identity is void, also after core was restarted.
    for (const restart of [async () => {}, fleet.restart]) {
      await restart()
      expect(await (await fleet.dial(unit.token)).gone()).toBe(4401)
    }
    carl = await fleet.signedIn('carl')
    await expect(perform('deleteCertificate')).rejects.toMatchObject({
      status: 409,
      message: 'Unit is offline.',
    })
    const again = await fleet.unit('U-1', { serialNumber: 'SN-4711' })
    expect(again.id).toBe(unit.id)
    expect(again.token).not.toBe(unit.token)
  })

  it('[STAFF-008] restart a server and void its certificate once its customer has granted access', async () => {
    const hub = await fleet.server('MCR', 2, { serialNumber: 'SN-9000' })
    const nora = await fleet.signedIn('nora')
    const named = async () => (await find(carl, '9000')).items[0]?.actions.map(({ name }) => name)
    expect(await named()).toEqual([
      'checkAccess',
      'restart',
      'setTargetVersion',
      'clearTargetVersion',
      'deleteCertificate',
    ])
    await expect(perform('restart', {}, hub.id)).rejects.toMatchObject(lacksAccess)
    // One who sees only a group does not decide for the whole customer.
    const olivia = await fleet.signedIn('olivia')
    const body = { device: hub.id }
    await expect(olivia.call(api.accessApprovals.grant, { body })).rejects.toMatchObject({ status: 404 })
    expect(await nora.call(api.accessApprovals.grant, { body })).toMatchObject({ deviceName: 'MCR' })
    for (const action of ['reboot', 'shutdown', 'sendLogs'] as const)
      await expect(perform(action, { description: 'x' }, hub.id)).rejects.toMatchObject({
        status: 400,
        fields: [fault('action', 'remoteAction.notOfDevice')],
      })
    const [first = ''] = hub.channelIds
    await nora.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: first } })
    expect((await find(carl, '9000')).items).toMatchObject([{ kind: 'server', busy: true }])
    await expect(perform('restart', {}, hub.id)).rejects.toMatchObject({
      status: 409,
      message: 'The server receives units.',
    })
    const restarted = answers(hub, 'reset_instance', { state: 'accepted' })
    expect(await perform('restart', { whileBusy: true }, hub.id)).toEqual({ accepted: true })
    await restarted
    await expect(perform('deleteCertificate', {}, hub.id)).rejects.toMatchObject({
      status: 409,
      message: 'Cannot delete certificate while device busy.',
    })
    await nora.call(api.unitCommands.stop, { params: { id: unit.id } })
    void answers(hub, 'delete_certificate', { state: 'confirmed' })
    await perform('deleteCertificate', {}, hub.id)
    expect(await hub.gone()).toBe(4401)
    expect(await (await fleet.dial(hub.token)).gone()).toBe(4401)
    await expect(perform('restart', {}, hub.id)).rejects.toMatchObject({ message: 'Server is offline.' })
    await expect(perform('restart')).rejects.toMatchObject({ status: 403 })
  })
})
