import { api } from '@backhaul/contract/api/api'
import { because, english, type ReasonFields, reasonFields } from '@backhaul/contract/define/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type NewDevice, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'

const { upgrades: calls, softwareVersions, units, servers } = api

describe.each(enginesOfNight)('upgrades on %s', (engine) => {
  let fleet: TestFleet
  let root: Browser
  let nora: Browser
  let unit: TestDevice
  let version: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
    unit = await joined('U-1')
    version = await released('9.3', { inventories: ['north'] })
    await fleet.pass()
  })
  afterEach(() => fleet.remove())

  async function joined(name: string, more: Partial<NewDevice> = {}): Promise<TestDevice> {
    const device = await fleet.unit(name, { swVersion: '8.5.0', ...more })
    device.report({ capabilities: { upgrade: true, hevc: true } })
    return device
  }
  async function released(number: string, more: object = {}): Promise<string> {
    const body = { number, path: `r/${number}`, products: ['LU-600', 'MMH Server'], ...more }
    return (await root.call(softwareVersions.create, { body })).id
  }
  const set = (versionNumberId: string, upgradeNow = false, { id }: TestDevice = unit, browser = nora) =>
    browser.call(calls.setTarget, { params: { id }, body: { versionNumberId, upgradeNow } })
  const target = ({ id }: TestDevice = unit) => nora.call(calls.target, { params: { id } })
  const upgradeOrder = (device: TestDevice = unit) => device.next('order', ({ name }) => name === 'upgrade')
  const progress = (upgradeId: string, percent: number, resultCode: number | null = null) =>
    unit.send({ type: 'upgradeProgress', upgradeId, percent, resultCode })
  const back = async (device: TestDevice, more: object) => {
    device.socket.terminate()
    await fleet.pass()
    const again = await fleet.again(device, more)
    await again.greet()
    await fleet.pass()
    return again
  }

  it('[UPG-002] are done now: the unit gets the order, reports its progress, and comes back with the version', async () => {
    const follower = await fleet.follow(nora, [`unit.${unit.id}`])
    expect(await target()).toBeNull()
    expect(await set(version, true)).toMatchObject({
      device: unit.id,
      state: 'upgrading',
      percent: 0,
      resultCode: null,
      by: 'nora',
      version: '9.3',
      versionNumberId: version,
    })
    const { id, args } = await upgradeOrder()
    expect(args).toEqual({ upgradeId: id, version: '9.3', path: 'r/9.3' })
    progress('another', 99)
    progress(id, 40)
    await fleet.pass()
    const pushed = () => JSON.stringify(follower.messages)
    expect(pushed()).toMatch(/"kind":"upgradeProgress"[^}]*"upgrade":\{[^}]*"percent":40/)
    await expect(set(version)).rejects.toMatchObject({ code: 409, message: english('upgrade.running') })
    await expect(nora.call(calls.clear, { params: { id: unit.id } })).rejects.toMatchObject({
      code: 409,
      message: english('upgrade.nonePending'),
    })
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(await target()).toMatchObject({ state: 'upgrading' })
    await back(unit, { swVersion: '9.3', bootId: 'second' })
    expect(await target()).toMatchObject({ state: 'succeeded', percent: 100 })
    const shown = await nora.call(units.one, { params: { id: unit.id } })
    expect(shown).toMatchObject({ swVersion: '9.3', upgrade: { state: 'succeeded' } })
  })

  it('[UPG-002] wait until the unit is idle, can be cleared, and are replaced by a newer target', async () => {
    unit.report({ applications: { store: { state: 'running' } } })
    await fleet.pass()
    const busy = { code: 409, message: english('unit.busy') }
    await expect(set(version, true)).rejects.toMatchObject(busy)
    const other = await released('9.2.6')
    await set(other)
    expect(await set(version)).toMatchObject({ state: 'pending', version: '9.3' })
    await fleet.pass(12_000)
    expect(unit.newest('order')).toBeUndefined()
    await nora.call(calls.clear, { params: { id: unit.id } })
    expect(await target()).toBeNull()
    await set(version)
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    unit = await back(unit, {})
    unit.report({ applications: {}, state: 'idle' })
    await fleet.pass(6000)
    expect((await upgradeOrder()).args).toMatchObject({ version: '9.3' })
    expect(await target()).toMatchObject({ state: 'upgrading' })
    // A disconnected unit gets its target when it connects.
    const away = await joined('U-2')
    away.socket.terminate()
    await fleet.pass()
    await expect(set(version, true, away)).rejects.toMatchObject({ message: english('unit.offline') })
    expect(await set(version, false, away)).toMatchObject({ state: 'pending' })
    // A rule that would refuse it later refuses it immediately.
    const foreign = await released('9.4', { products: ['LU-800'] })
    await expect(set(foreign, false, away)).rejects.toMatchObject({ code: 6802 })
  })

  it('[UPG-005] end as the device reports, when it is silent, or when it comes back with the old version', async () => {
    const failed = async (run: (id: string) => Promise<unknown> | unknown) => {
      unit.messages.length = 0
      await set(version, true)
      const { id } = await upgradeOrder()
      await run(id)
      await fleet.pass()
      const { state, resultCode, reason, cause } = (await target()) ?? {}
      return [state, resultCode, reason, cause?.code]
    }
    expect(await failed((id) => progress(id, 30, 105))).toEqual([
      'failed',
      105,
      'Network problem.',
      'device.networkProblem',
    ])
    const stored = () =>
      fleet.db.selectFrom('upgrades').select('cause').where('device_id', '=', unit.id).execute()
    await expect
      .poll(stored)
      .toEqual([{ cause: JSON.stringify({ code: 'device.networkProblem', params: {} }) }])
    // The device may have a more exact reason than that of the code.
    const exact = {
      reason: english('upgrade.badSignature'),
      cause: { code: 'upgrade.badSignature', params: {} },
    }
    expect(
      await failed((upgradeId) =>
        unit.send({ type: 'upgradeProgress', upgradeId, percent: 5, resultCode: 101, ...exact }),
      ),
    ).toEqual(['failed', 101, 'The package is not signed by the key of the device.', 'upgrade.badSignature'])
    const refused = (why: ReasonFields) => (id: string) =>
      unit.send({ type: 'outcome', id, state: 'refused', ...why })
    const inUse = reasonFields('unit.transmitting')
    expect(await failed(refused(inUse))).toEqual(['rejected', null, inUse.reason, 'unit.transmitting'])
    const own = { reason: 'The lid is open' }
    expect(await failed(refused(own))).toEqual(['rejected', null, own.reason, undefined])
    expect(await failed(() => fleet.pass(16 * 60_000))).toEqual([
      'failed',
      105,
      'Network problem.',
      'device.networkProblem',
    ])
    const rebooted = async () => {
      unit = await back(unit, { bootId: 'third' })
    }
    expect(await failed(rebooted)).toEqual(['failed', -1, 'Try rebooting.', 'upgrade.reboot'])
    // It has tried the new version, and reports why that was not kept; an old report changes nothing.
    const leftBehind = (upgradeId: string, bootId: string) => {
      const why = {
        reason: english('upgrade.didNotStart'),
        cause: { code: 'upgrade.didNotStart', params: {} },
      }
      return back(unit, { bootId, failedUpgrade: { upgradeId, resultCode: 101, ...why } })
    }
    expect(
      await failed(async (id) => {
        unit = await leftBehind(id, 'fourth')
      }),
    ).toEqual(['failed', 101, english('upgrade.didNotStart'), 'upgrade.didNotStart'])
    // The code of the reason is enough.
    expect(
      await failed(async (upgradeId) => {
        const cause = { code: 'upgrade.didNotConnect', params: { seconds: 90 } }
        unit = await back(unit, { bootId: 'coded', failedUpgrade: { upgradeId, resultCode: 105, cause } })
      }),
    ).toEqual([
      'failed',
      105,
      english(because('upgrade.didNotConnect', { seconds: 90 })),
      'upgrade.didNotConnect',
    ])
    const events = await nora.call(units.events, { params: { id: unit.id }, query: {} })
    expect(events.find(({ what }) => what?.code === 'upgrade.failed')).toMatchObject({
      text: 'upgrade to 9.3 failed: The new version did not reach core within 90 s; the previous one is running again.',
      severity: 'warning',
    })
    expect(
      await failed(async () => {
        unit = await leftBehind('another', 'fifth')
      }),
    ).toEqual(['failed', -1, 'Try rebooting.', 'upgrade.reboot'])
    // A loss of the connection alone is not a restart.
    expect(
      await failed(async () => {
        unit = await back(unit, {})
      }),
    ).toEqual(['upgrading', null, null, undefined])
  })

  it('[UPG-003] are refused with their codes; a target that is withdrawn while it is pending is rejected', async () => {
    const refused = async (number: string, more: object = {}) =>
      await set(await released(number, more)).then(
        () => undefined,
        ({ code, message }) => [code, message],
      )
    expect(await refused('8.4')).toEqual([409, english('upgrade.downgrade')])
    expect(await refused('10.2')).toEqual([409, english('upgrade.needs9')])
    expect(await refused('9.6', { deprecated: true })).toEqual([6802, english('upgrade.notAllowed')])
    expect(await refused('9.7', { supportedDevices: ['mmhServer'] })).toEqual([
      6810,
      english('upgrade.hardware'),
    ])
    const mute = await fleet.unit('U-3', { swVersion: '8.5.0' })
    await fleet.pass()
    await expect(set(version, false, mute)).rejects.toMatchObject({ message: english('upgrade.unsupported') })
    unit.report({ applications: { store: { state: 'running' } } })
    await fleet.pass()
    await set(version)
    await root.call(softwareVersions.remove, { params: { id: version } })
    await fleet.pass(6000)
    expect(await target()).toMatchObject({ state: 'rejected', resultCode: 6802 })
    const choices = await nora.call(calls.choices, { params: { id: unit.id } })
    expect(choices.map((one) => [one.version, one.refusal?.message])).toEqual([
      ['10.2', english('unit.busy')],
      ['9.7', english('unit.busy')],
      ['8.4', english('unit.busy')],
    ])
  })

  it('[UPG-003] require the server before its units, and a server that receives no unit', async () => {
    const server = await fleet.server('MCR', 1, { swVersion: '9.2.6' })
    const capabilities = {
      protocolsIn: [],
      protocolsOut: [],
      encoders: [],
      ffmpegVersion: null,
      upgrade: true,
    }
    server.report({ capabilities })
    unit.report({ channelId: server.channelIds[0] ?? '' })
    await fleet.pass()
    await expect(set(version)).rejects.toMatchObject({ message: english('upgrade.serverFirst') })
    server.telemetry([{ channelId: server.channelIds[0] ?? '', status: 'collecting' }])
    await fleet.pass()
    await expect(set(version, true, server)).rejects.toMatchObject({
      code: 6808,
      message: english('upgrade.notIdle'),
    })
    expect(await set(version, false, server)).toMatchObject({ state: 'pending' })
    const shown = async () => await nora.call(servers.one, { params: { id: server.id } })
    expect(await shown()).toMatchObject({ targetVersion: '9.3', upgrade: { state: 'pending' } })
    server.telemetry([{ channelId: server.channelIds[0] ?? '', status: 'idle' }])
    await fleet.pass(6000)
    await upgradeOrder(server)
    const again = await back(server, { swVersion: '9.3', bootId: 'second' })
    expect(await shown()).toMatchObject({ targetVersion: null, swVersion: '9.3', state: 'online' })
    const byUnit = { params: { id: unit.id }, body: { versionNumberId: version } }
    expect(await nora.call(calls.setTargetOfUnit, byUnit)).toMatchObject({ version: '9.3' })
    await expect(
      nora.call(calls.setTargetOfUnit, { ...byUnit, params: { id: server.id } }),
    ).rejects.toMatchObject({ code: 404 })
    again.socket.terminate()
    await fleet.pass()
    await expect(set(await released('9.5'), true, server)).rejects.toMatchObject({ code: 6199 })
  })

  it("are for administrators of the device’s customer; units are counted within the caller's scope", async () => {
    const olivia = await fleet.signedIn('olivia')
    await expect(set(version, false, unit, olivia)).rejects.toMatchObject({ code: 403 })
    expect(await olivia.call(calls.target, { params: { id: unit.id } })).toBeNull()
    const stranger = await joined('C-1', { registrationKey: 'key-cairo' })
    await expect(set(version, false, stranger)).rejects.toMatchObject({ code: 404 })
    await expect(target(stranger)).rejects.toMatchObject({ code: 404 })
    await expect(set(version, false, stranger, root)).rejects.toMatchObject({ code: 6802 })
    await expect(set('nowhere')).rejects.toMatchObject({ code: 404 })
    unit.report({ applications: { store: { state: 'running' } } })
    stranger.report({ applications: { store: { state: 'running' } } })
    await fleet.pass()
    const counted = async (browser: Browser) =>
      (await browser.call(calls.applications, {})).find(({ application }) => application === 'store')?.units
    expect([await counted(nora), await counted(root)]).toEqual([1, 2])
  })
})
