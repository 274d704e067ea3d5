// The single page of a studio: its users, what is closed to them, and its functions, on a phone too.
import { api } from '@backhaul/contract/api/api'
import { english } from '@backhaul/contract/define/refusals'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('the page of a studio', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  let unit: StageDevice
  let other: StageDevice
  let server: StageDevice

  const open = async () => {
    stage = await openStage({ demo: 1 })
    const slots = [{ slot: '1', name: 'Studio-1', inputType: null }]
    server = await joinDevice(stage, { kind: 'server', name: 'MCR-Studio', groupId, slots })
    unit = await joinDevice(stage, { name: 'Studio-Van', groupId })
    other = await joinDevice(stage, { name: 'A-Van', groupId })
    chromium = await openChromium()
  }
  const close = async () => {
    for (const device of [unit, other, server]) device?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)
  beforeEach(async () => {
    await page?.close()
    await chromium.context.clearCookies()
    page = await chromium.context.newPage()
  })

  const enter = (username: string) => signInOnPage(page, stage.url, username, DEMO_PASSWORD)
  const goTo = (path: string) => page.goto(stage.url + path)
  const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)
  const withRoles = async (...roles: string[]) => {
    // A page reads this ahead of its scripts: an answer may still be on its way.
    await page.unrouteAll({ behavior: 'wait' })
    await page.route('**/v2/client/configuration', async (route) => {
      const { code, data } = await (await route.fetch()).json()
      await route.fulfill({ json: { code, data: { ...data, loggedUserRoles: roles } } })
    })
  }

  test('[ACCESS-003] [SHELL-033] special roles are sent to the unauthorized page, a studio to its own, and users with another role to neither', async () => {
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await enter('studio')
    await isAt('/easy_live')
    await page.getByRole('button', { name: /^Studio-Van/ }).waitFor()
    for (const path of [
      '/unit/list',
      '/unit/multiview?ignoreRouteDefault=1',
      `/unit/${unit.id}`,
      '/manage/users?ignoreRouteDefault=1',
      '/psg/whats_new',
      '/unauthorized_user',
      '/error',
      '/nothing',
      '/',
    ]) {
      await goTo(path)
      await isAt('/easy_live')
      await page.getByRole('button', { name: /^Studio-Van/ }).waitFor()
    }
    expect(refused).toEqual([])
    const studio = await signIn(stage.url, 'studio', DEMO_PASSWORD)
    await expect
      .poll(async () => (await studio.call(api.client.preferences, {})).currentRoute)
      .toBe('/easy_live')

    const special = 'curator multipoint vr_viewer unit_control freelancer ingest application'
    for (const role of special.split(' ').map((name) => `luc_${name}`)) {
      await withRoles(role)
      await goTo('/easy_live')
      await isAt('/unauthorized_user')
      await withRoles(role, 'luc_studio')
      await goTo('/unit/list')
      await isAt('/easy_live')
    }
    await withRoles('luc_multipoint', 'luc_admin')
    await goTo('/manage/groups?ignoreRouteDefault=1')
    await isAt('/manage/groups')
    await withRoles('luc_studio', 'luc_regular')
    for (const path of ['/unit/list?ignoreRouteDefault=1', '/easy_live?ignoreRouteDefault=1']) {
      await goTo(path)
      await isAt(path.replace(/\?.*/, ''))
    }
    await withRoles('luc_admin')
    await goTo('/easy_live?ignoreRouteDefault=1')
    await page.getByText(english('role.noAccess')).waitFor()
  })

  test('core only permits a studio the calls of its page', async () => {
    const studio = await signIn(stage.url, 'studio', DEMO_PASSWORD)
    const params = { id: unit.id }
    expect(await studio.call(api.units.ofGroup, { query: { group: groupId } })).toHaveLength(2)
    await studio.call(api.unitCommands.setDelay, { params, body: { delay: 1500 } })
    const refusal = { status: 403, message: english('role.notAllowed') }
    const refused = [
      () => studio.call(api.unitCommands.command, { params: { ...params, command: 'reboot' }, body: {} }),
      () => studio.call(api.units.update, { params, body: { comment: 'Tried' } }),
      () => studio.call(api.units.enhanced, { params }),
      () => studio.call(api.alerts.active, { query: { groupId } }),
    ]
    for (const call of refused) await expect(call()).rejects.toMatchObject(refusal)
  })

  test('[SHELL-033] a studio chooses unit, channel and delay, starts and stops, on a desktop and on a phone', async () => {
    await enter('studio')
    await page.getByRole('button', { name: /^Studio-Van/ }).click()
    await page.getByRole('heading', { name: 'Studio-Van' }).waitFor()
    expect(await violations(page)).toEqual([])
    const start = page.locator('[data-run][data-size="big"]')
    await page.getByText('Choose a channel first').waitFor()
    await expect.poll(() => start.getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Channel').click()
    await page.getByRole('option', { name: /Studio-1/ }).click()
    const { state } = await unit.received('wanted', ({ state }) => state.channelId !== null)
    unit.report({ channelId: state.channelId })
    await until('a start', async () => (await start.getAttribute('aria-disabled')) === 'false')
    await page.getByLabel('Delay').selectOption('2000')
    await unit.received('wanted', ({ state }) => state.delayMs === 2000)

    await page.setViewportSize({ width: 390, height: 844 })
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    await expect.poll(width).toBe(390)
    const fits = async () => {
      const box = await start.boundingBox()
      return box && [box.width > 350, box.height >= 44, box.y + box.height < 844]
    }
    await expect.poll(fits).toEqual([true, true, true])
    expect(await violations(page)).toEqual([])
    await start.click()
    const { state: sent, revision: started } = await unit.received(
      'wanted',
      ({ state }) => state.transmission !== null,
    )
    unit.report({
      applications: { video: { state: 'streaming' } },
      state: 'streaming',
      transmissionId: sent.transmission?.id ?? null,
    })
    await until('a stop', async () => (await start.textContent()) === 'Stop')
    await start.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await unit.received('wanted', ({ revision, state }) => state.transmission === null && revision > started)
  })
})
