// The networks of units through the doors: orders to the unit, what it reports, what is watched, and where no password is left.
import { api } from '@backhaul/contract/api/api'
import type { Order } from '@backhaul/contract/gateway/gateway'
import type { OrderName } from '@backhaul/contract/gateway/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { modemAt, networkedUnit, wifi, wifiPort } from '../../testing/network-calls.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.unitNetworks
const password = 'on-the-road-7'
const conflict = (message: string) => ({ status: 409, message })
const field = (name: string, message: string, status = 400) => ({
  status,
  fields: [{ field: name, message }],
})

describe.each(enginesOfNight)('networks of units on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await networkedUnit(fleet, 'LON-01')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    olivia = await fleet.signedIn('olivia')
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const ofModem = (port: number) => ({ id: unit.id, port })
  const values = () => fleet.core.units.values(unit.id)
  const command = () => values()?.command
  const ordered = (name: OrderName, of = unit): Promise<Order> =>
    of.next('order', (order) => order.name === name)

  const sample = (one: ReturnType<typeof sampleOf>) => unit.send({ type: 'telemetry', samples: [one] })

  /** The unit does what was ordered last. */
  async function obey(order: Order, state: 'confirmed' | 'refused' = 'confirmed', more = {}): Promise<void> {
    unit.send({ type: 'outcome', id: order.id, state: 'accepted' })
    unit.send({ type: 'outcome', id: order.id, state, ...more })
    await until(() => command()?.id === order.id && command()?.state === state)
  }

  /** Nothing that core keeps, shows or logs has the password. */
  async function expectNoPassword(): Promise<void> {
    const events = await olivia.call(api.units.events, { params: params(), query: {} })
    const stored = await fleet.db.selectFrom('commands').selectAll().execute()
    const audit = await fleet.db.selectFrom('audit').selectAll().execute()
    const kept = JSON.stringify([
      values(),
      events,
      stored,
      audit,
      await olivia.call(api.units.byId, { params: params() }),
    ])
    expect(kept).not.toContain(password)
    expect(stored.length).toBeGreaterThan(0)
  }

  it('[CONF-002] scans Wi-Fi, connects and disconnects, and leaves the password with the unit alone', async () => {
    await olivia.call(calls.queryWifi, { params: params(), body: { forceScanNow: true } })
    const query = await ordered('wifi_query')
    expect(query.args).toEqual({ port: wifiPort, forceScanNow: true })
    const networks = [{ ssid: 'Café', security: 'open', signalPercent: 40, isKnown: false } as const]
    unit.report({ wifi: [{ ...wifi, networks, scannedAt: 1_795_000_009_000 }] })
    await until(() => values()?.wifi[0]?.networks[0]?.ssid === 'Café')
    await obey(query)

    const join = { ssid: 'Hidden', security: 'wpa3', password, isHidden: true } as const
    const { commandId } = await olivia.call(calls.connectWifi, { params: params(), body: join })
    const connect = await ordered('wifi_connect')
    expect(connect).toMatchObject({ id: commandId, args: { ...join, port: wifiPort } })
    expect(command()).toMatchObject({ name: 'wifi_connect', args: { ssid: 'Hidden', hasSecret: true } })
    unit.report({ wifi: [{ ...wifi, ssid: 'Hidden', security: 'wpa3' }] })
    await until(() => values()?.wifi[0]?.ssid === 'Hidden')
    await obey(connect)
    await expectNoPassword()

    await olivia.call(calls.disconnectWifi, { params: params(), body: {} })
    const disconnect = await ordered('wifi_disconnect')
    expect(disconnect.args).toEqual({ port: wifiPort })
    unit.report({ wifi: [{ ...wifi, ssid: null, security: null }] })
    await obey(disconnect)
    await expect(olivia.call(calls.disconnectWifi, { params: params(), body: {} })).rejects.toMatchObject(
      conflict('The unit is not connected to a Wi-Fi network.'),
    )
  })

  it('[CONF-002] refuses networks that the unit cannot join', async () => {
    const connect = (body: object) =>
      olivia.call(calls.connectWifi, { params: params(), body: body as never })
    const wpa = { ssid: 'New', security: 'wpa' }
    await expect(connect(wpa)).rejects.toMatchObject(field('password', 'This field is required'))
    await expect(connect({ ...wpa, password: 'short' })).rejects.toMatchObject(
      field('password', 'The password has 8 to 63 characters.'),
    )
    await expect(connect({ ssid: 'Open', security: 'open', password })).rejects.toMatchObject(
      field('password', 'An open network has no password.'),
    )
    await expect(connect({ ...wpa, password, ssid: 'é'.repeat(17) })).rejects.toMatchObject(
      field('ssid', 'The name of a network has at most 32 bytes.'),
    )
    await expect(connect({ ...wpa, password, ssid: '' })).rejects.toMatchObject(
      field('ssid', 'This field is required'),
    )
    for (const security of ['wep', 'enterprise'])
      await expect(connect({ ...wpa, security })).rejects.toMatchObject({ status: 400 })
    await expect(connect({ ...wpa, password, port: 1 })).rejects.toMatchObject(
      field('port', 'The unit has no such interface.'),
    )
    // A known one needs no password.
    await connect({ ssid: 'Van', security: 'wpa' })
    expect((await ordered('wifi_connect')).args).not.toHaveProperty('password')
    const without = await fleet.unit('LON-02')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', without.id).length > 0)
    await expect(
      olivia.call(calls.queryWifi, { params: { id: without.id }, body: {} }),
    ).rejects.toMatchObject(conflict('The unit has no Wi-Fi that can be set from here.'))
    unit.socket.close()
    await until(() => values()?.offline === true)
    await expect(connect({ ...wpa, password })).rejects.toMatchObject(conflict('Unit is offline.'))
  })

  it('an order that cuts the unit off is confirmed when it is back, and not repeated without its password', async () => {
    const body = { ssid: 'Press centre', security: 'wpa3', password } as const
    await olivia.call(calls.connectWifi, { params: params(), body })
    const first = await ordered('wifi_connect')
    unit.send({ type: 'outcome', id: first.id, state: 'accepted' })
    await until(() => command()?.state === 'accepted')
    const back = await fleet.again(unit)
    await back.greet()
    const again = await ordered('wifi_connect', back)
    expect(again).toMatchObject({ id: first.id, args: { password } })
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    const later = await fleet.again(back)
    await later.greet()
    later.report({ state: 'idle' })
    await olivia.call(calls.queryWifi, { params: params(), body: {} })
    await ordered('wifi_query', later)
    expect(later.messages.some((one) => one.type === 'order' && one.name === 'wifi_connect')).toBe(false)
    later.send({ type: 'outcome', id: first.id, state: 'confirmed' })
    const stored = () => fleet.db.selectFrom('commands').selectAll().where('id', '=', first.id).execute()
    await expect.poll(async () => (await stored())[0]?.state).toBe('confirmed')
  })

  it('[CONF-005] reads the configuration of a modem and changes it, without showing its password', async () => {
    sample(sampleOf(1000, { links: [{ ...sampleOf(0).links[0]!, signal: { rsrp: -97 } }] }))
    await until(() => values()?.modems[0]?.signalQualities.rsrp === -97)
    const read = () => olivia.call(calls.modem, { params: ofModem(1) })
    expect(await read()).toEqual({
      port: 1,
      vendor: 'Maker',
      type: 'Model 5',
      imei: '490154203237511',
      simA: { iccid: '8944054001020304671', eid: '' },
      simB: null,
      username: '',
      authProtocol: 'both',
      automaticApn: true,
      apn: '',
      hasPassword: false,
      hasAccess: true,
      networkMode: '3G/4G',
      networkModes: ['3G/4G', '4G'],
      cellId: '00C3D4',
      locationAreaCode: '1A2B',
      selection: { mode: 'automatic', network: null },
      canScan: true,
      signalStrength: -97,
      activeSim: 'A',
      dataMonitoring: { mode: 'none', limit: 0, resetDay: 1 },
      dataUse: null,
    })
    const body = { automaticApn: false, apn: 'news.example', username: 'crew', authProtocol: 'CHAP' } as const
    await olivia.call(calls.setModem, {
      params: ofModem(1),
      body: { ...body, password, networkMode: '4G' },
    })
    const order = await ordered('set_modem_configuration')
    expect(order.args).toMatchObject({ port: 1, changes: { ...body, networkMode: '4G' }, password })
    unit.report({
      modems: [modemAt(1, { access: { ...body, hasPassword: true }, networkMode: '4G' }), modemAt(2)],
    })
    await obey(order)
    expect(await read()).toMatchObject({ ...body, hasPassword: true, networkMode: '4G' })
    await expectNoPassword()
  })

  it('[CONF-005] refuses what the modem does not support, by field', async () => {
    const set = (body: object, port = 1) =>
      olivia.call(calls.setModem, { params: ofModem(port), body: body as never })
    await expect(set({ automaticApn: false })).rejects.toMatchObject(field('apn', 'This field is required'))
    await expect(set({ apn: 'two words' })).rejects.toMatchObject(field('apn', 'Must match the pattern'))
    await expect(set({ networkMode: '3G/4G/5G' })).rejects.toMatchObject(
      field('networkMode', 'The modem does not support 3G/4G/5G.', 409),
    )
    await expect(set({ networkMode: '2G' })).rejects.toMatchObject({ status: 400 })
    await expect(set({ authProtocol: 'EAP' })).rejects.toMatchObject({ status: 400 })
    await expect(set({ dialInString: '*99#' })).rejects.toMatchObject(
      field('dialInString', 'The unit does not support this setting.', 409),
    )
    await expect(set({}, 9)).rejects.toMatchObject(field('port', 'The unit has no such interface.'))
    unit.report({ modems: [modemAt(1, { access: null })] })
    await expect
      .poll(async () => (await olivia.call(calls.modem, { params: ofModem(1) })).hasAccess)
      .toBe(false)
    await expect(set({ apn: 'a' })).rejects.toMatchObject(
      field('apn', 'The unit does not support this setting.', 409),
    )
    const reed = await fleet.signedIn('reed')
    await expect(
      reed.call(calls.setModem, { params: ofModem(1), body: { networkMode: '4G' } }),
    ).rejects.toMatchObject({ status: 403 })
  })

  it('[CONF-006] changes the active SIM of one modem, and of all that have one there', async () => {
    await olivia.call(calls.setActiveSim, { params: params(), body: { port: 2, sim: 'B' } })
    const one = await ordered('set_active_sim')
    expect(one.args).toEqual({ ports: [2], sim: 'B' })
    await obey(one)
    await olivia.call(calls.setActiveSim, { params: params(), body: { all: true, sim: 'A' } })
    const all = await unit.next('order', ({ args }) => args.sim === 'A')
    expect(all.args).toEqual({ ports: [1, 2, 3], sim: 'A' })
    await obey(all)
    await expect(
      olivia.call(calls.setActiveSim, { params: params(), body: { port: 1, sim: 'B' } }),
    ).rejects.toMatchObject(field('sim', 'There is no SIM in slot B.', 409))
  })

  it('[CONF-007] scans for cellular networks, answers the results, and selects by hand and automatically', async () => {
    const results = () => olivia.call(calls.scanResults, { params: params(), body: { port: 1 } })
    const mode = () => olivia.call(calls.selectionMode, { params: params(), body: { port: 1 } })
    expect(await results()).toBeNull()
    expect(await mode()).toEqual({ mode: 'automatic', network: null })
    const follower = await fleet.follow(olivia, [`unit.${unit.id}`])
    await olivia.call(calls.scanNetworks, { params: params(), body: { port: 1 } })
    const scan = await ordered('network_scan')
    expect(scan.args).toEqual({ port: 1 })
    expect(values()?.cellularNetworksUpdated).toBe(false)
    unit.send({ type: 'outcome', id: scan.id, state: 'accepted' })
    // A scan takes minutes.
    await fleet.pass(100_000)
    expect(command()).toMatchObject({ id: scan.id, state: 'accepted' })
    const networks = [
      { code: '24405', name: 'Carrier A', technology: 'LTE', state: 'current' as const },
      { code: '24491', name: 'Carrier B', technology: 'LTE', state: 'available' as const },
    ]
    const found = { port: 1, networks, selected: null, scannedAt: 1_795_000_042_000 }
    unit.report({ cellularNetworks: [found] })
    unit.send({ type: 'outcome', id: scan.id, state: 'confirmed' })
    await until(() => command()?.state === 'confirmed')
    expect(await results()).toEqual(found)
    await fleet.pass()
    const kinds = follower.messages.flatMap((message) => JSON.stringify(message))
    expect(kinds.some((text) => text.includes('"cellularNetworks"') && text.includes('Carrier B'))).toBe(true)
    expect(values()?.cellularNetworksUpdated).toBe(true)

    await olivia.call(calls.selectNetwork, { params: params(), body: { port: 1, network: '24491' } })
    const select = await ordered('network_select_manual')
    expect(select.args).toEqual({ port: 1, network: '24491' })
    unit.report({ modems: [modemAt(1, { selection: { mode: 'manual', network: '24491' } })] })
    await obey(select)
    expect(await mode()).toEqual({ mode: 'manual', network: '24491' })
    await olivia.call(calls.selectAutomatically, { params: params(), body: { port: 1 } })
    await obey(await ordered('network_select_automatic'))
  })

  it('[CONF-007] refuses scans in the words of the specification', async () => {
    const scan = (port = 1) => olivia.call(calls.scanNetworks, { params: params(), body: { port } })
    unit.report({ modems: [modemAt(1), modemAt(2, { canScan: false, selection: null })] })
    await until(() => fleet.core.units.memory(unit.id)?.actual.modems?.length === 2)
    await expect(scan(2)).rejects.toMatchObject(conflict('Scan not supported for this modem.'))
    await expect(
      olivia.call(calls.selectAutomatically, { params: params(), body: { port: 2 } }),
    ).rejects.toMatchObject(conflict('The modem cannot select its network.'))
    const [first, ...others] = sampleOf(1000).links
    sample(sampleOf(1000, { links: [first!, ...others.map((link) => ({ ...link, up: false }))] }))
    await until(() => values()?.modems.length === 1)
    await expect(scan()).rejects.toMatchObject(
      conflict('Cellular scanning not allowed when the modem is the only connected one.'),
    )
    sample(sampleOf(2000))
    await until(() => values()?.modems.length === 3)
    await scan()
    const failed = { code: 'cellularScan.failed', params: {} }
    await obey(await ordered('network_scan'), 'refused', {
      reason: 'Scan failed, please try again.',
      cause: failed,
    })
    expect(command()).toMatchObject({ reason: 'Scan failed, please try again.', cause: failed })
    await expect(
      olivia.call(calls.selectNetwork, { params: params(), body: { port: 1, network: 'EE' } }),
    ).rejects.toMatchObject(field('network', 'Must match the pattern'))
  })

  it('[CONF-004] reads and writes the configuration of a link, of every kind', async () => {
    const read = (port: number) => olivia.call(calls.link, { params: params(), body: { port } })
    expect(await read(wifiPort)).toMatchObject({
      port: wifiPort,
      id: 'wlan0',
      kind: 'wifi',
      enabled: true,
      wifi: { port: wifiPort, ssid: 'Van', security: 'wpa' },
      modem: null,
      priority: null,
    })
    expect(await read(2)).toMatchObject({
      id: 'Modem 2',
      kind: 'modem',
      priority: 1,
      limitKbps: 0,
      wifi: null,
      ethernet: null,
      modem: { port: 2, imei: '490154203237512' },
    })
    const write = (body: object) => olivia.call(calls.setLink, { params: params(), body: body as never })
    await write({
      port: 2,
      enabled: false,
      priority: 2,
      limitKbps: 4000,
      modem: { apn: 'b', automaticApn: false },
    })
    const order = await ordered('set_modem_configuration')
    expect(order.args).toEqual({ port: 2, changes: { apn: 'b', automaticApn: false } })
    const wanted = await unit.next('wanted', ({ state }) => state.disabledLinks.includes(2))
    expect(wanted.state.settings?.links?.[2]).toEqual({ priority: 2, limitKbps: 4000 })
    await expect(write({ port: 9, enabled: true })).rejects.toMatchObject(
      field('port', 'The unit has no such interface.'),
    )
    // All or nothing.
    const { wantedRevision } = fleet.core.devices.get(unit.id)!
    await expect(write({ port: 1, priority: 3, modem: { networkMode: '3G/4G/5G' } })).rejects.toMatchObject({
      status: 409,
    })
    expect(fleet.core.devices.get(unit.id)!.wantedRevision).toBe(wantedRevision)
  })

  it('[CONF-012] counts the data or the hours of a modem until its reset day, and notes when they pass the limit', async () => {
    const read = async (port = 1) => {
      const { dataMonitoring, dataUse } = await olivia.call(calls.modem, { params: ofModem(port) })
      return { ...dataMonitoring, ...dataUse }
    }
    const watch = (dataMonitoring: object, port = 1) =>
      olivia.call(calls.setModem, {
        params: ofModem(port),
        body: { dataMonitoring: dataMonitoring as never },
      })
    expect(await read()).toEqual({ mode: 'none', limit: 0, resetDay: 1 })
    await watch({ mode: 'per data', limit: 1, resetDay: 15 })
    await watch({ mode: 'per hours', limit: 1, resetDay: 1 }, 2)
    expect(await read()).toEqual({ mode: 'per data', limit: 1, resetDay: 15, used: 0, overLimit: false })
    // 1.6 Mbit/s up and 0.8 down for 2 s are 0.6 MB.
    const links = sampleOf(0).links.map((link) => ({ ...link, kbps: 1600, downKbps: 800 }))
    const at = (ts: number) => sample(sampleOf(ts, { links }))
    at(10_000)
    at(11_000)
    await expect.poll(async () => (await read()).used).toBe(0.6)
    expect(await read()).toMatchObject({ used: 0.6, overLimit: false })
    at(12_000)
    at(13_000)
    await expect.poll(async () => (await read()).used).toBe(1.2)
    expect(await read()).toMatchObject({ used: 1.2, overLimit: true })
    const notes = async () =>
      (await olivia.call(api.units.events, { params: params(), query: {} })).filter(
        ({ what }) => what?.code === 'link.overData',
      )
    await expect.poll(async () => (await notes()).length).toBe(1)
    expect((await notes())[0]).toMatchObject({
      kind: 'link',
      severity: 'warning',
      text: 'Modem 1 has used more than 1 MB since its reset day',
    })
    // Once is enough, also after a restart of core.
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    expect(await read()).toMatchObject({ used: 1.2, overLimit: true })
    expect(await read(2)).toMatchObject({ mode: 'per hours', used: 0, overLimit: false })
    const today = new Date(fleet.clock.nowMs()).getUTCDate()
    await watch({ mode: 'per data', limit: 1, resetDay: today })
    expect(await read()).toMatchObject({ used: 0, overLimit: false })
    await watch({ mode: 'none', limit: 0, resetDay: 1 })
    expect(await read()).toEqual({ mode: 'none', limit: 0, resetDay: 1 })
    await expect(watch({ mode: 'per data', limit: 0, resetDay: 1 })).rejects.toMatchObject(
      field('dataMonitoring.limit', 'Must be 1 or more'),
    )
    await expect(watch({ mode: 'per data', limit: 5, resetDay: 32 })).rejects.toMatchObject({ status: 400 })
    await expect(watch({ mode: 'per week', limit: 5, resetDay: 1 })).rejects.toMatchObject({ status: 400 })
  })
})
