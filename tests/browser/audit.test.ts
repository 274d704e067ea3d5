// The log of changes: what an administrator finds in it, and takes away as a file.
import { readFileSync } from 'node:fs'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { signIn } from '../stage/person.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('the log of changes', () => {
  const opened = openConsole()

  test('a change is found by user, action and day, opened, and exported with all that match', async () => {
    const { page } = opened.chromium
    const operator = await signIn(opened.stage.url, 'operator', DEMO_PASSWORD)
    const contact = { email: 'op@north.example', phone: '441', firstName: 'Olivia', lastName: 'Hart' }
    await operator.call(api.client.saveContact, { body: contact })
    const chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    for (let at = 1; at <= 3; at++)
      await chief.call(api.groupAdministration.change, {
        params: { id: 'london-news' },
        body: { name: `London-${at}` },
      })
    await signInOnPage(page, opened.stage.url, 'chief', DEMO_PASSWORD, '/manage/audit?ignoreRouteDefault')
    const rows = page.locator('[data-row-id]')
    const row = (words: string) => page.locator('[data-row-id]', { hasText: words })
    await row('Change own contact').first().waitFor()
    await expect.poll(() => rows.first().textContent()).toContain('chief')
    expect(await violations(page)).toEqual([])

    await page.getByLabel('Search user, action or ID').fill('saveContact')
    await row('Change a group').first().waitFor({ state: 'detached' })
    await row('Change own contact').first().dblclick()
    await page.getByRole('dialog').getByText('op@north.example').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    await page.getByLabel('Search user, action or ID').fill('')
    await page.getByRole('textbox', { name: 'User' }).fill('chi')
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Change a group', exact: true }).click()
    await row('Sign in').first().waitFor({ state: 'detached' })
    await until('the three changes', async () => (await rows.count()) === 3)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export all' }).click()
    const file = readFileSync(await (await download).path(), 'utf8')
    const lines = file.trimEnd().split('\r\n').slice(1)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain('groupAdministration.change')
    expect(lines[0]).toContain('London-3')

    await page.getByLabel('To', { exact: true }).fill('2001-01-01')
    await page.getByText('No entry matches').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row('Sign in').first().waitFor()
  })

  test('users without administration rights are redirected', async () => {
    const { page } = opened.chromium
    await signInOnPage(page, opened.stage.url, 'operator', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Units', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    await page.goto(`${opened.stage.url}/manage/audit`)
    await page.waitForURL('**/unit/list')
  })
})
