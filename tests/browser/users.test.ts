// An administrator adds, changes and deletes users on the users screen; it is hidden from others.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { pause } from '../stage/until.ts'

describe.runIf(hasChromium)('the users screen', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page

  const open = async () => {
    stage = await openStage({ demo: 8 })
    chromium = await openChromium()
    page = chromium.page
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Users' }).click()
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  /** Added by an earlier test, or part of the demo. */
  async function zoeIsThere(): Promise<void> {
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const { items } = await chief.call(api.users.list, { query: {} })
    if (items.some((one) => one.username === 'zoe.hart')) return
    const named = { username: 'zoe.hart', firstName: 'Zoe', lastName: 'Hart', userType: 'regular' as const }
    const password = 'Correct-horse-7'
    const body = { ...named, password, passwordConfirmation: password, inventories: ['north-atlantic'] }
    await chief.call(api.users.create, { body })
    await page.reload()
  }

  const row = (username: string) => page.locator('[data-row-id]', { hasText: username })
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const check = async () => {
    await pause(300)
    expect(await violations(page)).toEqual([])
  }

  test('[USER-001] lists the users in the scope of the administrator, and finds one', async () => {
    await row('operator').waitFor()
    expect(await row('sport').count()).toBe(0)
    await check()
    await page.keyboard.press('/')
    await page.locator('input[type="search"]:focus').fill('ruben')
    await row('operator').waitFor({ state: 'detached' })
    await row('viewer').waitFor()
    await page.keyboard.press('Escape')
    await row('operator').waitFor()
  })

  test('gives the focus back to the control that opened a dialog, also from a menu', async () => {
    const closes = async (title: string, opener: Locator) => {
      await dialog(title).locator(':focus').waitFor()
      await page.keyboard.press('Escape')
      await dialog(title).waitFor({ state: 'detached' })
      await opener.and(page.locator(':focus')).waitFor()
    }
    const add = page.getByRole('button', { name: 'New user', exact: true })
    await add.focus()
    await page.keyboard.press('Enter')
    await closes('New user', add)

    const menu = page.getByRole('button', { name: /menu of/ })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Preferences' }).press('Enter')
    await closes('Preferences', menu)
  })

  test('[USER-001] names each field that breaks its rule, then adds the user, who can sign in', async () => {
    await press('New user')
    const form = dialog('New user')
    await form.getByLabel('User name').fill('zo')
    await form.getByLabel('First name').fill('zoe')
    await form.getByLabel('Last name').fill('Hart')
    await form.getByLabel('New password', { exact: true }).fill('weakword')
    await form.getByLabel('New password again').fill('weakword')
    const offered = () => form.getByLabel('User type').locator('option').allTextContents()
    await expect
      .poll(async () => [(await offered()).includes('regular'), (await offered()).includes('superuser')])
      .toEqual([true, false])
    await press('OK')
    await form.getByText('Must have at least 3 characters').waitFor()
    await form.getByLabel('User name').and(page.locator(':focus')).waitFor()
    await form.getByText('First name must start uppercase.').waitFor()
    await form.getByText('Must contain a capital, a lowercase letter and a digit or punctuation').waitFor()
    await check()
    await form.getByLabel('User name').fill('Operator')
    await form.getByLabel('First name').fill('Zoe')
    await form.getByLabel('New password', { exact: true }).fill('Correct-horse-7')
    await press('OK')
    await form.getByText('Password and confirmation must match.').waitFor()
    await form.getByLabel('New password again').fill('Correct-horse-7')
    await press('OK')
    await form.getByText('User already exists.').waitFor()
    await form.getByLabel('User name').fill('zoe.hart')
    await press('OK')
    await row('zoe.hart').waitFor()
    await form.waitFor({ state: 'detached' })
    const zoe = await signIn(stage.url, 'zoe.hart', 'Correct-horse-7')
    expect(await zoe.call(api.client.currentUser, {})).toMatchObject({
      userType: 'regular',
      inventories: ['north-atlantic'],
    })
  })

  test('[USER-001] changes a user', async () => {
    await zoeIsThere()
    await row('zoe.hart').dblclick()
    const form = dialog('User zoe.hart')
    const standing = form.getByRole('region', { name: 'Current state' })
    await standing.getByText('North Atlantic News', { exact: true }).waitFor()
    await standing.getByText('Off', { exact: true }).waitFor()
    await standing.getByText('None: the browser reaches servers directly').waitFor()
    await form.getByLabel('Label').fill('Night desk')
    await form.getByLabel('User type').selectOption('read only')
    await check()
    await press('OK')
    await form.waitFor({ state: 'detached' })
    await row('Night desk').getByText('read only').waitFor()
  })

  test('shows users with more rights without the buttons', async () => {
    await row('superuser').first().dblclick()
    const form = dialog(/^User admin$/)
    await form.getByText('Not available for your user type').waitFor()
    expect(await form.getByRole('button', { name: 'OK' }).count()).toBe(0)
    await check()
    await press('Cancel')
    await form.waitFor({ state: 'detached' })
  })

  test('[USER-001] deletes a user by keyboard once it is confirmed', async () => {
    await zoeIsThere()
    await row('zoe.hart').click()
    await page.keyboard.press('Delete')
    const question = dialog('Delete user zoe.hart?')
    await question.waitFor()
    await check()
    await question.getByRole('button', { name: 'Delete' }).click()
    await row('zoe.hart').waitFor({ state: 'detached' })
    await expect(signIn(stage.url, 'zoe.hart', 'Correct-horse-7')).rejects.toThrow(
      'Incorrect username or password.',
    )
  })

  test('[USER-001] is not for operators', async () => {
    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Multiview' }).waitFor()
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
  })
})
