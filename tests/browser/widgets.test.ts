// The common elements of all screens: quick search, cut text, footers, multiple selection, disabled controls.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { MEMBERSHIPS_MAX } from '@backhaul/contract/nouns/users'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goWithin } from '../stage/addresses.ts'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { cutForGood } from '../stage/cut-texts.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const groupId = 'london-news'
const inventory = 'north-atlantic'
const notForUserType = 'Not available for your user type'
const longName = `Outside-broadcast-van-${'with-a-name-that-goes-on-'.repeat(4)}and-ends`

/** The little of a page's own types that is needed here. */
interface Watched extends EventTarget {
  hasAttribute(name: string): boolean
}
interface Clocked {
  MutationObserver: new (run: () => void) => { observe(what: Watched, how: object): void }
  closedAfterMs?: number
}

describe.runIf(hasChromium)('what every screen is made of', () => {
  let stage: Stage
  let unit: StageDevice
  let chromium: Chromium
  let page: Page
  let chief: Person

  beforeAll(async () => {
    stage = await openStage({ demo: 4 })
    unit = await joinDevice(stage, { name: 'Role-Van', groupId })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    chromium = await openChromium()
    page = chromium.page
  })
  afterAll(async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  })

  const open = (path: string) => page.goto(`${stage.url}${path}?ignoreRouteDefault=1`)
  const enter = async (username: string, password = DEMO_PASSWORD) => {
    await signInOnPage(page, stage.url, username, password)
    await page.getByRole('link', { name: 'Units' }).waitFor()
  }
  const tooltip = (text: string) => page.getByRole('tooltip').getByText(text, { exact: true }).waitFor()

  test('[SHELL-018] [LIVE-007] quick search opens when it is pointed at, and closes 500 ms after it was left', async () => {
    await enter('chief')
    await open('/unit/list')
    const search = page.locator('search.quick-search')
    const width = async () => (await search.boundingBox())?.width ?? 0
    await search.waitFor()
    expect(await width()).toBeLessThan(40)
    await search.hover()
    await until('the open box', async () => (await width()) > 200)
    // From the moment the pointer leaves, by the page's own clock.
    await search.evaluate((box: Watched) => {
      const page = globalThis as unknown as Clocked
      box.addEventListener('pointerleave', () => {
        const left = performance.now()
        const watch = new page.MutationObserver(() => {
          if (!box.hasAttribute('data-open')) page.closedAfterMs ??= performance.now() - left
        })
        watch.observe(box, { attributes: true })
      })
    })
    await page.mouse.move(720, 600)
    await until('the closed box', async () => (await width()) < 40)
    const closedAfterMs = await page.evaluate(() => (globalThis as unknown as Clocked).closedAfterMs)
    expect(closedAfterMs).toBeGreaterThanOrEqual(495)
    // With the cursor or with text in it the box remains open.
    await page.keyboard.press('/')
    await page.keyboard.type('role')
    await page.locator('[data-row-id]', { hasText: 'Role-Van' }).waitFor()
    await page.mouse.move(720, 600)
    await pause(700)
    expect(await width()).toBeGreaterThan(200)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await until('the closed box', async () => (await width()) < 40)
  })

  test('[SHELL-020] texts that do not fit end in dots and are shown whole in a tooltip, on every screen', async () => {
    const root = await signIn(stage.url, 'admin', adminPassword)
    await chief.call(api.units.update, { params: { id: unit.id }, body: { name: longName } })
    await chief.call(api.groupAdministration.create, { body: { name: longName, inventory } })
    await root.call(api.inventories.create, { body: { name: longName, region: longName } })
    await page.setViewportSize({ width: 1000, height: 900 })
    const screens = {
      chief: [
        '/unit/list',
        '/unit/multiview',
        `/unit/${unit.id}`,
        '/manage/users',
        '/manage/groups',
        '/manage/usage_profiles',
        '/manage/outbox',
        '/manage/audit',
        '/services/inventory_services',
        '/services/reports',
      ],
      admin: ['/psg/system_entities/inventories', '/psg/system_settings/client_notification'],
    }
    for (const [username, paths] of Object.entries(screens)) {
      await enter(username, username === 'admin' ? adminPassword : DEMO_PASSWORD)
      for (const path of paths) {
        await goWithin(page, path)
        await page.locator('#content :is([role=row], h2, button)').first().waitFor()
        await page.locator('[data-grid-skeleton]').waitFor({ state: 'detached' })
        // Late parts of a screen, such as the columns that fit.
        await pause(400)
        expect([path, await cutForGood(page)]).toEqual([path, []])
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await enter('chief')
    await open('/manage/groups')
    const cell = page.locator('[data-row-id] .clip', { hasText: longName }).first()
    await cell.hover()
    await tooltip(longName)
    // Texts that fit need no tooltip.
    await page.locator('[data-row-id] .clip', { hasText: 'London-News' }).first().hover()
    await pause(600)
    expect(await page.getByRole('tooltip').count()).toBe(0)
  })

  test('[SHELL-037] no more than the maximum can be selected, and the field shows it', async () => {
    const groups: string[] = []
    for (let at = 0; at <= MEMBERSHIPS_MAX; at++) {
      const made = await chief.call(api.groupAdministration.create, {
        body: { name: `Desk-${at}`, inventory },
      })
      groups.push(made.uid)
    }
    const words = `Select at most ${MEMBERSHIPS_MAX} items.`
    const person = {
      username: 'member.of.many',
      firstName: 'Mona',
      lastName: 'Many',
      userType: 'regular' as const,
      password: 'Correct-horse-7',
      passwordConfirmation: 'Correct-horse-7',
      inventories: [inventory],
    }
    await expect(chief.call(api.users.create, { body: { ...person, groups } })).rejects.toMatchObject({
      fields: [{ field: 'groups', message: words }],
    })
    await chief.call(api.users.create, { body: { ...person, groups: groups.slice(1) } })
    await open('/manage/users')
    await page.locator('[data-row-id]', { hasText: 'member.of.many' }).dblclick()
    const dialog = page.getByRole('dialog', { name: 'User member.of.many' })
    const field = dialog.getByLabel('Groups', { exact: true }).first()
    await field.fill('Desk-0')
    await page.getByRole('option', { name: 'Desk-0', exact: true }).click()
    await dialog.getByText(words, { exact: true }).waitFor()
    await dialog.getByLabel('Label').focus()
    await page.getByRole('option').first().waitFor({ state: 'hidden' })
    expect(await violations(page)).toEqual([])
    await field.fill('Desk-7')
    await page.getByRole('option', { name: 'Desk-7', exact: true }).click()
    await dialog.getByText(words, { exact: true }).waitFor({ state: 'detached' })
    await field.fill('Desk-0')
    await page.getByRole('option', { name: 'Desk-0', exact: true }).click()
    await dialog.getByLabel('Label').focus()
    await dialog.getByRole('button', { name: 'OK', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const { items } = await chief.call(api.users.list, { query: { limit: 10, search: 'member.of.many' } })
    expect(items[0]?.groups).toHaveLength(MEMBERSHIPS_MAX)
  })

  test('[SHELL-025] a control that is closed to the user type shows the reason on hover', async () => {
    await chief.call(api.units.update, { params: { id: unit.id }, body: { name: 'Role-Van' } })
    const viewer = await signIn(stage.url, 'viewer', DEMO_PASSWORD)
    await viewer.call(api.client.savePreferences, { body: { groupId } })
    await enter('viewer')
    await open('/unit/list')
    const startInRow = page.getByRole('button', { name: 'Start Role-Van' })
    await startInRow.hover()
    await tooltip(notForUserType)
    // At the edge of the page too the reason is next to its control.
    const tip = await page.getByRole('tooltip').boundingBox()
    const control = await startInRow.boundingBox()
    expect((tip?.x ?? 0) + (tip?.width ?? 0)).toBeGreaterThan(control?.x ?? Number.POSITIVE_INFINITY)
    await open(`/unit/${unit.id}`)
    const start = page.locator('[data-run][data-size="big"]')
    await start.focus()
    await tooltip(notForUserType)
    for (const label of ['Channel', 'Delay']) {
      await page.mouse.move(10, 890)
      await page.getByRole('tooltip').waitFor({ state: 'detached' })
      expect(await page.getByLabel(label, { exact: true }).isDisabled()).toBe(true)
      await page.getByLabel(label, { exact: true }).hover({ force: true })
      await tooltip(notForUserType)
    }
    const refused = viewer.call(api.unitCommands.setDelay, { params: { id: unit.id }, body: { delay: 1000 } })
    await expect(refused).rejects.toMatchObject({ status: 403, message: notForUserType })
  })

  test('a tip follows its control to what it does by now', async () => {
    await enter('chief')
    await open('/unit/list')
    const counter = page.getByRole('group', { name: 'Fleet' }).getByRole('button').first()
    await counter.focus()
    await tooltip('Show Live only')
    await page.keyboard.press('Enter')
    await tooltip('Show all units')
  })

  test('Apply, OK and Delete are shown to users who may use them, and Cancel to all', async () => {
    const buttons = (name: RegExp) =>
      page.getByRole('dialog', { name }).locator('footer button').allTextContents()
    await enter('admin', adminPassword)
    await open('/psg/system_entities/inventories')
    await page.locator('[data-row-id="north-atlantic"]').dblclick()
    await page.getByRole('dialog').waitFor()
    expect(await buttons(/North Atlantic/)).toEqual(['Delete', 'Cancel', 'Apply', 'OK'])
    // All users may change their own data.
    await enter('viewer')
    await page.getByRole('button', { name: /menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await buttons(/Preferences/)).toEqual(['Cancel', 'Apply', 'OK'])
  })
})
