// The connections of a unit in the browser: Wi-Fi, modems and which links are used.

import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { UnitModem, WifiStatus } from '@backhaul/contract/nouns/unit-networks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'

const password = 'on-the-road-7'
const wifi: WifiStatus = { port: 2, ssid: 'Van', security: 'wpa', networks: [], scannedAt: null }
const modem: UnitModem = {
  port: 1,
  vendor: 'Maker',
  type: 'Model 5',
  imei: '490154203237518',
  simA: { iccid: '8944054001020304678', eid: '' },
  simB: { iccid: '8944054001020304699', eid: '89049032000000000000000000000001' },
  access: { username: '', authProtocol: 'both', automaticApn: true, apn: '', hasPassword: false },
  networkMode: '3G/4G',
  networkModes: ['3G/4G', '4G'],
  cellId: '00C3D4',
  locationAreaCode: '1A2B',
  selection: { mode: 'automatic', network: null },
  canScan: true,
}
const links = [
  { port: 0, id: 'Ethernet', kind: 'ethernet' as const, enabled: true },
  {
    port: 1,
    id: 'Modem 1',
    kind: 'modem' as const,
    enabled: true,
    carrier: 'Carrier A',
    activeSim: 'A' as const,
  },
  { port: 2, id: 'Wi-Fi', kind: 'wifi' as const, enabled: true },
]
const figures = (up: readonly number[]) => ({
  links: links.map(({ port }) => ({
    port,
    up: up.includes(port),
    kbps: 0,
    downKbps: 0,
    rttMs: null,
    lossPercent: 0,
    rtxPercent: 0,
    capacityKbps: null,
  })),
})

