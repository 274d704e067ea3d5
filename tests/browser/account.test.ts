// Personal data that users edit themselves: names, contact and password, each refusal at its field.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { User } from '@backhaul/contract/nouns/users'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'

const another = 'Another-horse-8'

describe.runIf(hasChromium)('the account of a user', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page

  const open = async () => {
    stage = await openStage({ demo: 1 })
    chromium = await openChromium()
    page = chromium.page
    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)
  beforeEach(async () => {
    await page.goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
  })

  const dialog = () => page.getByRole('dialog', { name: 'Account' })
  const field = (name: string) => dialog().getByLabel(name, { exact: true })
  const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const openAccount = async (name: RegExp) => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await field('First name').waitFor()
  }
  const check = async () => expect(await violations(page)).toEqual([])

  test('[USER-002] names and contact are changed, each fault is shown at its field', async () => {
    await openAccount(/menu of Olivia Hart/)
    expect(await field('First name').inputValue()).toBe('Olivia')
    await field('First name').fill('olga')
    await field('Last name').fill('X')
    await field('E-mail').fill('nowhere')
    await field('Phone (digits only)').fill('+44 20')
    await press('OK')
    const messages = [
      'First name must start uppercase.',
      'Must be between 2 and 255 characters',
      'Invalid email format',
      'Must only contain numeric characters',
    ]
    for (const message of messages) await dialog().getByText(message).waitFor()
    await check()
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const { email } = await chief.call(api.client.contact, {})
    await field('First name').fill('Olga')
    await field('Last name').fill('Hartmann')
    await field('Phone (digits only)').fill('442071234567')
    await field('E-mail').fill(email.toUpperCase())
    await press('OK')
    await dialog().getByText('Email used by a different user.').waitFor()
    await field('E-mail').fill('olga@north.example')
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    await page.getByText('Account saved').waitFor()
    await openAccount(/menu of Olga Hartmann/)
    expect(await field('E-mail').inputValue()).toBe('olga@north.example')
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    expect(await operator.call(api.client.currentUser, {})).toMatchObject({
      firstName: 'Olga',
      phone: '442071234567',
      contact: { lastName: 'Hartmann', email: 'olga@north.example' },
    })
    await press('Cancel')
  })

  test('[USER-002] a consent is given and withdrawn, each time with its date, which administrators see too', async () => {
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    const stored = () => operator.call(api.client.currentUser, {})
    await openAccount(/menu of Ol/)
    await expect.poll(() => dialog().getByText('Not agreed').count()).toBe(2)
    await field('Terms of use').check()
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    const { id, updateConsent, updateConsentDates } = await stored()
    expect(updateConsent).toEqual({ termsOfUse: true })
    expect(Math.abs(Date.parse(updateConsentDates.termsOfUse ?? '') - Date.now())).toBeLessThan(60_000)
    await openAccount(/menu of Ol/)
    expect(await field('Terms of use').isChecked()).toBe(true)
    await dialog()
      .getByText(/^Agreed on \d+ \w+ \d{4}$/)
      .waitFor()
    await check()
    await field('Terms of use').uncheck()
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    expect((await stored()).updateConsent).toEqual({ termsOfUse: false })

    const other = await openChromium()
    await signInOnPage(other.page, stage.url, 'chief', DEMO_PASSWORD, '/manage/users?ignoreRouteDefault=1')
    await other.page.locator(`[data-row-id="${id}"]`).dblclick()
    const standing = other.page.getByRole('dialog').getByRole('region', { name: 'Current state' })
    await standing.getByText(/^Withdrawn on \d+ \w+ \d{4}$/).waitFor()
    await standing.getByText('Not agreed', { exact: true }).waitFor()
    await other.close()
  })

  test('the password is changed with the old one, and is valid from then on', async () => {
    await openAccount(/menu of Ol/)
    await page.getByRole('tab', { name: 'Password' }).click()
    await field('Old password').fill('Not-the-old-1')
    await field('New password').fill('weak')
    await field('New password again').fill('weak')
    await press('Change password')
    await dialog().getByText('Must have at least 8 characters').waitFor()
    await field('New password').fill(another)
    await press('Change password')
    await dialog().getByText('Password and confirmation must match.').waitFor()
    await field('New password again').fill(another)
    await press('Change password')
    await dialog().getByText("Old password doesn't match.").waitFor()
    await check()
    await field('Old password').fill(DEMO_PASSWORD)
    await press('Change password')
    await dialog().waitFor({ state: 'detached' })
    await page.getByText('Password changed').waitFor()
    await expect(signIn(stage.url, 'operator', DEMO_PASSWORD)).rejects.toThrow()
    await signIn(stage.url, 'operator', another)
  })

  /** Core answers who the user is with these fields, as for other users. */
  const becomes = async (more: Partial<User>) => {
    const path = '**/users/fetch_current_user_details'
    await page.route(path, async (route) => {
      const answer = await route.fetch()
      const { code, data } = await answer.json()
      await route.fulfill({ json: { code, data: { ...data, ...more } } })
    })
    onTestFinished(() => page.unroute(path))
    await page.reload()
    await openAccount(/menu of Ol/)
  }

  test('[USER-002] consents that are older than their dates show that the date is not known', async () => {
    await becomes({ updateConsent: { termsOfUse: true, marketing: false }, updateConsentDates: {} })
    await dialog().getByText('Agreed, date not known').waitFor()
    await dialog().getByText('Withdrawn, date not known').waitFor()
    await check()
    await press('Cancel')
  })

  test('[USER-002] is read-only for users who are managed by the IT administrator, apart from their consents', async () => {
    await becomes({ SSO: true })
    const notice = dialog().getByText('This account is managed by your IT administrator.')
    await notice.waitFor()
    expect(await field('First name').isEditable()).toBe(false)
    expect(await field('Terms of use').isEnabled()).toBe(true)
    await check()
    await page.getByRole('tab', { name: 'Password' }).click()
    await notice.waitFor()
    expect(await dialog().getByRole('button', { name: 'Change password' }).count()).toBe(0)
  })
})
