// Users of a demo with the published password, at an address that others can reach: the super user is warned.
import { api } from '@backhaul/contract/api/api'
import { demoPeople } from '@backhaul/contract/examples/demo'
import { expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage } from '../stage/stage.ts'

test.runIf(hasChromium)('a banner is shown until no user has the published password', async () => {
  const stage = await openStage({ demo: 1, hasOwnCore: true })
  let chromium: Chromium | undefined
  try {
    await stage.end('core')
    const env = { BACKHAUL_DEMO: '0', BACKHAUL_HOST: '0.0.0.0' }
    const { url = '' } = await (await stage.start('core', { env })).ready
    expect(stage.lines.join('\n')).toMatch(
      /operator.*viewer.*anybody can sign in as users whose password is in the documentation/,
    )
    chromium = await openChromium()
    const { page } = chromium
    await signInOnPage(page, url, 'admin', adminPassword)
    const banner = page.locator('.banner', { hasText: 'Anybody can sign in' })
    await banner.waitFor()
    const more = demoPeople.length - 4
    expect(await banner.textContent()).toContain(
      `operator, chief, viewer, sport and ${more} more is in the documentation`,
    )
    expect(await violations(page)).toEqual([])
    await banner.getByRole('button', { name: 'Show users' }).click()
    await page.waitForURL('**/manage/users')

    const root = await signIn(url, 'admin', adminPassword)
    for (const { username } of demoPeople.slice(1))
      await root.call(api.users.remove, { params: { id: `demo-${username}` } })
    await page.reload()
    await banner.waitFor()
    expect(await banner.textContent()).toContain('The password of operator is in the documentation')
    const row = page.locator('[data-row-id]', { hasText: 'operator' })
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Set password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set the password of operator' })
    for (const label of ['New password', 'New password again'])
      await dialog.getByLabel(label, { exact: true }).fill('Correct-horse-7')
    await dialog.getByRole('button', { name: 'OK' }).click()
    // The page was not loaded again.
    await banner.waitFor({ state: 'detached' })
    await row.waitFor()
  } finally {
    await chromium?.close()
    await stage.stop()
  }
})
