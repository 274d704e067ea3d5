// The pages of users without access to the console: video return only, no rights, no role set.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'

const forbidden = 'You are not allowed to access this application'
const portal = 'https://return.example/'
const matrix = 'https://matrix.example/'

describe.runIf(hasChromium)('special pages', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page

  const open = async () => {
    const env = { BACKHAUL_VIDEO_RETURN_URL: portal, BACKHAUL_MATRIX_URL: matrix }
    stage = await openStage({ demo: 1, env })
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)
  beforeEach(async () => {
    await chromium.context.clearCookies()
    page = await chromium.context.newPage()
  })
  afterEach(() => page.close())

  const enter = (username: string) => signInOnPage(page, stage.url, username, DEMO_PASSWORD)
  const visit = (path: string) => page.goto(stage.url + path)
  const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const remembered = async (username: string) =>
    (await (await signIn(stage.url, username, DEMO_PASSWORD)).call(api.client.preferences, {})).currentRoute
  /** As a user with these roles; everything else is unchanged. */
  const withRoles = (roles: string[]) =>
    page.route('**/v2/client/configuration', async (route) => {
      const answer = await route.fetch()
      const { code, data } = await answer.json()
      await route.fulfill({ json: { code, data: { ...data, loggedUserRoles: roles } } })
    })

  test('[SHELL-012] users of video return alone are led to its portal, and no others', async () => {
    await enter('returns')
    await isAt('/unauthorized_user')
    await heading('Video return only').waitFor()
    const link = page.getByRole('link', { name: 'Open the video return portal' })
    expect(await link.getAttribute('href')).toBe(portal)
    expect(await page.getByText(forbidden).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await withRoles(['luc_vr_viewer', 'luc_ingest'])
    await visit('/')
    await heading(forbidden).waitFor()
    expect(await link.count()).toBe(0)
  })

  test('[SHELL-013] users without rights get the refusal at any address, and may switch to another application', async () => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await enter('curator')
    await isAt('/unauthorized_user')
    await heading(forbidden).waitFor()
    const link = page.getByRole('link', { name: 'Switch application' })
    expect(await link.getAttribute('href')).toBe(matrix)
    expect(await violations(page)).toEqual([])
    for (const path of ['/unit/list', '/manage/users?ignoreRouteDefault=1', '/nothing']) {
      await visit(path)
      await isAt('/unauthorized_user')
      await heading(forbidden).waitFor()
    }
    // Nothing of the fleet is requested for a user who may not see it.
    expect(
      requested.filter(
        (path) => !path.startsWith('/assets/') && /units|channels|light_fetch|alerts/.test(path),
      ),
    ).toEqual([])
    expect(await remembered('curator')).toBeNull()
    await withRoles([])
    await visit('/')
    await heading(forbidden).waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await isAt('/login')
  })

  test('[SHELL-015] the error page is only open to users without either role set', async () => {
    await enter('curator')
    await isAt('/unauthorized_user')
    await visit('/error')
    await heading('The console could not start').waitFor()
    await isAt('/error')
    expect(await remembered('curator')).toBeNull()
    expect(await violations(page)).toEqual([])
    for (const username of ['operator', 'viewer', 'chief', 'media']) {
      await enter(username)
      await isAt('/unit/list')
      await visit('/error')
      await isAt('/unit/list')
    }
  })

  test('[SHELL-011] the user menu links to the other applications whose addresses are known', async () => {
    await enter('operator')
    await page.getByRole('button', { name: /menu of Olivia Hart/ }).click()
    const link = (name: string) => page.getByRole('menuitem', { name })
    await link('Video return portal').waitFor()
    expect(await link('Video return portal').getAttribute('href')).toBe(portal)
    expect(await link('Matrix').getAttribute('href')).toBe(matrix)
    expect(await link('Support').count()).toBe(0)
    await page.waitForTimeout(300)
    expect(await violations(page)).toEqual([])
  })

  test('[SHELL-016] a password that expires within 14 days is reported first; it is changed, or postponed while days are left', async () => {
    const daysLeft = (days: number) =>
      page.route('**/v2/client/configuration', async (route) => {
        const { code, data } = await (await route.fetch()).json()
        const secondsToPwdExpiration = days * 86_400 + 60
        await route.fulfill({ json: { code, data: { ...data, secondsToPwdExpiration } } })
      })
    await daysLeft(15)
    await enter('sport')
    await isAt('/unit/list')
    await daysLeft(14)
    await visit('/unit/multiview?ignoreRouteDefault=1')
    await isAt('/success_login')
    await heading('Your password ends in 14 days').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await remembered('sport')).not.toBe('/success_login')
    await page.getByRole('button', { name: 'Postpone' }).click()
    await isAt('/unit/multiview')
    await visit('/unit/list?ignoreRouteDefault=1')
    await isAt('/unit/list')
    await daysLeft(0)
    await visit('/unit/list')
    await heading('Your password ends today').waitFor()
    expect(await page.getByRole('button', { name: 'Postpone' }).count()).toBe(0)
    const change = page.getByRole('button', { name: 'Change password' })
    await change.click()
    await page.getByLabel('Old password', { exact: true }).fill(DEMO_PASSWORD)
    await page.getByLabel('New password', { exact: true }).fill('Another-word-7')
    await page.getByLabel('New password again', { exact: true }).fill('Another-word-8')
    await change.click()
    await page.getByText('Password and confirmation must match.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('New password again', { exact: true }).fill('Another-word-7')
    await page.unroute('**/v2/client/configuration')
    await change.click()
    await isAt('/unit/list')
    await signIn(stage.url, 'sport', 'Another-word-7')
  })
})
