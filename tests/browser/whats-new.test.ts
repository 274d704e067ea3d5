// What's new: a super user writes a note, and each user sees it once after signing in.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)("[STAFF-010] what's new in the browser", () => {
  const opened = openConsole()

  const page = () => opened.chromium.page
  const dialog = () => page().getByRole('dialog')
  const title = 'Four cameras on one screen'
  const text = 'Multiview shows every camera of a unit.'

  test('a super user writes dated notes and changes and deletes them', async () => {
    await signInOnPage(page(), opened.stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: "What's new" }).click()
    await page().getByText('No notes yet').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'New note' }).first().click()
    const ok = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await ok()
    await dialog().getByText('This field is required').first().waitFor()
    await dialog().getByLabel('Title').fill(title)
    await dialog().getByLabel('Text').fill(text)
    expect(await violations(page())).toEqual([])
    await ok()
    const row = page().locator('[data-row-id]', { hasText: title })
    await row.getByText('Published').waitFor()
    const root = await signIn(opened.stage.url, 'admin', adminPassword)
    const far = { date: '2999-01-01', title: 'Far away', text: 'Later.' }
    await root.call(api.whatsNew.create, { body: far })
    await page().reload()
    const later = page().locator('[data-row-id]', { hasText: 'Far away' })
    await later.getByText('Scheduled').waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await later.click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await later.waitFor({ state: 'detached' })
  })

  test('leaving unsaved input requires a confirmation, and leaving without input does not', async () => {
    await signInOnPage(page(), opened.stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: "What's new" }).click()
    const open = () => page().getByRole('button', { name: 'New note' }).first().click()
    const form = () => page().getByRole('dialog', { name: 'New note' })
    const question = () => page().getByRole('dialog', { name: 'Discard your changes?' })
    await open()
    await form().getByLabel('Title').press('Escape')
    await form().waitFor({ state: 'detached' })
    await open()
    await form().getByLabel('Title').fill(title)
    await form().getByLabel('Title').press('Escape')
    await question().waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    expect(await form().getByLabel('Title').inputValue()).toBe(title)
    await form().getByLabel('Title').press('Escape')
    await question().getByRole('button', { name: 'Discard' }).click()
    await form().waitFor({ state: 'detached' })
    await open()
    expect(await form().getByLabel('Title').inputValue()).toBe('')
  })

  test('each user sees an unread note once after signing in', async () => {
    const root = await signIn(opened.stage.url, 'admin', adminPassword)
    const { items } = await root.call(api.whatsNew.list, { query: {} })
    if (items.length === 0)
      await root.call(api.whatsNew.create, { body: { date: '2026-01-01', title, text } })
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await dialog().getByRole('heading', { name: title }).waitFor()
    await dialog().getByText(text).waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await dialog().waitFor({ state: 'detached' })
    const operator = await signIn(opened.stage.url, 'operator', DEMO_PASSWORD)
    const seenOn = async () => (await operator.call(api.client.preferences, {})).whatsNewSeenOn
    await until('the note to be seen', async () => (await seenOn()) !== null)

    const response = page().waitForResponse((response) => response.url().endsWith('/v2/whatsnew'))
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await response
    await page().getByRole('link', { name: 'Units' }).waitFor()
    expect(await dialog().count()).toBe(0)

    await root.call(api.whatsNew.create, {
      body: { date: '2020-01-01', title: 'Dated back', text: 'And new nevertheless.' },
    })
    await page().reload()
    await dialog().getByRole('heading', { name: 'Dated back' }).waitFor()
    expect(await dialog().getByRole('heading', { name: title }).count()).toBe(0)
  })
})
