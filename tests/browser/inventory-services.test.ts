// The services of a customer in the browser: use, ends and limits, over usage, and the one trial of each.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'

describe.runIf(hasChromium)('inventory services in the browser', () => {
  const opened = openConsole()

  test('[INV-006] [INV-007] an administrator sees what is used, when it ends and what is over, and starts a trial', async () => {
    const { page } = opened.chromium
    const row = (words: string) => page.locator('[data-row-id]', { hasText: words })
    const root = await signIn(opened.stage.url, 'admin', adminPassword)
    const params = { id: 'north-atlantic' }
    await signInOnPage(page, opened.stage.url, 'chief', DEMO_PASSWORD)
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
      .getByText('Cellular cap of North Atlantic News: 62 / 50 GB used. The service continues.')
      .waitFor()
    await row('Ingest').getByText('3 days left').waitFor()
    await row('Our_Own').getByText('Disabled').waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('radiogroup').getByText('Trials', { exact: true }).click()
    await row('Ingest').getByText('Active').waitFor()
    expect(await row('Ingest').getByRole('button').count()).toBe(0)
    expect(await row('Our_Own').count()).toBe(0)
    const dialog = page.getByRole('dialog')
    const start = async (name: string, words: string) => {
      await row(name).getByRole('button', { name: 'Start a trial' }).click()
      await dialog.getByText(words).waitFor()
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Start', exact: true }).click()
      await row(name).getByText('On trial').waitFor()
      expect(await row(name).getByRole('button').count()).toBe(0)
    }
    await start('Graphics', 'The trial lasts for 10 hours of use.')
    await row('Graphics').getByText('0 / 10 h').waitFor()
    await start('Go plan', 'The trial lasts 30 days and begins now.')
    await row('Go plan').getByText('30 days left').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('radiogroup').getByText('Services', { exact: true }).click()
    await row('Go plan').getByText('On trial').waitFor()
  })

  test('[SHELL-019] the vendor gives a customer a service, changes it and removes it, and sets how many licences it holds', async () => {
    const { page } = opened.chromium
    const row = (words: string) => page.locator('[data-row-id]', { hasText: words })
    const dialog = page.getByRole('dialog')
    await signInOnPage(page, opened.stage.url, 'admin', adminPassword)
    await page.getByRole('link', { name: 'Customer services' }).click()
    await page.getByLabel('Inventory').selectOption('North Atlantic News')
    await page.locator('[role=treegrid][aria-busy=false]').waitFor()
    await row('Smart plan').getByText('Not available').waitFor()
    expect(await violations(page)).toEqual([])

    await row('Smart plan').dblclick()
    await dialog.getByLabel('Plan').selectOption('Ad hoc, smart units')
    await dialog.getByLabel('Expires').fill('2030-12-31')
    await dialog.getByLabel('Limit').fill('7')
    await dialog.getByLabel('What is counted').selectOption('Data')
    await dialog.getByLabel('Package (GB)').fill('500')
    await dialog.getByText('Usage of a plan is measured here.').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add' }).click()
    await row('Smart plan').getByText('Purchased').waitFor()
    await row('Smart plan').getByText('0 / 500 GB').waitFor()
    await row('Smart plan').getByText('31 Dec 2030').waitFor()

    await row('Smart plan').dblclick()
    await dialog.getByLabel('Status').selectOption('Disabled')
    await dialog.getByRole('button', { name: 'OK' }).click()
    await row('Smart plan').getByText('Disabled').waitFor()
    await row('Smart plan').getByText('31 Dec 2030').waitFor()

    await row('Smart plan').dblclick()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByText('The trial cannot be used again.').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await row('Smart plan').getByText('Not available').waitFor()

    await page.getByRole('button', { name: 'Another service' }).click()
    await dialog.getByLabel('Service').fill('two words')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByText('Some fields are invalid').waitFor()
    await dialog.getByLabel('Service').fill('Tape_Archive')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await row('Tape_Archive').getByText('Purchased').waitFor()

    await page.getByRole('button', { name: 'Licences' }).click()
    await dialog.getByLabel('Databridge').fill('6')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'OK' }).click()
    await page.getByText('Licences changed').waitFor()
    const root = await signIn(opened.stage.url, 'admin', adminPassword)
    expect(await root.call(api.licences.stock, { params: { id: 'north-atlantic' } })).toContainEqual({
      licence: 'databridge',
      total: 6,
      assigned: 0,
    })
  })
})
