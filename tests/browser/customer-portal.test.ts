// The start page of a customer: what it shows, to whom, and that its address is never remembered.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const matrix = 'https://matrix.example/'
const support = 'https://support.example/'

describe.runIf(hasChromium)('the customer portal', () => {
  let stage: Stage
  let chromium: Chromium
  let unit: StageDevice
  const open = async () => {
    stage = await openStage({ demo: 1, env: { BACKHAUL_MATRIX_URL: matrix, BACKHAUL_SUPPORT_URL: support } })
    unit = await joinDevice(stage, { name: 'Portal-Van', groupId: 'london-news' })
    chromium = await openChromium()
  }
  const close = async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const card = (name: string) => page().getByRole('region', { name })

  test('[SHELL-032] shows the customer, its services and licences, the other applications and the support', async () => {
    const root = await signIn(stage.url, 'admin', adminPassword)
    const params = { id: 'north-atlantic' }
    const expiration = new Date(Date.now() + 3 * 86_400_000 - 60_000).toISOString()
    await root.call(api.services.add, { params, body: { name: 'ingest', expiration, renewal: 'yearly' } })
    await root.call(api.services.add, { params, body: { name: 'audio_ifb', status: 'disabled' } })
    await root.call(api.services.add, { params: { id: 'meridian' }, body: { name: 'graphics' } })

    await signInOnPage(page(), stage.url, 'viewer', DEMO_PASSWORD, '/customer_portal')
    await page().getByRole('heading', { name: 'North Atlantic News' }).waitFor()
    await card('Services').getByText('Ingest').waitFor()
    await expect
      .poll(() => card('Services').locator('li').allTextContents())
      .toEqual([
        expect.stringMatching(/^Audio IFB.*Disabled/),
        expect.stringMatching(/^Ingest.*Purchased.*3 days left$/),
      ])
    await card('Licences')
      .getByText(/of \d+ units/)
      .first()
      .waitFor()
    const links = page().getByRole('link')
    await expect
      .poll(() => links.evaluateAll((all) => all.map((one) => one.getAttribute('href'))))
      .toEqual(expect.arrayContaining(['/unit/list', matrix, support]))
    expect(await violations(page())).toEqual([])
  })

  test('[SHELL-032] its address is not remembered, and takes precedence over the remembered one', async () => {
    const viewer = await signIn(stage.url, 'viewer', DEMO_PASSWORD)
    await signInOnPage(page(), stage.url, 'viewer', DEMO_PASSWORD)
    const remembered = async () => (await viewer.call(api.client.preferences, {})).currentRoute
    await page().goto(`${stage.url}/unit/multiview?ignoreRouteDefault=1`)
    await until('a remembered route', async () => (await remembered()) === '/unit/multiview')
    await page().goto(`${stage.url}/customer_portal`)
    await page().getByRole('heading', { name: 'North Atlantic News' }).waitFor()
    expect(new URL(page().url()).pathname).toBe('/customer_portal')
    expect(await remembered()).toBe('/unit/multiview')
    await page().getByRole('link', { name: 'Units and transmissions' }).click()
    await page().waitForURL('**/unit/list')
    await until('another', async () => (await remembered()) === '/unit/list')
  })

  test('[SHELL-032] users without the rights for its data do not reach it', async () => {
    for (const [username, path] of [
      ['studio', '/easy_live'],
      ['returns', '/unauthorized_user'],
    ] as const) {
      await signInOnPage(page(), stage.url, username, DEMO_PASSWORD, '/customer_portal')
      await page().waitForURL((url) => url.pathname === path)
    }
    const studio = await signIn(stage.url, 'studio', DEMO_PASSWORD)
    const request = studio.call(api.services.ofInventory, { params: { id: 'north-atlantic' } })
    await expect(request).rejects.toMatchObject({ status: 403 })
  })
})
