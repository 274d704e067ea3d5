// The services of a customer in the browser: use, ends and limits, over usage, and the one trial of each.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

describe.runIf(hasChromium)('inventory services in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })

  test('[INV-007] an administrator sees what is used, when it ends and what is over, and starts a trial', async () => {
    const { page } = chromium
    const row = (words: string) => page.locator('[data-row-id]', { hasText: words })
    const root = await signIn(stage.url, 'admin', adminPassword)
    const params = { id: 'north-atlantic' }
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Inventory services' }).click()
    await page.getByText('No services', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])

    const usage = { usageType: 'data' as const, packageSize: 50, usedData: 62 }
    await root.call(api.services.add, { params, body: { name: 'cellular_cap', ...usage } })
    const expiration = new Date(Date.now() + 3 * 86_400_000 - 60_000).toISOString()
    await root.call(api.services.add, { params, body: { name: 'ingest', expiration, instanceLimit: 4 } })
    await root.call(api.services.add, { params, body: { name: 'Our_Own', status: 'disabled' } })
    await page.reload()
    await row('Cellular cap').getByText('62 / 50 GB').waitFor()
    await row('Cellular cap').getByText('Over usage').waitFor()
    await page
      .getByText('Cellular cap of North Atlantic News: 62 / 50 GB used. Nothing is cut off.')
      .waitFor()
    await row('Ingest').getByText('3 days left').waitFor()
    await row('Our_Own').getByText('Disabled').waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Start a trial' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The trial lasts 30 days and begins now.').waitFor()
    await dialog.getByLabel('Service').selectOption('Graphics')
    await dialog.getByText('The trial lasts for 10 hours of use.').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await row('Graphics').getByText('On trial').waitFor()
    await row('Graphics').getByText('0 / 10 h').waitFor()
    await page.getByRole('button', { name: 'Start a trial' }).click()
    await dialog.getByLabel('Service').waitFor()
    expect(await dialog.getByLabel('Service').locator('option').allTextContents()).not.toContain('Graphics')
    expect(await dialog.getByLabel('Service').locator('option').allTextContents()).not.toContain('Ingest')
  })
})
