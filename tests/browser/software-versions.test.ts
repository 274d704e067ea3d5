// Software versions in the browser: an administrator edits those of their customers, vendor staff all of them.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

describe.runIf(hasChromium)('software versions in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  const open = async () => {
    stage = await openStage({ demo: 1 })
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const ok = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
  const closed = () => dialog().waitFor({ state: 'detached' })
  const row = (text: string) => page().locator('[data-row-id]', { hasText: text })
  const choose = async (field: string, option: string) => {
    await dialog().getByRole('combobox', { name: field }).fill(option)
    await page().getByRole('option', { name: option, exact: true }).click()
  }

  test('[UPG-001] are added, changed and deleted on their screen and below the system settings', async () => {
    const root = await signIn(stage.url, 'admin', adminPassword)
    const ofVendor = { number: '10.1', description: 'For all', products: ['LU-600'] }
    for (const { id } of (await root.call(api.softwareVersions.list, { query: {} })).items)
      await root.call(api.softwareVersions.remove, { params: { id } })
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Software versions' }).click()
    await page().getByText('No software versions yet').waitFor()
    expect(await violations(page())).toEqual([])

    await page().getByRole('button', { name: 'New version' }).first().click()
    await dialog().getByLabel('Number').fill('newest')
    await ok()
    await dialog().getByText('Must match the pattern').first().waitFor()
    await dialog().getByLabel('Number').fill('9.2.6-b77')
    await dialog().getByLabel('Release notes').fill('https://vendor.example/9.2.6')
    await choose('Models', '600')
    await ok()
    await dialog().getByText('This field is required').first().waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('combobox', { name: 'Customers' }).click()
    await page().getByRole('option', { name: 'North Atlantic News' }).click()
    await ok()
    await closed()
    await row('9.2.6-b77').getByText('600', { exact: true }).waitFor()
    expect(await row('9.2.6-b77').getByRole('link').getAttribute('href')).toBe('https://vendor.example/9.2.6')

    const { id } = await root.call(api.softwareVersions.create, { body: ofVendor })
    await page().reload()
    await row('For all').dblclick()
    await dialog().getByText('kept by the vendor').waitFor()
    expect(await dialog().getByRole('button', { name: 'OK', exact: true }).count()).toBe(0)
    await page().keyboard.press('Escape')
    await closed()
    await row('9.2.6-b77').click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await row('9.2.6-b77').waitFor({ state: 'detached' })

    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: 'System settings' }).click()
    const children = page().getByRole('navigation', { name: 'System settings' })
    await children.getByRole('link', { name: 'Software versions' }).click()
    await row('10.1').dblclick()
    await dialog().getByLabel('Deprecated').click()
    await ok()
    await closed()
    expect((await root.call(api.softwareVersions.one, { params: { id } })).deprecated).toBe(true)
    await children.getByRole('link', { name: 'Models of versions' }).click()
    // The screen before has the same button, and a row with the same word.
    await children.locator('[aria-current="page"]', { hasText: 'Models of versions' }).waitFor()
    await row('600').waitFor()
    await page().getByRole('button', { name: 'New model of a version' }).click()
    await dialog().getByRole('combobox', { name: 'Version' }).click()
    await page().getByRole('option', { name: '10.1' }).click()
    await choose('Model', '600')
    await ok()
    await dialog().getByText('This field must be unique').first().waitFor()
    await choose('Model', '810')
    await ok()
    await closed()
    await row('810').waitFor()
    expect(await violations(page())).toEqual([])
    expect((await root.call(api.softwareVersions.one, { params: { id } })).products).toEqual([
      'LU-600',
      'LU-810',
    ])
  })
})
