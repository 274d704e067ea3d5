// Alerts in the browser: the thresholds of a unit, toasts and sounds, and an alert that a user closes for themselves.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('alerts', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const dialog = () => page().getByRole('dialog')
  const tab = (name: string) => dialog().getByRole('tab', { name, exact: true })
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })
  const bell = () => page().getByRole('button', { name: /active alert/ })
  const bellSays = (text: string) => expect.poll(() => bell().getAttribute('aria-label')).toBe(text)
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })
  let person: Person
  let devices: StageDevice[] = []

  beforeAll(async () => {
    person = await signIn(opened.stage.url, 'operator', DEMO_PASSWORD)
    // The frequency of each tone that is started.
    await page().addInitScript(`
      globalThis.tones = []
      const { start } = OscillatorNode.prototype
      OscillatorNode.prototype.start = function (at) {
        globalThis.tones.push(this.frequency.value)
        start.call(this, at)
      }
    `)
  })
  afterAll(() => {
    for (const device of devices) device.close()
  })

  async function join(name: string, more: { product?: string } = {}): Promise<StageDevice> {
    const device = await joinDevice(opened.stage, { name, groupId, ...more })
    devices = [...devices, device]
    return device
  }

  async function openList(): Promise<void> {
    await person.call(api.client.savePreferences, {
      body: { ...defaultPreferences(), groupId, currentRoute: '/unit/list' },
    })
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await page().locator('[data-row-id]').first().waitFor()
  }

  const configure = async (name: string) => {
    await row(name).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Configuration' }).click()
    await tab('Advanced').waitFor()
  }
  const batteryAt = (device: StageDevice, percentage: number) =>
    device.sample({ battery: { connected: true, charging: false, percentage } })

  test('[ALERT-002] the thresholds of a unit are those of the system, of its group, or its own', async () => {
    const unit = await join('Alert-Van')
    await join('Alert-Phone', { product: 'LU-Smart' })
    const chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    const standard = await chief.call(api.alerts.standard, {})
    const thresholds = { ...standard.thresholds, batteryPercent: { warning: 55, critical: 25 } }
    await chief.call(api.alerts.setOfGroup, {
      params: { id: groupId },
      body: { ...standard, mode: 'byGroup', thresholds },
    })
    await openList()
    await configure('Alert-Van')
    await tab('Alerts').click()
    const mode = dialog().getByLabel('Which thresholds')
    const battery = (severity: string) => dialog().getByLabel(`Battery at or below: ${severity}`)
    await expect.poll(() => mode.inputValue()).toBe('byGroup')
    await expect.poll(() => battery('Warning').inputValue()).toBe('55 %')
    expect(await battery('Warning').isDisabled()).toBe(true)
    expect(await dialog().getByLabel('Server processor at: Warning').count()).toBe(0)
    expect(await violations(page())).toEqual([])
    await mode.selectOption('Automatic')
    await expect.poll(() => battery('Warning').inputValue()).toBe('20 %')
    await mode.selectOption('Manual')
    await battery('Warning').fill('40')
    await battery('Critical').fill('45')
    await button('Apply').click()
    await dialog().getByText('Critical must be below warning.').waitFor()
    await battery('Critical').fill('30')
    await dialog().getByRole('switch', { name: 'Camera disconnected' }).click()
    expect(await violations(page())).toEqual([])
    await button('OK').click()
    await dialog().waitFor({ state: 'detached' })
    const params = { id: unit.id }
    expect(await person.call(api.alerts.ofUnit, { params })).toMatchObject({
      mode: 'manual',
      thresholds: { batteryPercent: { warning: 40, critical: 30 }, cameraDisconnected: false },
    })
    batteryAt(unit, 35)
    await bellSays('1 active alert')
    batteryAt(unit, 90)
    await bellSays('0 active alerts')
    await configure('Alert-Phone')
    expect(await tab('Alerts').count()).toBe(0)
    await button('Cancel').click()
    await dialog().waitFor({ state: 'detached' })
  })

  test('[ALERT-005] events of units are shown as toasts, alerts are heard according to the settings, and a user closes an alert for themselves', async () => {
    const unit = await join('Toast-Van')
    await openList()
    const toast = (text: string) => page().getByText(text, { exact: true }).first().waitFor()
    const live = { applications: { video: { state: 'streaming' } } }
    // A page is silent until the user has pressed something.
    await row('Toast-Van').click()
    await page().keyboard.press('Escape')
    unit.report(live)
    await toast('Transmission started')
    unit.report({ applications: {} })
    await toast('Transmission ended')
    unit.report({ applications: { forward: { state: 'running' } } })
    await toast('File upload started')
    unit.report({ applications: { forward: { state: 'success' } } })
    await toast('File upload complete')
    unit.report({ applications: {} })
    unit.close()
    await toast('Unit offline')
    const back = await join('Toast-Van')
    await toast('Unit online')
    back.report(live)
    await row('Toast-Van').getByText('Live').first().waitFor()
    back.close()
    await toast('Unit lost while transmitting')
    const tones = () => page().evaluate('globalThis.tones')
    await expect.poll(tones).toEqual([880, 660, 880])
    await page().evaluate('globalThis.tones.splice(0)')
    const other = await join('Toast-New')
    await toast('Unit joined the group')

    const chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    const standard = await chief.call(api.alerts.standard, {})
    await chief.call(api.alerts.setOfGroup, { params: { id: groupId }, body: standard })
    batteryAt(other, 18)
    await bellSays('1 active alert')
    expect(await tones()).toEqual([])
    batteryAt(other, 7)
    await expect.poll(tones).toEqual([880, 660, 880])

    await bell().click()
    const closing = page().getByRole('button', { name: 'Close for me: Battery low, Toast-New' })
    await closing.first().waitFor()
    expect(await violations(page())).toEqual([])
    await page()
      .locator('[role=dialog]')
      .getByRole('button', { name: /^Close for me/ })
      .click()
    await page().getByText('1 closed by you').waitFor()
    await bellSays('0 active alerts')
    // For themselves: others still see it, and in another browser it is closed too.
    expect(await chief.call(api.alerts.active, { query: { groupId } })).toHaveLength(1)
    await expect.poll(async () => (await person.call(api.client.preferences, {})).alertsClosed.length).toBe(1)
    await page().reload()
    await row('Toast-New').waitFor()
    await bellSays('0 active alerts')
    await bell().click()
    await page().getByRole('button', { name: 'Show again' }).click()
    await bellSays('1 active alert')
    await page()
      .locator('[role=dialog]')
      .getByRole('button', { name: /^Close for me/ })
      .click()
    await bellSays('0 active alerts')
    await page().keyboard.press('Escape')
    batteryAt(other, 90)
    await expect.poll(() => chief.call(api.alerts.active, { query: { groupId } })).toEqual([])
    batteryAt(other, 6)
    await bellSays('1 active alert')
    batteryAt(other, 90)
    await bellSays('0 active alerts')

    await page()
      .getByRole('button', { name: /menu of/ })
      .click()
    await page().getByRole('menuitem', { name: 'Preferences' }).click()
    await dialog().getByRole('switch', { name: 'Critical alerts' }).click()
    await dialog().getByRole('switch', { name: 'Warnings' }).click()
    await dialog().getByRole('checkbox', { name: 'A unit comes online' }).click()
    await button('OK').click()
    await dialog().waitFor({ state: 'detached' })
    await page().evaluate('globalThis.tones.splice(0)')
    batteryAt(other, 18)
    await expect.poll(tones).toEqual([520])
    batteryAt(other, 6)
    await bellSays('1 active alert')
    expect(await tones()).toEqual([520])
  })
})
