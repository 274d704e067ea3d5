// API keys: an administrator makes one, a program calls with it, and it ends.
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'

describe.runIf(hasChromium)('API keys', () => {
  const opened = openConsole()

  test('a key is made, shown once, used by a program, named in the log, and revoked', async () => {
    const { page } = opened.chromium
    await signInOnPage(page, opened.stage.url, 'chief', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('No API keys yet').waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'New API key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('This field is required').first().waitFor()
    await dialog.getByLabel('Name').fill('Newsroom planner')
    const rights = dialog.getByLabel('Role')
    expect(await rights.locator('option').allTextContents()).not.toContain('superuser')
    await rights.selectOption('read only')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const key = await dialog.getByLabel('API key').inputValue()
    expect(key).toMatch(/^bk_/)
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    const row = page.locator('[data-row-id]', { hasText: 'Newsroom planner' })
    await row.getByText(key.slice(0, 9)).waitFor()
    await row.getByText('read only').waitFor()
    await row.getByText('Not yet').waitFor()
    await expect.poll(() => page.content()).not.toContain(key)

    const get = (path: string) =>
      fetch(`${opened.stage.url}/luc/luc-core-web/rest${path}`, {
        headers: { authorization: `Bearer ${key}`, 'application-id': 'planner' },
      })
    const groups = (await (await get('/groups/light_fetch')).json()) as { data: unknown[] }
    expect(groups.data.length).toBeGreaterThan(0)
    expect((await get('/v2/admin/users')).status).toBe(403)

    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No API keys yet').waitFor()
    expect((await get('/groups/light_fetch')).status).toBe(401)
  })
})
