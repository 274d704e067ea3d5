// The upgrade of a unit in the browser: chosen, waiting, cleared, and followed until the unit is back.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

describe.runIf(hasChromium)('upgrades in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let unit: StageDevice
  const van = { name: 'Upgrade-Van', groupId: 'london-news', actual: { capabilities: { upgrade: true } } }
  const open = async () => {
    stage = await openStage({ demo: 1 })
    chromium = await openChromium()
  }
  const close = async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog').first()
  const choose = async (version: string) => {
    await dialog().getByRole('combobox', { name: 'Target version' }).click()
    await page().getByRole('option', { name: version, exact: true }).click()
  }
  const upgrade = () => dialog().getByRole('button', { name: 'Upgrade', exact: true }).click()

  test('[UPG-002] an administrator schedules an upgrade for when a unit is idle, clears it, and upgrades the unit now', async () => {
    unit?.close()
    unit = await joinDevice(stage, { ...van, swVersion: '6.4.2' })
    const root = await signIn(stage.url, 'admin', adminPassword)
    for (const { id } of (await root.call(api.softwareVersions.list, { query: {} })).items)
      await root.call(api.softwareVersions.remove, { params: { id } })
    for (const number of ['7.3', '9.0'])
      await root.call(api.softwareVersions.create, { body: { number, path: 'r', products: ['LU-600'] } })
    unit.report({ applications: { store: { state: 'running' } } })

    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Devices' }).click()
    await page().getByText('All groups').waitFor()
    await page().getByText('Units', { exact: true }).last().click()
    const row = page().locator('[data-row-id]', { hasText: 'Upgrade-Van' })
    await row.waitFor()
    await row.click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Upgrade software' }).click()
    await dialog().getByText('Current version: 6.4.2.').waitFor()
    await choose('9.0')
    await upgrade()
    const tooOld = 'Version 9.x needs 8.5 or above.'
    await dialog().locator('form > [role=alert]', { hasText: tooOld }).waitFor()
    expect(await dialog().getByText(tooOld).count()).toBe(1)
    await choose('7.3')
    await dialog().getByText('The upgrade will wait. Unit is busy.').waitFor()
    await dialog().getByText('Upgrade from 6.x to 7.x needs a new OS.').waitFor()
    await upgrade()
    await dialog().getByText('7.3: pending').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Clear pending upgrade' }).click()
    const question = page().getByRole('dialog', { name: 'Clear the pending upgrade?' })
    await question.getByRole('button', { name: 'Clear pending upgrade' }).click()
    await dialog().getByText('7.3: pending').waitFor({ state: 'detached' })

    unit.report({ applications: {} })
    await dialog().getByText('The upgrade will wait. Unit is busy.').waitFor({ state: 'detached' })
    await dialog().getByLabel('Upgrade now').check()
    await upgrade()
    const { id } = await unit.received('order', ({ name }) => name === 'upgrade')
    unit.send({ type: 'upgradeProgress', upgradeId: id, percent: 40, resultCode: null })
    await dialog().getByText('7.3: upgrading 40%').waitFor()
    expect(await violations(page())).toEqual([])
    unit.close()
    unit = await joinDevice(stage, { ...van, swVersion: '7.3' })
    await dialog().getByText('7.3: succeeded').waitFor()
  })
})