describe.runIf(hasChromium)('the connections of a unit', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const dialog = () => page().getByRole('dialog').first()
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })
  let unit: StageDevice
  let orders = 0

  beforeAll(async () => {
    unit = await joinDevice(opened.stage, {
      name: 'Net-Van',
      groupId: 'london-news',
      actual: { links, wifi: [wifi], modems: [modem], cellularNetworks: [], settings: { totalLimitKbps: 0 } },
    })
    unit.sample(figures([0, 1, 2]))
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await open()
  })
  afterAll(async () => unit?.close())

  async function open(): Promise<void> {
    await page().locator('[data-row-id]', { hasText: 'Net-Van' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Configuration' }).click()
    await dialog().getByLabel('Video complexity').waitFor()
  }
  const part = (name: string) => dialog().getByText(name, { exact: true }).first().click()

  /** The next order of this name, done with this result. */
  async function obey(name: string, actual: Parameters<StageDevice['report']>[0] = {}) {
    const order = await unit.received(
      'order',
      (one) => one.name === name && unit.messages.indexOf(one) >= orders,
    )
    orders = unit.messages.indexOf(order) + 1
    unit.send({ type: 'outcome', id: order.id, state: 'accepted' })
    unit.report(actual)
    unit.send({ type: 'outcome', id: order.id, state: 'confirmed' })
    return order
  }

  test('[CONF-002] a user scans Wi-Fi, connects with a password and disconnects', async () => {
    await dialog().getByRole('tab', { name: 'Connections', exact: true }).click()
    await dialog().getByText('Connected to Van').waitFor()
    // SC-CTAB-11
    await dialog()
      .getByText('may take up to one minute, a network scan 1-2 minutes, an operator change up to 30 seconds')
      .waitFor()
    await button('Scan').click()
    const networks: WifiStatus['networks'] = [
      { ssid: 'Van', security: 'wpa', signalPercent: 80, isKnown: true },
      { ssid: 'Press centre', security: 'wpa3', signalPercent: 60, isKnown: false },
      { ssid: 'Staff', security: 'enterprise', signalPercent: 50, isKnown: false },
    ]
    const found = { ...wifi, networks, scannedAt: Date.now() }
    expect((await obey('wifi_query', { wifi: [found] })).args).toEqual({ port: 2, forceScanNow: true })
    const row = (name: string) => dialog().getByRole('row', { name: new RegExp(`^${name}`) })
    await row('Press centre').waitFor()
    expect(await row('Staff').getByRole('button').isDisabled()).toBe(true)
    await row('Press centre').getByRole('button', { name: 'Connect' }).click()
    await button('Connect to Press centre').click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('Password', { exact: true }).fill('short')
    await button('Connect to Press centre').click()
    await dialog().getByText('The password has 8 to 63 characters.').waitFor()
    await dialog().getByLabel('Password', { exact: true }).fill(password)
    expect(await violations(page())).toEqual([])
    await button('Connect to Press centre').click()
    await dialog().getByText('The unit connects to the network').waitFor()
    const joined = { ...found, ssid: 'Press centre', security: 'wpa3' as const }
    expect((await obey('wifi_connect', { wifi: [joined] })).args).toMatchObject({
      ssid: 'Press centre',
      password,
    })
    await dialog().getByText('Connected to Press centre').waitFor()
    expect(await page().content()).not.toContain(password)
    await button('Disconnect').click()
    await page().getByText('The unit does not join the network again by itself.').waitFor()
    await page().getByRole('dialog').last().getByRole('button', { name: 'Disconnect', exact: true }).click()
    await obey('wifi_disconnect', { wifi: [{ ...found, ssid: null, security: null }] })
    await dialog().getByText('Not connected to a network').first().waitFor()
  })

  test('[CONF-005] [CONF-006] [CONF-007] [CONF-012] a user sets up a modem', async () => {
    await part('Modems')
    await dialog().getByText('490154203237518').waitFor()
    await button('Use SIM B').click()
    const simB = links.map((link) => (link.port === 1 ? { ...link, activeSim: 'B' as const } : link))
    expect((await obey('set_active_sim', { links: simB })).args).toEqual({ ports: [1], sim: 'B' })
    await dialog().getByText('SIM B is in use').waitFor()
    await button('Scan for networks').click()
    await dialog().getByText('The modem scans for networks: 1-2 minutes').waitFor()
    const networks = [
      { code: '24405', name: 'Carrier A', technology: 'LTE', state: 'current' as const },
      { code: '24491', name: 'Carrier B', technology: 'LTE', state: 'available' as const },
    ]
    await obey('network_scan', {
      cellularNetworks: [{ port: 1, networks, selected: null, scannedAt: Date.now() }],
    })
    const row = dialog().getByRole('row', { name: /^Carrier B/ })
    await row.getByRole('button', { name: 'Select' }).click()
    const manual = { ...modem, selection: { mode: 'manual' as const, network: '24491' } }
    expect((await obey('network_select_manual', { modems: [manual] })).args).toEqual({
      port: 1,
      network: '24491',
    })
    await dialog().getByText('Selected by hand: Carrier B').waitFor()
    await button('Select automatically').click()
    await obey('network_select_automatic', { modems: [modem] })
    await dialog().getByText('The modem selects its network automatically').waitFor()

    await dialog().getByLabel('Network mode').selectOption('4G')
    await dialog().getByLabel('Automatic APN').uncheck()
    await dialog().getByLabel('APN', { exact: true }).fill('news.example')
    await dialog().getByLabel('Password', { exact: true }).fill(password)
    await dialog().getByLabel('Data monitoring').selectOption('per data')
    await dialog().getByLabel('Limit', { exact: true }).fill('5000')
    expect(await violations(page())).toEqual([])
    await button('Apply to the modem').click()
    const access = { ...modem.access!, automaticApn: false, apn: 'news.example', hasPassword: true }
    const order = await obey('set_modem_configuration', { modems: [{ ...modem, networkMode: '4G', access }] })
    expect(order.args).toMatchObject({
      port: 1,
      changes: { networkMode: '4G', automaticApn: false, apn: 'news.example' },
      password,
    })
    await dialog().getByText('Used since the reset day: 0 MB of 5000 MB').waitFor()
    expect(await dialog().getByLabel('Password', { exact: true }).inputValue()).toBe('')
  })

  test('[CONF-007] the only connected modem cannot scan, and the console shows why', async () => {
    unit.sample(figures([1]))
    await page().keyboard.press('Escape')
    await open()
    await dialog().getByRole('tab', { name: 'Connections', exact: true }).click()
    await part('Modems')
    const why = 'Cellular scanning not allowed when the modem is the only connected one.'
    await dialog().locator(`[data-tip="${why}"]`).waitFor()
    expect(await button('Scan for networks').isDisabled()).toBe(true)
  })

  test('[CONF-008] a user switches links, and must confirm before fewer than two are left and for the last', async () => {
    unit.sample(figures([0, 1, 2]))
    await page().keyboard.press('Escape')
    await open()
    await dialog().getByRole('tab', { name: 'Network', exact: true }).click()
    const confirm = () => page().getByRole('dialog').last()
    const wantsDisabled = (...ports: number[]) =>
      unit.received('wanted', ({ state }) => state.disabledLinks.join() === ports.join())
    const follow = (disabled: readonly number[]) => {
      unit.report({ links: links.map((link) => ({ ...link, enabled: !disabled.includes(link.port) })) })
      unit.sample(figures([0, 1, 2].filter((port) => !disabled.includes(port))))
    }
    await dialog().getByLabel('Wi-Fi').click()
    await wantsDisabled(2)
    follow([2])
    await dialog().getByText('Disabled').first().waitFor()
    await dialog()
      .getByLabel(/^Modem 1/)
      .click()
    await confirm().getByText('Net-Van will have only one connected link.').waitFor()
    expect(await violations(page())).toEqual([])
    await confirm().getByRole('button', { name: 'Cancel' }).click()
    await dialog()
      .getByLabel(/^Modem 1/)
      .click()
    await confirm().getByRole('button', { name: 'Disable' }).click()
    await wantsDisabled(1, 2)
    follow([1, 2])
    await expect
      .poll(() =>
        dialog()
          .getByLabel(/^Modem 1/)
          .isChecked(),
      )
      .toBe(false)
    await dialog().getByLabel('Ethernet').click()
    await confirm().getByText('This is the last connected link of Net-Van.').waitFor()
    await confirm().getByRole('button', { name: 'Cancel' }).click()
    await dialog()
      .getByLabel(/^Modem 1/)
      .click()
    await wantsDisabled(2)
    follow([2])
  })
})
