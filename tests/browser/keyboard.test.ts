// The console by keyboard: from signing in to a stopped transmission, and always on the selected row.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, forgetPerson, hasChromium, openChromium, violations } from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import type { Person } from '../stage/person.ts'
import { until } from '../stage/until.ts'

const group = 'london-news'

describe.runIf(hasChromium)('the keyboard', () => {
  let demo: Demo
  let chromium: Chromium
  let page: Page
  let operator: Person

  beforeAll(async () => {
    demo = await openDemo(40)
    chromium = await openChromium()
    page = chromium.page
    operator = await demo.person('operator')
  })
  afterAll(async () => {
    await chromium?.close()
    await demo?.stop()
  })
  beforeEach(async () => {
    const remembered = { groupId: group, currentRoute: '/unit/list', lastSelectedUnit: null, gridPrefs: {} }
    const filters = { device: { open: false, text: 'no such unit', chosen: {} } }
    await operator.call(api.client.savePreferences, { body: { ...remembered, filters } })
    await forgetPerson(page)
    await page.goto(`${demo.url}/login`)
    await page.locator('input[name="username"]:focus').waitFor()
    await type('operator', 'Tab', DEMO_PASSWORD, 'Enter')
    await focused().waitFor()
  })

  const keys = new Set(['Tab', 'Enter', 'Escape', 'ArrowDown', 'ArrowUp', 'End', 'Control+k'])
  /** Names of keys are pressed, everything else is typed character by character. */
  async function type(...strokes: string[]): Promise<void> {
    for (const stroke of strokes) {
      if (keys.has(stroke)) await page.keyboard.press(stroke)
      else await page.keyboard.type(stroke)
    }
  }
  const focused = () => page.locator('[data-row-id]:focus')
  const selected = () => page.locator('[data-row-id][aria-selected="true"]')
  const search = () => page.getByRole('searchbox', { name: 'Search units' })
  const idOf = (row: ReturnType<typeof focused>) => row.getAttribute('data-row-id')
  const atRow = (at: number) =>
    page.locator(`[data-row-id][data-index="${at}"][aria-selected="true"]:focus`).waitFor()
  const unitNow = (uid: string) => operator.call(api.units.one, { params: { id: uid } })
  const has = (uid: string, what: string, check: (unit: Unit) => boolean) =>
    until(what, async () => check(await unitNow(uid)))
  const inspector = () => page.getByRole('complementary', { name: 'Selected unit' })
  const isLive = () => inspector().getByRole('button', { name: 'Stop', exact: true }).waitFor()
  const isFocused = (uid: string) =>
    page.locator(`[data-row-id="${uid}"][aria-selected="true"]:focus`).waitFor()

  test('leads from signing in through search, channel, start, move, delay and the page of a unit to its stop', async () => {
    const [channel, next] = await demo.free(2)
    const [unit] = await demo.ready(1)
    const { uid, name } = unit!
    await expect.poll(() => idOf(page.locator('[data-row-id][data-index="0"]'))).toBe(await idOf(focused()))
    expect(await selected().count()).toBe(0)
    expect(await inspector().count()).toBe(0)
    await type('ArrowDown')
    await atRow(1)
    await inspector().waitFor()
    await type('j')
    await atRow(2)
    await type('k', 'ArrowUp')
    await atRow(0)

    await type('/', name)
    await page
      .getByRole('status')
      .getByText(/^\d+ of \d+ hidden$/)
      .waitFor()
    expect(await violations(page)).toEqual([])
    await type('Enter')
    await isFocused(uid)
    // The same row again, which was the last to have the focus.
    await type('/', 'Enter')
    await isFocused(uid)
    await type('/', 'Escape')
    await expect.poll(() => search().inputValue()).toBe('')
    await type('Escape')
    await isFocused(uid)

    await type('l')
    await page.getByRole('option', { name: 'No channel' }).waitFor()
    await type(channel!.name)
    await page.getByRole('option', { name: channel!.name }).first().waitFor()
    await type('Enter')
    await expect.poll(() => page.getByLabel('Channel', { exact: true }).inputValue()).toBe(channel!.name)
    await isFocused(uid)

    await type('s')
    await has(uid, 'its transmission', ({ transmission }) => transmission !== null)
    await isLive()
    const { delay } = await unitNow(uid)
    await type('l')
    await page.getByRole('listbox', { name: 'Where to send' }).waitFor()
    expect(await page.getByRole('option', { name: 'No channel' }).count()).toBe(0)
    await type(next!.name)
    await page.getByRole('option', { name: next!.name }).first().waitFor()
    await type('Enter')
    await page.getByRole('dialog', { name: `Move ${name} to ${next!.name}?` }).waitFor()
    await page.locator('[role="dialog"] button:focus').waitFor()
    expect(await violations(page)).toEqual([])
    await type('Tab', 'Enter')
    await has(uid, 'the move', (now) => now.transmission?.channelId === next!.uniqueId)
    await has(uid, 'its new channel', ({ channelId }) => channelId === next!.uniqueId)
    await isLive()
    await isFocused(uid)
    await type('d')
    await inspector().locator('select:focus').waitFor()
    await type('ArrowDown', 'Enter')
    await has(uid, 'another delay', (now) => now.delay !== delay)
    await isFocused(uid)

    await type('Enter')
    await page.waitForURL(`**/unit/${uid}*`)
    await page.getByRole('heading', { name }).waitFor()
    await type('g', 'u')
    await page.waitForURL('**/unit/list')
    await isFocused(uid)
    await type('s')
    await page.getByRole('dialog', { name: `Stop ${name}?` }).waitFor()
    await page.locator('[role="dialog"] button:focus').waitFor()
    await type('Tab', 'Enter')
    await has(uid, 'the stop', ({ transmission }) => transmission === null)
    await isFocused(uid)
  })

  test('acts on the unit that the palette selected, and on none where none is', async () => {
    const [channel] = await demo.free(1)
    const unit = (await demo.ready(3)).at(-1)
    const { uid, name } = unit!
    const first = (await idOf(focused())) ?? ''
    const before = (await unitNow(first)).transmission
    await type('s')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await demo.choose(unit!, channel!)
    await type('Control+k')
    await page.getByRole('combobox', { name: 'Find anything' }).waitFor()
    await type(name)
    await page.getByRole('option', { name, selected: true }).waitFor()
    await type('Enter')
    await isFocused(uid)
    await type('s')
    await has(uid, 'its transmission', ({ transmission }) => transmission !== null)
    expect((await unitNow(first)).transmission).toEqual(before)
    await isLive()
    await type('s')
    await page.getByRole('dialog', { name: `Stop ${name}?` }).waitFor()
    await type('Tab', 'Enter')
    await has(uid, 'the stop', ({ transmission }) => transmission === null)
  })

  test('shows the whole fleet to the next shift, and shows what a filter hides', async () => {
    const servers = await operator.call(api.servers.ofGroup, { params: { id: group } })
    const all = (await demo.units(group)).length + servers.length
    expect(await search().inputValue()).toBe('')
    await expect.poll(() => page.locator('[data-row-id]').count()).toBe(all)
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Offline/ })
      .click()
    await page.getByRole('status').getByText(`of ${all} hidden`).waitFor()
    await page.reload()
    await page.getByRole('status').getByText(`of ${all} hidden`).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => page.locator('[data-row-id]').count()).toBe(all)
    expect(await page.getByText(/hidden$/).count()).toBe(0)
  })
})
