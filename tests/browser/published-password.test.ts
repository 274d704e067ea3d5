// Users of a demo with the published password, at an address that others can reach: the super user is warned.
import { api } from '@backhaul/contract/api/api'
import { demoPeople } from '@backhaul/contract/examples/demo'
import { expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage } from '../stage/stage.ts'

test.runIf(hasChromium)('a banner is shown until no user has the published password', async () => {
  const stage = await openStage({ demo: 1 })
  let chromium: Chromium | undefined
  try {
    await stage.end('core')
    const env = { BACKHAUL_DEMO: '0', BACKHAUL_HOST: '0.0.0.0' }
    const { url = '' } = await (await stage.start('core', { env })).ready
    expect(stage.lines.join('\n')).toMatch(/operator.*viewer.*users have the published password of the demo/)
    chromium = await openChromium()
    const { page } = chromium
    await signInOnPage(page, url, 'admin', adminPassword)
    const banner = page.locator('.banner', { hasText: 'the password of the demo is published' })
    await banner.waitFor()
    const more = demoPeople.length - 4
    expect(await banner.textContent()).toContain(`operator, chief, viewer, sport +${more}`)
    expect(await violations(page)).toEqual([])
    await banner.getByRole('button', { name: 'Show users' }).click()
    await page.waitForURL('**/manage/users')

    const root = await signIn(url, 'admin', adminPassword)
    for (const { username } of demoPeople.slice(1))
      await root.call(api.users.remove, { params: { id: `demo-${username}` } })
    await page.reload()
    await banner.waitFor()
    expect(await banner.textContent()).toContain('sign in as operator, because')
    const password = 'Correct-horse-7'
    const body = { password, passwordConfirmation: password }
    await root.call(api.users.setPassword, { params: { id: 'demo-operator' }, body })
    await page.reload()
    await page.locator('[data-row-id]', { hasText: 'operator' }).waitFor()
    expect(await banner.count()).toBe(0)
  } finally {
    await chromium?.close()
    await stage.stop()
  }
})
