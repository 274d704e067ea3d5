// Grids and everything else that a user arranges: done once, exported as shown, found again in another browser.
import { readFile } from 'node:fs/promises'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import type { UserPreferences } from '@backhaul/contract/nouns/preferences'
import { productOf } from '@backhaul/contract/nouns/products'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import type { Person } from '../stage/person.ts'
import { until } from '../stage/until.ts'

/** The order of the list. */
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

describe.runIf(hasChromium)('the preferences of a user', () => {
  let demo: Demo
  let person: Person
  let chromium: Chromium
  let page: Page

  beforeAll(async () => {
    demo = await openDemo(40, { BACKHAUL_CHAT_URL: 'https://chat.example/' })
    person = await demo.person('operator')
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await demo?.stop()
  })
  beforeEach(async () => {
    await remember({ ...defaultPreferences(), currentRoute: '/unit/list' })
    page = await chromium.context.newPage()
    await signInOnPage(page, demo.url, 'operator', DEMO_PASSWORD)
    await listIsThere()
  })
  afterEach(() => page.close())

  const remember = (body: Partial<UserPreferences>) => person.call(api.client.savePreferences, { body })
  const remembered = () => person.call(api.client.preferences, {})
  const listIsThere = () => page.locator('[data-row-id]').first().waitFor()
  const head = (title: string) => page.getByRole('columnheader', { name: title, exact: true })
  const columns = async () => (await page.locator('[data-grid-title]').allTextContents()).filter(Boolean)
  const isSaved = (what: string, check: (preferences: UserPreferences) => boolean) =>
    until(what, async () => check(await remembered()))

  const widthOf = async (title: string) => Math.round((await head(title).boundingBox())?.width ?? 0)

  async function dragEdge(id: string, px: number): Promise<void> {
    const edge = await page.locator(`[data-column="${id}"] [data-resizer]`).boundingBox()
    const [x, y] = [edge!.x + edge!.width / 2, edge!.y + edge!.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + px, y, { steps: 4 })
    await page.mouse.up()
  }

  async function toggleColumn(title: string): Promise<void> {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.locator('.columns-menu').getByLabel(title, { exact: true }).click()
    await page.keyboard.press('Escape')
    await page.locator('.columns-menu').waitFor({ state: 'detached' })
  }

  test('a change made right before a reload is shown after it, also where core has answered before it stored that', async () => {
    const made = await columns()
    const url = '**/userPreferences/vue'
    const earlier = await person.call(api.client.preferences, {})
    await toggleColumn('RTT')
    await page.route(url, (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ json: { code: 200, data: earlier } })
        : route.continue(),
    )
    await page.reload()
    await listIsThere()
    expect(await columns()).toEqual(made.filter((title) => title !== 'RTT'))
    await page.unroute(url)
  })

  test('[SHELL-021] the menu of a grid exports what is shown, as it is filtered and sorted, and resets the grid', async () => {
    const made = await columns()
    await toggleColumn('RTT')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.locator('[data-part="filters"]').getByRole('button', { name: 'Field', exact: true }).click()
    await page.getByRole('button', { name: 'Unit', exact: true }).click()
    await page.getByRole('button', { name: 'Unit', exact: true }).click()
    await expect.poll(() => head('Unit').getAttribute('aria-sort')).toBe('descending')
    const names = await until('the filtered list of the whole group', async () => {
      const fields = (await demo.units()).filter(({ type }) => productOf(type).group === 'fieldUnits')
      const wanted = fields.map(({ name }) => name).sort((a, b) => compare(b, a))
      const shown = await page.locator('[data-row-id] [data-column="name"]').allTextContents()
      return shown.join() === wanted.join() ? wanted : undefined
    })
    await head('Unit').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Reset grid' }).waitFor()
    expect(await violations(page)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export list' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('units-London-News.csv')
    const bytes = await readFile(await download.path())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [titles, ...rows] = bytes.toString('utf8').slice(1).trimEnd().split('\r\n')
    const shown = made.filter((title) => title !== 'RTT' && title !== 'Action')
    expect(titles).toBe(shown.join(','))
    expect(rows.map((row) => row.split(',')[shown.indexOf('Unit')])).toEqual(names)

    // For a row, the same menu begins with the actions on the unit.
    await page.locator('[data-row-id]').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open full page' }).waitFor()
    await page.getByRole('menuitem', { name: 'Reset grid' }).click()
    await until('all columns', async () => (await columns()).join() === made.join())
    await expect.poll(() => head('Unit').getAttribute('aria-sort')).toBe('none')
    await isSaved('the forgotten grid', ({ gridPrefs }) => gridPrefs.units === undefined)
  })

  test('[SHELL-022] columns, widths and order are remembered, by mouse and by keyboard', async () => {
    const before = await widthOf('Channel')
    await dragEdge('channel', 60)
    await until('the wider column', async () => (await widthOf('Channel')) === before + 60)
    await toggleColumn('Loss')
    const links = page.getByRole('button', { name: 'Links', exact: true })
    await links.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Alt+ArrowLeft')
    await page.getByRole('button', { name: 'Battery', exact: true }).click()
    const arranged = await columns()
    expect(arranged).not.toContain('Loss')
    expect(arranged.indexOf('Links')).toBeLessThan(arranged.indexOf('RTT'))
    await isSaved('the sorted column', ({ gridPrefs }) => gridPrefs.units?.sortState?.key === 'battery')
    const { gridPrefs } = await remembered()
    expect(gridPrefs.units).toMatchObject({ sortState: { key: 'battery', dir: 'asc' } })
    const kept = new Map(gridPrefs.units?.visibleColumns.map(({ key, width }) => [key, width]))
    expect(kept.get('channel')).toBe(before + 60)
    expect(kept.has('loss')).toBe(false)
    const [channelWidth, linksWidth] = [await widthOf('Channel'), await widthOf('Links')]

    await page.reload()
    await listIsThere()
    await expect.poll(columns).toEqual(arranged)
    await expect
      .poll(async () => [await widthOf('Channel'), await widthOf('Links')])
      .toEqual([channelWidth, linksWidth])
    await expect.poll(() => head('Battery').getAttribute('aria-sort')).toBe('ascending')
  })

  test('[SHELL-022] places of units have the width that the screen has to spare, until a user sets another one', async () => {
    const narrow = await widthOf('Location')
    await page.setViewportSize({ width: 2200, height: 1080 })
    await expect.poll(() => widthOf('Location')).toBe(240)
    expect(narrow).toBeLessThan(240)
    await dragEdge('location', -100)
    await expect.poll(() => widthOf('Location')).toBe(140)
    await page.getByRole('button', { name: 'Location', exact: true }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => widthOf('Location')).toBe(156)
    await page.getByRole('button', { name: 'Unit', exact: true }).focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(() => widthOf('Unit')).toBe(224)
    await isSaved('both widths', ({ gridPrefs }) =>
      ['location 156', 'name 224'].every((width) =>
        gridPrefs.units?.visibleColumns.some((column) => `${column.key} ${column.width}` === width),
      ),
    )
  })

  test('[SHELL-026] the preferences of a user are the same in another browser', async () => {
    const [unit] = await demo.ready(1)
    const row = page.locator(`[data-row-id="${unit!.uid}"]`)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('searchbox', { name: 'Search units' }).fill(unit!.name)
    await row.locator('[data-column="name"]').click()
    await page.getByRole('button', { name: 'Close the inspector' }).click()
    await page.getByRole('button', { name: 'Unit', exact: true }).click()
    await page.getByRole('button', { name: /menu of Olivia Hart/ }).click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('switch', { name: 'Critical alerts' }).click()
    await dialog.getByRole('switch', { name: 'Warnings' }).click()
    await dialog.getByRole('checkbox', { name: 'A unit comes online' }).click()
    await dialog.getByLabel('Country of smart units').selectOption({ label: 'France' })
    const chat = page.getByRole('link', { name: 'Chat with support' })
    expect(await chat.getAttribute('href')).toBe('https://chat.example/')
    await dialog.getByRole('checkbox', { name: 'Hide the chat button' }).click()
    await dialog.getByText('Light', { exact: true }).click()
    await dialog.getByRole('button', { name: 'OK' }).click()
    await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
    await chat.waitFor({ state: 'detached' })
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Multiview' }).click()
    await page.locator('[data-part="channel-row"]').first().waitFor()
    const handle = await page.getByRole('separator').boundingBox()
    await page.mouse.move(handle!.x + handle!.width / 2, handle!.y + 200)
    await page.mouse.down()
    await page.mouse.move(handle!.x + 90, handle!.y + 200, { steps: 5 })
    await page.mouse.up()
    expect(await violations(page)).toEqual([])
    // Screens of other areas keep their preferences in the same place.
    const elsewhere = {
      filters: {
        ...(await isFiltered(unit!.name)),
        manageChannels: { open: true, text: 'a', chosen: { type: ['input'] } },
        manageDevice: { open: false, text: 'b', chosen: {} },
        files: { open: true, text: 'c', chosen: {} },
        videoReturn: { open: false, text: 'd', chosen: {} },
      },
      mapData: { zoom: 7, lat: 51.5, lng: -0.12 },
    }
    await remember(elsewhere)
    await until('the wider panel', async () => {
      const { leftPanelWidth } = await remembered()
      return leftPanelWidth > 350 && Math.abs(leftPanelWidth - (await panelWidth(page))) <= 1
    })
    const wanted = await remembered()
    expect(wanted).toMatchObject({
      ...elsewhere,
      groupId: 'london-news',
      inventoryId: 'north-atlantic',
      inventoryName: 'North Atlantic News',
      lastSelectedUnit: unit!.uid,
      gridPrefs: { units: { sortState: { key: 'name', dir: 'asc' } } },
      unitAlertsSettings: { offlineToOnline: false, startedStreaming: true },
      unitAlertsSoundSettings: { critical: false, warning: true },
      currentRoute: '/unit/multiview',
      unitListExpanded: false,
      zendeskChatHidden: true,
      theme: 'light',
    })
    expect(wanted.luSmartCountry).not.toBe(defaultPreferences().luSmartCountry)

    const other = await openChromium()
    try {
      await signInOnPage(other.page, demo.url, 'operator', DEMO_PASSWORD)
      await other.page.waitForURL(/\/unit\/multiview/)
      await other.page.locator('html[data-mantine-color-scheme="light"]').waitFor()
      await until(
        'the same panel',
        async () => Math.abs((await panelWidth(other.page)) - wanted.leftPanelWidth) <= 1,
      )
      await other.page.getByRole('link', { name: 'Units' }).click()
      await other.page.locator(`[data-row-id="${unit!.uid}"][aria-selected="true"]`).waitFor()
      await other.page.locator('[data-part="filters"]').waitFor()
      // A search is not remembered: the next shift sees its whole fleet.
      const search = other.page.getByRole('searchbox', { name: 'Search units' })
      expect(await search.inputValue()).toBe('')
      await other.page.getByRole('button', { name: 'Open the inspector' }).waitFor()
      await expect.poll(remembered).toMatchObject({ ...wanted, currentRoute: '/unit/list' })
    } finally {
      await other.close()
    }
  })

  const panelWidth = async (of: Page) =>
    (await of.locator('[data-part="channel-panel"]').boundingBox())?.width ?? 0

  async function isFiltered(text: string): Promise<UserPreferences['filters']> {
    await isSaved('the filter', ({ filters }) => filters.device?.text === text && filters.device.open)
    return (await remembered()).filters
  }
})
