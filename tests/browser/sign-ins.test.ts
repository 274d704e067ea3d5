// The sign-ins of a user in their browsers.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasChromium, openChromium, signInByHand, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { signIn } from '../stage/person.ts'

describe.runIf(hasChromium)('the sign-ins of a user', () => {
  const opened = openConsole()

  test('are listed in the account dialog, and ended from there', async () => {
    const { page } = opened.chromium
    await signInByHand(page, opened.stage.url, 'operator', DEMO_PASSWORD)
    const elsewhere = await signIn(opened.stage.url, 'operator', DEMO_PASSWORD)
    const more = [
      await signIn(opened.stage.url, 'operator', DEMO_PASSWORD),
      await signIn(opened.stage.url, 'operator', DEMO_PASSWORD),
    ]
    await page.getByRole('button', { name: /menu of Olivia Hart/ }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await page.getByRole('tab', { name: 'Signed in' }).click()
    const rows = page.locator('[data-sign-in]')
    await rows.nth(3).waitFor()
    expect(await rows.filter({ hasText: 'This browser' }).allTextContents()).toEqual([
      expect.stringMatching(/^Chrome, Linux 127\.0\.0\.1since /),
    ])
    expect(await violations(page)).toEqual([])

    await page
      .getByRole('button', { name: /^Sign out .* at 127/ })
      .first()
      .click()
    await rows.nth(3).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await rows.nth(1).waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(1)
    for (const person of [elsewhere, ...more]) await expect.poll(() => isIn(person.cookie)).toBe(401)
    await page.reload()
    await page.getByRole('button', { name: /menu of Olivia Hart/ }).waitFor()
  })

  test('a page whose sign-in is ended elsewhere goes to the login page, and one that signs out does so without a notice', async () => {
    const other = await openChromium()
    onTestFinished(other.close)
    await signInOnPage(other.page, opened.stage.url, 'chief', DEMO_PASSWORD)
    await other.page.getByText('Connected', { exact: true }).waitFor()
    const chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.signIns.endOthers, {})
    await other.page.waitForURL(({ pathname, searchParams }) => {
      return pathname === '/login' && searchParams.get('expired') === '1'
    })
    await signInOnPage(other.page, opened.stage.url, 'chief', DEMO_PASSWORD)
    await other.page.getByText('Connected', { exact: true }).waitFor()
    await other.page.getByRole('button', { name: /menu of/ }).click()
    await other.page.getByRole('menuitem', { name: 'Log out' }).click()
    await other.page.waitForURL(({ pathname }) => pathname === '/login')
    expect(new URL(other.page.url()).search).toBe('')
  })

  async function isIn(cookie: string): Promise<number> {
    const headers = { cookie, 'application-id': 'stage' }
    return (await fetch(`${opened.stage.url}/luc/luc-core-web/rest/v2/client/configuration`, { headers }))
      .status
  }
})
