// The console when it cannot load everything, and its retry.

import { createServer } from 'node:http'
import { api } from '@backhaul/contract/api/api'
import { REST_BASE } from '@backhaul/contract/define/endpoint'
import { english } from '@backhaul/contract/define/refusals'
import { PUSH_PATH } from '@backhaul/contract/define/topic'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../conformance/free-port.ts'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('[SHELL-014] partial access', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  let port: number
  /** Answers from the first test on. */
  const internet = createServer((_, answer) => answer.writeHead(404).end())

  beforeAll(async () => {
    port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    stage = await openStage({ demo: 1, env: { BACKHAUL_INTERNET_CHECK_URL: url } })
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
    internet.close()
  })
  beforeEach(async () => {
    await chromium.context.clearCookies()
    page = await chromium.context.newPage()
  })
  afterEach(() => page.close())

  const banner = () => page.locator('.banner', { hasText: 'Partial access' })
  const enter = async () => {
    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
    await page.getByRole('button', { name: /menu of/ }).waitFor()
  }
  const retry = () => banner().getByRole('button', { name: 'Try again' }).click()
  const isWhole = () => banner().waitFor({ state: 'detached' })

  // First: what core does not reach would remain in the banners of the others.
  test('a core that does not reach the address of the operator is reported, and the banner goes once it does', async () => {
    const { call } = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    const isReachable = async () => (await call(api.client.configuration, {})).hasInternet
    await until('the check to fail', async () => !(await isReachable()))
    await enter()
    await banner().getByText('the internet from the server').waitFor()
    expect(await violations(page)).toEqual([])
    internet.listen(port, '127.0.0.1')
    await until('the check to succeed', isReachable)
    await retry()
    await isWhole()
  })

  test('a refused group of calls is named, and repeated with the button', async () => {
    const path = `**${REST_BASE}${api.channels.ofGroup.path}*`
    await page.route(path, (route) =>
      route.fulfill({ status: 403, json: { code: 403, message: english('role.notAllowed') } }),
    )
    await enter()
    await banner().getByText('Cannot be reached now: channels.').waitFor()
    expect(await violations(page)).toEqual([])
    const refused = page.waitForResponse((answer) => answer.url().includes(api.channels.ofGroup.path))
    await retry()
    await refused
    await banner().getByText('channels').waitFor()
    await page.unroute(path)
    await retry()
    await isWhole()
  })

  test('live data are missing once the push connection failed three times, and not before', async () => {
    let failures = 0
    let isRefused = true
    await page.routeWebSocket(`**${PUSH_PATH}`, (socket) => {
      if (!isRefused) socket.connectToServer()
      // A fourth attempt hangs, however late the banner is checked.
      else if (failures < 3) {
        failures += 1
        void socket.close()
      }
    })
    await enter()
    await banner().getByText('live data').waitFor()
    expect(failures).toBe(3)
    // One fault, one banner.
    expect(await page.locator('.banner').allInnerTexts()).toEqual([
      expect.stringMatching(/^Connection to the server lost[\s\S]*Partial access/),
    ])
    expect(await violations(page)).toEqual([])
    // The page may connect by itself at any time from now on, which removes the button.
    const button = await banner().getByRole('button', { name: 'Connect now' }).elementHandle()
    isRefused = false
    await button?.evaluate((one) => (one as unknown as { click(): void }).click())
    await isWhole()
  })

  test('it is not shown to users who get everything', async () => {
    await enter()
    await page.locator('.link-mark', { hasText: 'Connected' }).waitFor()
    expect(await banner().count()).toBe(0)
  })
})
