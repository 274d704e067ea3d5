// The console by keyboard: everything by its name, and the list of keys.

import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'

describe.runIf(hasChromium)('the palette and the sheet of keys', () => {
  let stage: Stage
  let chromium: Chromium
  let unit: StageDevice
  let page: Page

  const open = async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, { name: 'Zürich-Van', groupId: 'london-news' })
    chromium = await openChromium()
    page = chromium.page
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.client.savePreferences, { body: { groupId: 'london-news' } })
    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
    await page.locator('[data-row-id]').first().waitFor()
  }
  const close = async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  beforeEach(async () => {
    await page.goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    await page.getByRole('button', { name: 'Find', exact: true }).waitFor()
  })

  const palette = () => page.getByRole('dialog', { name: 'Find anything' })
  const field = () => palette().getByRole('combobox')
  const chosen = () => palette().getByRole('option', { selected: true })
  const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)

  test('Ctrl K finds screens, units, groups and commands, and the keyboard does the rest', async () => {
    await page.keyboard.press('Control+k')
    await field().waitFor()
    await page.waitForTimeout(200)
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('multi')
    await chosen().getByText('Multiview').waitFor()
    await page.keyboard.press('Enter')
    await isAt('/unit/multiview')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await field().fill('zurich')
    await chosen().getByText('Zürich-Van').waitFor()
    await page.keyboard.press('Enter')
    await isAt('/unit/list')
    await page.locator('[data-row-id][aria-selected="true"]', { hasText: 'Zürich-Van' }).waitFor()
    await page.keyboard.press('Control+k')
    await field().fill('page of')
    await chosen().getByText('Zürich-Van').waitFor()
    await page.keyboard.press('Enter')
    await isAt(`/unit/${unit.id}`)
    await page.keyboard.press('Control+k')
    await field().fill('paris')
    await palette().getByRole('option', { name: 'Paris-News' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await chosen().getByText('Paris-News').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.group-switcher').getByText('Paris-News').waitFor()
  })

  test('an empty result is shown as such, and Escape or Ctrl K close it again', async () => {
    await page.keyboard.press('Control+k')
    await field().fill('no such thing')
    await palette().getByText('Nothing matches').waitFor()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await field().waitFor()
    await page.keyboard.press('Control+k')
    await palette().waitFor({ state: 'detached' })
  })

  test('the question mark shows the keys, and G with a letter goes to its screen', async () => {
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard' })
    await sheet.getByText('Find anything').waitFor()
    await page.waitForTimeout(300)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await isAt('/unit/multiview')
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await isAt('/unit/list')
  })

  test('with keys of a single character switched off all others still work, and the list only shows those', async () => {
    await page.getByRole('button', { name: /menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    await page.getByLabel('Keys of a single character').uncheck()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'OK', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const key of ['?', 'g', 'm', '/']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/unit/list')
    await page.getByRole('button', { name: /menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Keyboard' }).click()
    const sheet = page.getByRole('dialog', { name: 'Keyboard' })
    await sheet.getByText('Find anything').waitFor()
    for (const gone of ['Start or stop', 'Search in the list', 'Go to'])
      expect(await sheet.getByText(gone, { exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await field().waitFor()
  })
})
