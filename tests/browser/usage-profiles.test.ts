// An administrator sets in the browser how much units may use; the unit shows it.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('usage profiles in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  let unit: StageDevice
  const open = async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, { name: 'Usage-Van', groupId: 'london-news' })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
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
  const names = async () =>
    await page().locator('[data-row-id] [role=gridcell]:first-child').allTextContents()
  const shows = (wanted: string[]) =>
    until(`the list ${wanted}`, async () => (await names()).join() === wanted.join())
  const ok = () => page().getByRole('dialog').getByRole('button', { name: 'OK', exact: true }).click()
  const stored = async () => (await chief.call(api.usageProfiles.list, { query: {} })).items

  test('[USER-006] an administrator adds a default, gives a profile to a unit, and deletes an unused one', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Usage profiles' }).click()
    await page().getByText('No usage profiles yet').waitFor()
    expect(await violations(page())).toEqual([])

    await page().getByRole('button', { name: 'New usage profile' }).first().click()
    const dialog = page().getByRole('dialog')
    await ok()
    await dialog.getByText('This field is required').first().waitFor()
    await dialog.getByLabel('Name').fill('Field units')
    await dialog.getByLabel('MBytes a month').fill('50000')
    await dialog.getByLabel('Reset day').fill('32')
    await ok()
    await dialog.getByText('Must be 31 or less').waitFor()
    await dialog.getByLabel('Reset day').fill('31')
    await dialog.getByLabel('Default of the inventory').check()
    expect(await violations(page())).toEqual([])
    await ok()
    await dialog.waitFor({ state: 'detached' })
    await shows(['Field units'])
    await page().getByText('50,000 MB').waitFor()

    await page().getByRole('button', { name: 'New usage profile' }).first().click()
    await dialog.getByLabel('Name').fill('Field units')
    await dialog.getByLabel('Type').selectOption({ label: 'Hours on air' })
    await dialog.getByLabel('Hours a month').fill('40')
    await ok()
    await dialog.getByText('Profile name must be unique.').first().waitFor()
    await dialog.getByLabel('Name').fill('Airtime')
    await dialog.getByRole('tab', { name: 'Units' }).click()
    await dialog.getByRole('checkbox', { name: 'Usage-Van' }).check()
    expect(await violations(page())).toEqual([])
    await ok()
    await dialog.waitFor({ state: 'detached' })
    await shows(['Airtime', 'Field units'])
    const [airtime] = await stored()
    expect(airtime).toMatchObject({ type: 'hours', monthlyLimit: 40, resetDay: 1, isDefault: false })
    const shown = await chief.call(api.units.one, { params: { id: airtime?.units[0] ?? '' } })
    expect(shown.usageInfo).toMatchObject({ type: 'hours', limit: 40 })

    const row = page().locator('[data-row-id]', { hasText: 'Airtime' })
    const remove = async () => {
      await row.click({ button: 'right' })
      await page().getByRole('menuitem', { name: 'Delete' }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
    }
    await remove()
    await dialog.getByText('Profiles still associated cannot be deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await row.dblclick()
    await dialog.getByRole('tab', { name: 'Units' }).click()
    await dialog.getByRole('checkbox', { name: 'Usage-Van' }).uncheck()
    await ok()
    await dialog.waitFor({ state: 'detached' })
    await remove()
    await shows(['Field units'])
  })

  test('an operator reads at the unit what it has used of its profile, and that its limit is passed', async () => {
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD, `/unit/${unit.id}?ignoreRouteDefault=1`)
    await page().getByText('Serial number', { exact: true }).waitFor()
    const reads = (text: RegExp) => page().getByText(text).first().waitFor()
    const used = { name: 'Used', inventory: 'north-atlantic', resetDay: 5, isDefault: false }
    const body = { ...used, units: [unit.id], monthlyLimit: 40 }
    const { id } = await chief.call(api.usageProfiles.create, { body: { ...body, type: 'hours' } })
    await reads(/^0\.0 h of 40\.0 h, counted from day 5$/)
    await chief.call(api.usageProfiles.change, {
      params: { id },
      body: { type: 'data', monthlyLimit: 1 },
    })
    await reads(/^0 B of 1\.0 MB, counted from day 5$/)
    expect(await page().getByText('Limit passed').count()).toBe(0)
    const rates = { kbps: 40_000, downKbps: 0, capacityKbps: 50_000 }
    const modem = { port: 1, up: true, ...rates, rttMs: 50, lossPercent: 0, rtxPercent: 0 }
    await until('the limit to be passed', async () => {
      unit.sample({ links: [modem] })
      return (await page().getByText('Limit passed').count()) > 0
    })
    await reads(/ of 1\.0 MB, counted from day 5/)
    expect(await violations(page())).toEqual([])
  })

  test('[USER-006] an operator has no menu item, and a typed address is forbidden', async () => {
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Units' }).waitFor()
    expect(await page().getByRole('link', { name: 'Usage profiles' }).count()).toBe(0)
    await page().goto(`${stage.url}/manage/usage_profiles?ignoreRouteDefault=1`)
    await page().getByText('You are not allowed to access this application').waitFor()
  })
})
