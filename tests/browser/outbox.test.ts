// The outbox: e-mail as administrators see it while no mail server is configured.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { signIn } from '../stage/person.ts'

describe.runIf(hasChromium)('the outbox', () => {
  const opened = openConsole()

  test('e-mail that waits is listed, read, found and discarded', async () => {
    const { page } = opened.chromium
    await signInOnPage(page, opened.stage.url, 'chief', DEMO_PASSWORD, '/manage/outbox?ignoreRouteDefault')
    await page.getByText('No e-mail', { exact: true }).waitFor()
    await page.getByText('No mail server is configured').waitFor()
    expect(await violations(page)).toEqual([])

    const chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    const recipients = ['crew@north.example', 'van@north.example']
    await chief.call(api.invitations.email, {
      params: { currentGroup: 'london-news' },
      body: { recipients, period: '1 week', text: 'See you in Leeds.' },
    })
    await page.reload()
    const row = (words: string) => page.locator('[data-row-id]', { hasText: words })
    await row('crew@north.example').getByText('Waiting').waitFor()
    await page.getByLabel('Search recipient, subject or text').fill('van@')
    await row('crew@').waitFor({ state: 'detached' })
    await row('van@north.example').dblclick()
    await page.getByText('See you in Leeds.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again now' }).click()
    await page.getByText('Waiting to be sent').waitFor()
    await row('van@north.example').dblclick()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await row('van@north.example').waitFor({ state: 'detached' })
    await page.getByText('No e-mail matches').waitFor()
  })

  test('users without administration rights are redirected', async () => {
    const { page } = opened.chromium
    await signInOnPage(page, opened.stage.url, 'operator', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Multiview' }).waitFor()
    expect(await page.getByRole('link', { name: 'Outbox' }).count()).toBe(0)
    await page.goto(`${opened.stage.url}/manage/outbox`)
    await page.waitForURL('**/unit/list')
  })
})
