// Power and pairing of a unit in the browser: each act after a confirmation that names the unit, the reboot of a busy one twice.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'

describe.runIf(hasChromium)('power and pairing of a unit in the browser', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const configuration = () => page().getByRole('dialog', { name: 'Configuration of Power-Van' })
  const question = (title: string) => page().getByRole('dialog', { name: title })
  const button = (name: string) => configuration().getByRole('button', { name, exact: true })
  let unit: StageDevice
  let chief: Person
  beforeAll(async () => {
    unit = await joinDevice(opened.stage, {
      name: 'Power-Van',
      groupId: 'london-news',
      actual: { capabilities: { shutdown: true }, applications: { video: { state: 'streaming' } } },
    })
    chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
  })
  afterAll(() => unit?.close())

  async function openAdvanced(): Promise<void> {
    await page().locator('[data-row-id]', { hasText: 'Power-Van' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Configuration' }).click()
    await configuration().getByRole('tab', { name: 'Advanced', exact: true }).click()
    await button('Reboot').waitFor()
  }

  test('[CONF-022] the unit has a pairing code of its own, and another one on request', async () => {
    await signInOnPage(page(), opened.stage.url, 'chief', DEMO_PASSWORD)
    await openAdvanced()
    const mode = configuration().getByLabel('Admits its machine')
    await expect.poll(() => mode.inputValue()).toBe('off')
    await mode.selectOption('Each time')
    const code = configuration().locator('[data-unit-code]')
    await expect.poll(() => code.textContent()).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    const first = await code.textContent()
    await button('New code').click()
    await expect.poll(() => code.textContent()).not.toBe(first)
    const known = await chief.call(api.unitPairing.code, { params: { id: unit.id } })
    expect(known).toEqual({ mode: 'permanent', code: await code.textContent() })
    expect(await violations(page())).toEqual([])
  })

  test('[STREAM-015] a busy unit is rebooted after a second confirmation, and neither shut down nor unpaired', async () => {
    await expect.poll(() => button('Shut down').isDisabled()).toBe(true)
    await expect.poll(() => button('Remove pairing').isDisabled()).toBe(true)
    await button('Reboot').click()
    const reboot = question('Reboot Power-Van?')
    await reboot.getByRole('button', { name: 'Reboot', exact: true }).click()
    await reboot.getByText('Power-Van is busy. What it does now is interrupted.').waitFor()
    expect(unit.messages.some(({ type }) => type === 'order')).toBe(false)
    expect(await violations(page())).toEqual([])
    await reboot.getByRole('button', { name: 'Reboot anyway' }).click()
    const order = await unit.received('order', ({ name }) => name === 'reboot')
    unit.outcome({ id: order.id, state: 'confirmed' })
    await reboot.waitFor({ state: 'detached' })
    await configuration().getByRole('button', { name: 'Cancel' }).click()
    await configuration().waitFor({ state: 'detached' })
  })

  test('[STREAM-015] an idle unit is shut down, and its pairing removed, after one confirmation each', async () => {
    unit.report({ applications: {} })
    const read = () => chief.call(api.units.one, { params: { id: unit.id } })
    await expect.poll(async () => (await read()).busy).toBe(false)
    await openAdvanced()
    await button('Shut down').click()
    const shutdown = question('Shut down Power-Van?')
    await shutdown.getByRole('button', { name: 'Shut down' }).click()
    const order = await unit.received('order', ({ name }) => name === 'shutdown')
    unit.outcome({ id: order.id, state: 'refused' })
    await shutdown.waitFor({ state: 'detached' })
    await button('Remove pairing').click()
    const removal = question('Remove the pairing of Power-Van?')
    expect(await violations(page())).toEqual([])
    await removal.getByRole('button', { name: 'Remove pairing' }).click()
    await removal.waitFor({ state: 'detached' })
    const { deregisteredAt } = await chief.call(api.deviceAdministration.unit, { params: { id: unit.id } })
    expect(deregisteredAt).not.toBeNull()
    await expect.poll(async () => (await read()).offline).toBe(true)
  })
})
