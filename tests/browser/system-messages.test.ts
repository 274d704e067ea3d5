// A super user announces maintenance; open consoles show it, and follow changed rights, without a reload.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('updates of an open console', () => {
  let stage: Stage
  let chromium: Chromium
  let root: Person
  const open = async () => {
    stage = await openStage({ demo: 1, env: { BACKHAUL_CHAT_URL: 'https://chat.example/' } })
    root = await signIn(stage.url, 'admin', adminPassword)
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)
  afterEach(async () => {
    const { items } = await root.call(api.notifications.list, { query: {} })
    for (const { id } of items) await root.call(api.notifications.remove, { params: { id } })
  })

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const ok = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const write = (body: string, hours: number) =>
    root.call(api.notifications.create, {
      body: { body, expiration: inHours(hours), global: true, inventory: null, intervals: [24, 2] },
    })
  const banner = (text: string) => page().locator('.banner', { hasText: text })

  test('[SHELL-031] [STAFF-005] a super user writes, changes and deletes system messages', async () => {
    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: 'System messages' }).click()
    await page().getByText('No system messages').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'New system message' }).first().click()
    await dialog().getByLabel('Shown until').fill('2020-01-01T10:00')
    await ok()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('Text').fill('Maintenance tonight')
    await ok()
    await dialog().getByText('Must be in the future').first().waitFor()
    await dialog().getByLabel('Shown until').fill(inHours(30).slice(0, 16))
    await dialog().getByLabel('Everyone').uncheck()
    await ok()
    await dialog().getByText('This field is required').first().waitFor()
    await dialog().getByRole('combobox', { name: 'Inventory' }).click()
    await page().getByRole('option', { name: 'Meridian Sport' }).click()
    expect(await violations(page())).toEqual([])
    await ok()
    await dialog().waitFor({ state: 'detached' })
    const row = page().locator('[data-row-id]', { hasText: 'Maintenance tonight' })
    await row.getByText('Meridian Sport').waitFor()
    await banner('Maintenance tonight').waitFor()
    const [stored] = (await root.call(api.notifications.list, { query: {} })).items
    expect(stored).toMatchObject({ inventory: 'meridian', intervals: [24, 2], global: false })

    await row.dblclick()
    await dialog().getByLabel('Everyone').check()
    await ok()
    await dialog().waitFor({ state: 'detached' })
    await row.getByText('Everyone').waitFor()
    await row.click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page().getByText('No system messages').waitFor()
    await banner('Maintenance tonight').waitFor({ state: 'detached' })
  })

  test('[SHELL-031] a message is shown below the top bar until it is dismissed, and remains in the list', async () => {
    const { id } = await write('Ends soon', 1)
    await signInOnPage(page(), stage.url, 'viewer', DEMO_PASSWORD)
    await banner('Ends soon').getByText('System message, ends within 2 hours').waitFor()
    await page().getByRole('button', { name: 'System messages: 1 unread' }).waitFor()
    expect(await violations(page())).toEqual([])
    await banner('Ends soon').getByRole('button', { name: 'Dismiss' }).click()
    await banner('Ends soon').waitFor({ state: 'detached' })
    const viewer = await signIn(stage.url, 'viewer', DEMO_PASSWORD)
    await until('it is remembered', async () => {
      const { readMessages } = await viewer.call(api.client.preferences, {})
      return readMessages[id] === 3
    })
    await page().reload()
    await page().getByRole('button', { name: 'System messages: 0 unread' }).click()
    await page().locator('[data-system-messages]').getByText('Ends soon').waitFor()
    await page().locator('[data-system-messages]').getByText('ends within 2 hours').waitFor()
    expect(await violations(page())).toEqual([])
  })

  test('[USER-007] [SHELL-028] messages, rights and the name of the inventory follow by themselves', async () => {
    const inventory = { id: 'north-atlantic' }
    const { items } = await root.call(api.users.list, { query: { search: 'chief' } })
    const chief = { id: items[0]?.id ?? '' }
    await page().clock.install()
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().locator('[data-current-inventory]', { hasText: 'North Atlantic News' }).waitFor()
    await page().getByRole('link', { name: 'Users' }).waitFor()
    await write('Announced later', 48)
    await root.call(api.inventories.update, { params: inventory, body: { name: 'North Atlantic Media' } })
    // The first request of the console comes within five minutes, perhaps immediately.
    await page().clock.fastForward(300_000)
    await banner('Announced later').waitFor()
    await page().locator('[data-current-inventory]', { hasText: 'North Atlantic Media' }).waitFor()

    await root.call(api.users.change, { params: chief, body: { firstName: 'Ama' } })
    await page().clock.fastForward(300_000)
    await page()
      .getByRole('button', { name: /menu of Ama Osei/ })
      .waitFor()
    await root.call(api.inventories.update, { params: inventory, body: { name: 'North Atlantic News' } })
  })

  test('[SHELL-038] [CONF-024] the preferences of a user: alerts, sounds, map, country and chat', async () => {
    await signInOnPage(page(), stage.url, 'sport', DEMO_PASSWORD)
    await page()
      .getByRole('button', { name: /menu of/ })
      .click()
    await page().getByRole('menuitem', { name: 'Preferences' }).click()
    await dialog().getByLabel('Warnings').check()
    await dialog().getByLabel('A unit comes online').uncheck()
    await dialog().getByLabel('Zoom').fill('7')
    await dialog().getByLabel('Latitude').fill('51.5')
    await dialog().getByLabel('Longitude').fill('-0.12')
    const country = dialog().getByLabel('Country of smart units')
    expect([await country.inputValue(), await country.locator('option').count()]).toEqual(['usa', 249])
    await country.selectOption({ index: 3 })
    await dialog().getByLabel('Hide the chat button').check()
    expect(await violations(page())).toEqual([])
    await ok()
    await dialog().waitFor({ state: 'detached' })
    const sport = await signIn(stage.url, 'sport', DEMO_PASSWORD)
    await until('they are saved', async () => {
      const saved = await sport.call(api.client.preferences, {})
      return (
        saved.unitAlertsSoundSettings.warning &&
        !saved.unitAlertsSettings.offlineToOnline &&
        JSON.stringify(saved.mapData) === JSON.stringify({ zoom: 7, lat: 51.5, lng: -0.12 }) &&
        saved.luSmartCountry !== 'usa' &&
        saved.zendeskChatHidden
      )
    })
  })
})
