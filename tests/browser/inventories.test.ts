// Vendor staff administers customers in the browser; the screen is closed to all others.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const path = '/psg/system_entities/inventories?ignoreRouteDefault=1'

describe.runIf(hasChromium)('inventories in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let root: Person
  const open = async () => {
    stage = await openStage({ demo: 1 })
    root = await signIn(stage.url, 'admin', adminPassword)
    chromium = await openChromium()
  }
  const close = async () => {
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
  const stored = async (search: string) =>
    (await root.call(api.inventories.enhanced, { query: { search } })).items[0]

  test('a super user adds a customer with a secondary, changes its features and deletes it again', async () => {
    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: 'System entities' }).click()
    await shows(['Meridian Sport', 'North Atlantic News'])
    expect(await violations(page())).toEqual([])

    await page().getByRole('button', { name: 'New inventory' }).click()
    const dialog = page().getByRole('dialog')
    await ok()
    await dialog.getByText('This field is required').waitFor()
    await dialog.getByLabel('Name').fill('North Atlantic News')
    await ok()
    await dialog.getByText('Name is already taken. Please select a different name.').waitFor()
    await dialog.getByLabel('Name').fill('Atlantic Weather')
    await dialog.getByLabel('Parent').selectOption({ label: 'North Atlantic News' })
    await dialog.getByLabel('Region').fill('Europe')
    await dialog.getByLabel('Vsim').check()
    expect(await violations(page())).toEqual([])
    await ok()
    await dialog.waitFor({ state: 'detached' })
    await shows(['Meridian Sport', 'North Atlantic News', 'Atlantic Weather'])
    expect(await stored('Atlantic Weather')).toMatchObject({
      parent: 'north-atlantic',
      region: 'Europe',
      properties: { vsim: true, lux: false },
    })

    const row = page().locator('[data-row-id]', { hasText: 'Atlantic Weather' })
    await row.click()
    await page().keyboard.press('F2')
    await dialog.getByLabel('Region').fill('Worldwide')
    await dialog.getByLabel('Vsim').uncheck()
    await dialog.getByLabel('Lux').check()
    await ok()
    await dialog.waitFor({ state: 'detached' })
    expect(await stored('Atlantic Weather')).toMatchObject({
      region: 'Worldwide',
      properties: { vsim: false, lux: true },
    })

    await page().locator('[data-row-id="north-atlantic"]').click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText(/^The inventory is not empty\..* secondary inventories: 1\.$/).waitFor()
    expect(await violations(page())).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })

    await row.click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await shows(['Meridian Sport', 'North Atlantic News'])
    expect(await stored('Atlantic Weather')).toBeUndefined()
  })

  test('an administrator of a customer has no menu item, and a typed address is forbidden', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Units' }).waitFor()
    expect(await page().getByRole('link', { name: 'System entities' }).count()).toBe(0)
    await page().goto(`${stage.url}${path}`)
    await page().getByText('You are not allowed to access this application').waitFor()
  })
})
