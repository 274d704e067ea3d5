// A failed read is reported with the same text on every list, and repeated on request.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

/** The menu items of the screens with a grid, by user; the list of units has a test of its own. */
const screens = {
  chief: ['Users', 'Groups', 'Usage profiles', 'Outbox', 'Audit log', 'Inventory services', 'Usage reports'],
  admin: ['System entities', 'System messages'],
}

describe.runIf(hasChromium)('a list that cannot be read', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page

  const open = async () => {
    stage = await openStage({ demo: 2 })
    chromium = await openChromium()
    page = chromium.page
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  /** A server in trouble: every read of data fails, while the page itself is served. */
  const breakReads = () =>
    page.route('**/luc-core-web/rest/**', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 500, body: 'down' }) : route.fallback(),
    )
  const failed = () => page.getByRole('heading', { name: 'Items cannot be displayed', exact: true })

  for (const [username, names] of Object.entries(screens))
    test(`[SHELL-023] is reported on every screen of ${username}, and is read again on request`, async () => {
      await page.unrouteAll()
      await signInOnPage(page, stage.url, username, username === 'admin' ? adminPassword : DEMO_PASSWORD)
      const menu = page.getByRole('navigation')
      await menu.getByRole('link', { name: 'Multiview' }).click()
      for (const name of names) {
        await breakReads()
        await menu.getByRole('link', { name, exact: true }).click()
        await failed().waitFor()
        await page.getByText('Generic Error. Please contact support', { exact: true }).waitFor()
        expect([name, await violations(page)]).toEqual([name, []])
        await page.unrouteAll()
        await page.getByRole('button', { name: 'Try again' }).click()
        await failed().waitFor({ state: 'detached' })
        await page.locator(':has(> [role=treegrid]):not(:has([data-grid-skeleton]))').waitFor()
        await page.locator('[data-row-id], [data-grid-state] h2').first().waitFor()
      }
    })

  test('[SHELL-039] features that are switched off for a customer are refused with their text', async () => {
    const root = await signIn(stage.url, 'admin', adminPassword)
    await root.call(api.inventories.update, {
      params: { id: 'north-atlantic' },
      body: { properties: { reboot: false } },
    })
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const unit = await joinDevice(stage, { name: 'Booted-Van', groupId: 'london-news' })
    const params = { id: unit.id, command: 'reboot' as const }
    await expect(chief.call(api.unitCommands.command, { params, body: {} })).rejects.toMatchObject({
      status: 409,
      message: 'Feature disabled',
    })
    unit.close()
  })
})
