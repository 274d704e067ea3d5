// The outbox: what administrators see of e-mail while no mail server is set.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'

describe.runIf(hasChromium)('the outbox', () => {
  let stage: Stage
  let chromium: Chromium
  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })

  test('e-mail that waits is listed, read, found and discarded', async () => {
    const { page } = chromium
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
    await page.goto(`${stage.url}/manage/outbox?ignoreRouteDefault`)
    await page.getByText('No e-mail', { exact: true }).waitFor()
    await page.getByText('No mail server is set').waitFor()
    expect(await violations(page)).toEqual([])

    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
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

  test('whoever does not administer is led away from it', async () => {
    const { page } = chromium
    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
    expect(await page.getByRole('link', { name: 'Outbox' }).count()).toBe(0)
    await page.goto(`${stage.url}/manage/outbox`)
    await page.waitForURL('**/unit/list')
  })
})
