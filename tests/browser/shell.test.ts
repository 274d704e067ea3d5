// The frame of the console: start page, remembered route, guards, and what is reported on navigation.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { pathOf } from '@backhaul/contract/define/endpoint'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { UserPreferences } from '@backhaul/contract/nouns/preferences'
import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Chromium,
  forgetPerson,
  hasChromium,
  openChromium,
  signInOnPage,
  violations,
} from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import { pause, until } from '../stage/until.ts'

/** The last call of a start, in the work that begins after the first rows. */
const lastCall = pathOf(api.groups.inventories)
const forbidden = 'You are not allowed to access this application'

describe.runIf(hasChromium)('the shell', () => {
  let demo: Demo
  let chromium: Chromium
  let page: Page
  let collector: Server
  let visitsUrl: string
  /** The reports of consoles, in their order. */
  const visits: Record<string, unknown>[] = []

  beforeAll(async () => {
    collector = createServer((request, answer) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        visits.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>)
        answer.end()
      })
    })
    await once(collector.listen(0, '127.0.0.1'), 'listening')
    const { port } = collector.address() as AddressInfo
    visitsUrl = `http://127.0.0.1:${port}/visits`
    demo = await openDemo(40, { BACKHAUL_PAGE_VISITS_URL: visitsUrl })
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await demo?.stop()
    collector?.close()
  })
  beforeEach(async () => {
    await chromium.context.clearCookies()
    page = await chromium.context.newPage()
  })
  afterEach(() => page.close())

  const enter = (username: string) => signInOnPage(page, demo.url, username, DEMO_PASSWORD)
  /** As a user whose last page was the unit list of London; all calls of the start are answered then. */
  async function enterList(): Promise<void> {
    await remember('operator', {
      groupId: 'london-news',
      // The last call reads its name again.
      inventoryId: 'north-atlantic',
      inventoryName: 'North Atlantic News',
      currentRoute: '/unit/list',
      filters: {},
    })
    const lastAnswer = page.waitForResponse((answer) => answer.url().includes(lastCall))
    await enter('operator')
    await listIsThere()
    await lastAnswer
  }
  const open = (path: string) => page.goto(demo.url + path)
  const isAt = (path: RegExp | string) =>
    page.waitForURL((url) =>
      typeof path === 'string' ? url.pathname === path : path.test(url.pathname + url.search),
    )
  const listIsThere = () => page.locator('[data-row-id]').first().waitFor()

  async function remembered(username: string): Promise<UserPreferences> {
    const person = await demo.person(username)
    return person.call(api.client.preferences, {})
  }
  async function remember(username: string, body: Partial<UserPreferences>): Promise<void> {
    const person = await demo.person(username)
    await person.call(api.client.savePreferences, { body })
  }
  const routeIs = (username: string, route: string) =>
    until(`${route} to be remembered`, async () => (await remembered(username)).currentRoute === route)

  test('[SHELL-002] an unknown path opens the unit list and is not kept', async () => {
    await enter('operator')
    await open('/nothing/of/this/name?ignoreRouteDefault=1')
    await isAt('/unit/list')
    await listIsThere()
    await routeIs('operator', '/unit/list')
    expect(await violations(page)).toEqual([])
  })

  test('[SHELL-003] a cold start loads the preferences and goes to the last route, a typed address to what it names', async () => {
    await remember('operator', { currentRoute: '/unit/multiview', leftPanelWidth: 411 })
    const requested: string[] = []
    page.on('request', (request) => requested.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await enter('operator')
    await isAt('/unit/multiview')
    expect(requested).toContain('GET /luc/luc-core-web/rest/userPreferences/vue')
    await open('/')
    await isAt('/unit/multiview')
    const panel = await page.locator('[data-part="channel-panel"]').boundingBox()
    expect(Math.round(panel?.width ?? 0)).toBe(411)
    await open('/unit/list')
    await listIsThere()
    await isAt('/unit/list')
    await remember('operator', { currentRoute: '/unit/multiview' })
    await forgetPerson(page)
    await open('/unit/files')
    await isAt('/login')
    await page.getByLabel('User name').fill('operator')
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await isAt('/unit/files')
    await open('/manage/users')
    await isAt('/unit/list')
    await open('/unauthorized_user')
    await page.getByText(forbidden).waitFor()
    await isAt('/unauthorized_user')
    expect(await violations(page)).toEqual([])
    await remember('operator', { currentRoute: null })
    await open('/')
    await isAt('/unit/list')
  })

  test('a start makes its calls in their order, and waits for the first three alone', async () => {
    const order = [
      '/v2/client/configuration',
      '/users/fetch_current_user_details',
      '/userPreferences/vue',
      '/v2/client/application/urls',
      '/groups/light_fetch',
      '/groups/fetch_features',
      '/devices/fetch',
      '/channels/fetch',
      'subscribe',
    ]
    const begun = new Set<string>()
    page.on('request', (request) => begun.add(new URL(request.url()).pathname.split('/rest').at(-1) ?? ''))
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) =>
        begun.add((JSON.parse(String(payload)) as { action: string }).action),
      ),
    )
    await enterList()
    await until('the subscriptions', () => begun.has('subscribe'))
    expect([...begun].filter((one) => order.includes(one))).toEqual(order)

    const menu = page.locator('#main-menu')
    const later = /\/(application\/urls|light_fetch|fetch_features)/
    await page.route(later, () => {})
    await open('/unit/list')
    await menu.waitFor()
    await page.unroute(later)
    for (const path of order.slice(0, 3)) {
      const released = Promise.withResolvers<void>()
      await page.route(`**${path}`, async (route) => {
        await released.promise
        await route.continue()
      })
      const requested = page.waitForRequest((request) => request.url().endsWith(path))
      await open('/unit/list')
      await requested
      await pause(500)
      expect([path, await menu.count()]).toEqual([path, 0])
      released.resolve()
      await menu.waitFor()
      await page.unroute(`**${path}`)
    }
  })

  test('[SHELL-004] when the preferences cannot be loaded the error page opens, which users with a role do not see otherwise', async () => {
    await enterList()
    await routeIs('operator', '/unit/list')
    await page.route('**/userPreferences/vue', (route) => route.fulfill({ status: 500, body: '{}' }))
    await open('/unit/multiview')
    await isAt('/error')
    await page.getByRole('heading', { name: 'The console could not start' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.unroute('**/userPreferences/vue')
    expect((await remembered('operator')).currentRoute).toBe('/unit/list')
    await page.getByRole('button', { name: 'Try again' }).click()
    await isAt('/unit/list')
    await open('/error')
    await isAt('/unit/list')
    await listIsThere()
  })

  test('[USER-003] a refused configuration rejects the start, and nothing of a group is requested', async () => {
    await enterList()
    const requested: string[] = []
    page.on('request', (request: Request) => {
      if (request.url().includes('/luc-core-web/rest/')) requested.push(new URL(request.url()).pathname)
    })
    const refusal = {
      status: 403,
      json: { code: 403, message: 'You are not allowed to access this application' },
    }
    await page.route('**/v2/client/configuration', (route) => route.fulfill(refusal))
    requested.length = 0
    await open('/unit/multiview')
    await isAt('/error')
    await page.getByRole('heading', { name: 'The console could not start' }).waitFor()
    // The reads of a start are requested at once.
    const { configuration, currentUser, preferences, applicationUrls } = api.client
    const ofStart = [configuration, currentUser, preferences, applicationUrls]
    expect(requested).toContain(pathOf(configuration))
    expect(requested.filter((path) => !ofStart.map((one) => pathOf(one)).includes(path))).toEqual([])
    await page.unroute('**/v2/client/configuration')
    await page.getByRole('button', { name: 'Try again' }).click()
    await isAt('/unit/list')
  })

  test('[SHELL-005] the path is saved after each navigation, error and unauthorized excepted, and nothing with it', async () => {
    await remember('chief', {
      groupId: 'london-news',
      currentRoute: '/unit/list',
      multiview: { tiles: 1, channels: [null], audio: null },
    })
    await enter('chief')
    await listIsThere()
    const saved: unknown[] = []
    page.on('request', (request: Request) => {
      if (request.method() === 'PUT' && request.url().endsWith('/userPreferences/vue'))
        saved.push(request.postDataJSON())
    })
    await page.getByRole('link', { name: 'Multiview' }).click()
    await routeIs('chief', '/unit/multiview')
    await page.getByRole('link', { name: 'Units' }).click()
    await routeIs('chief', '/unit/list')
    await listIsThere()
    await pause(1500)
    expect(saved).toEqual([{ currentRoute: '/unit/multiview' }, { currentRoute: '/unit/list' }])
    for (const path of ['/unauthorized_user', '/error']) {
      await open(path)
      await pause(500)
      expect((await remembered('chief')).currentRoute).toBe('/unit/list')
    }
    for (const path of ['/manage/channels', '/manage/devices']) {
      saved.length = 0
      await open(`${path}?ignoreRouteDefault=1`)
      await pause(1500)
      expect(
        saved.filter((body) => Object.keys(body as object).some((name) => name !== 'currentRoute')),
      ).toEqual([])
    }
  })

  test('[SHELL-006] [SHELL-007] a missing role leads to the list or to the refusal, and visits are reported to the operator’s address', async () => {
    const [unit] = await demo.ready(1)
    await remember('operator', {
      lastSelectedUnit: unit!.uid,
      groupId: 'london-news',
      currentRoute: '/unit/list',
    })
    visits.length = 0
    const requested = new Set<string>()
    await enterList()
    page.on('request', (request) => {
      if (request.url() === visitsUrl) return
      const url = new URL(request.url())
      expect(url.origin).toBe(demo.url)
      if (url.pathname.includes('/rest/')) requested.add(url.pathname)
    })
    await open('/unit/list?ignoreRouteDefault=1')
    await listIsThere()
    await until('the last call of a start', () => requested.has(lastCall))
    const ofList = new Set(requested)
    requested.clear()
    await open('/manage/users?ignoreRouteDefault=1')
    await page.getByText(forbidden).waitFor()
    await pause(500)
    expect(await violations(page)).toEqual([])
    // Notifications are read again at a time of their own.
    const isAlwaysRequested = (path: string) =>
      ofList.has(path) || path.endsWith('/client_notifications/fetch')
    expect([...requested].filter((path) => !isAlwaysRequested(path))).toEqual([])
    await remember('operator', { currentRoute: '/manage/users' })
    await open('/')
    await isAt('/unit/list')
    // The console only reports what it has loaded of the unit.
    await listIsThere()
    await page.getByRole('link', { name: 'Multiview' }).click()
    await until('the visits', () => visits.some(({ route }) => route === '/unit/multiview'))
    expect(visits.map(({ route }) => route)).toEqual(
      expect.arrayContaining(['/unit/list', '/manage/users', '/unit/multiview']),
    )
    expect(visits.at(-1)).toMatchObject({
      route: '/unit/multiview',
      userId: expect.any(String),
      groupId: 'london-news',
      inventoryId: 'north-atlantic',
      unitId: unit!.uid,
      delay: expect.any(Number),
    })
    visits.length = 0
    await open('/unauthorized_user')
    await page.getByText(forbidden).waitFor()
    expect(visits).toEqual([])
  })

  test('[SHELL-010] the user menu holds account, preferences, about, version and logout', async () => {
    await enterList()
    const menu = page.getByRole('button', { name: /menu of Olivia Hart/ })
    const dialog = page.getByRole('dialog')
    const choose = async (name: string | RegExp) => {
      await menu.click()
      await page.getByRole('menuitem', { name }).click()
    }
    await menu.click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await pause(300)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await choose('Account')
    await dialog.getByText('operator', { exact: true }).waitFor()
    await pause(300)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await choose('Preferences')
    await dialog.getByText('Alert sounds').waitFor()
    await pause(300)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await choose('About')
    await dialog.getByText('Apache-2.0').waitFor()
    await page.keyboard.press('Escape')
    await choose(/^Version \d/)
    await dialog.getByText('Apache-2.0').waitFor()
    await page.keyboard.press('Escape')
    await choose('Log out')
    await isAt('/login')
    await open('/unit/list')
    await isAt('/login')
  })

  test('[SHELL-017] any 401 leads to the login page, and after it to the requested page', async () => {
    await enterList()
    await chromium.context.clearCookies()
    await page.locator('[data-row-id]').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Edit comment' }).click()
    await page.getByRole('dialog').getByLabel('Comment').fill('Too late')
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
    await isAt(/^\/login\?next=%2Funit%2Flist/)
    await page.getByLabel('User name').waitFor()
    await open('/unit/multiview')
    await isAt(/^\/login\?next=%2Funit%2Fmultiview/)
    await page.getByLabel('User name').fill('operator')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText(/\w/).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await isAt('/unit/multiview')
  })

  test('several calls that core refuses lead to the login page in one load', async () => {
    await enterList()
    const loads: string[] = []
    let refused = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(request.url())
    })
    page.on('response', (answer) => {
      if (answer.status() === 401) refused += 1
    })
    const released = Promise.withResolvers<void>()
    await page.route('**/login?*', async (route) => {
      await released.promise
      await route.continue()
    })
    await chromium.context.clearCookies()
    // It saves the path and reads machines; the page is there until the login page is answered.
    await page.getByRole('link', { name: 'Multiview' }).dispatchEvent('click')
    await until('two refusals', () => refused >= 2)
    await pause(300)
    released.resolve()
    await isAt(/^\/login\?next=%2Funit%2Fmultiview/)
    await page.getByLabel('User name').waitFor()
    expect(loads).toHaveLength(1)
  })

  test('[SHELL-034] every call carries the REST base and both headers, and none leaves the origin', async () => {
    const requests: Request[] = []
    const sockets: string[] = []
    page.on('request', (request) => requests.push(request))
    page.on('websocket', (socket) => sockets.push(socket.url()))
    await enterList()
    await page.getByRole('link', { name: 'Multiview' }).click()
    await page.locator('[data-part="channel-row"]').first().waitFor()
    await page.getByRole('link', { name: 'Units' }).click()
    await page.locator('[data-row-id]').first().dblclick()
    await page.getByRole('article').waitFor()
    await pause(1000)
    // But for the visits, which the operator of this installation has reported.
    const ofConsole = requests.filter((request) => request.url() !== visitsUrl)
    expect(new Set(ofConsole.map((request) => new URL(request.url()).origin))).toEqual(new Set([demo.url]))
    const calls = ofConsole.filter((request) => request.resourceType() === 'fetch')
    const others = ['/login', '/preview/']
    for (const call of calls) {
      const { pathname } = new URL(call.url())
      if (others.some((other) => pathname.startsWith(other))) continue
      expect(pathname).toMatch(/^\/luc\/luc-core-web\/rest\//)
      const headers = await call.allHeaders()
      expect(headers).toMatchObject({ accept: 'application/json', 'application-id': 'console' })
    }
    expect(calls.length).toBeGreaterThan(8)
    expect(new Set(sockets.map((url) => url.replace(/^ws/, 'http')))).toEqual(
      new Set([`${demo.url}/luc-core-web/pubsub`]),
    )
    const { status } = await fetch(`${demo.url}/luc/luc-core-web/rest/v2/client/configuration`, {
      headers: { cookie: (await demo.person('operator')).cookie },
    })
    expect(status).toBe(400)
  })

  test('[SHELL-027] the group is shown and changed at the top, is remembered, and everything follows it', async () => {
    await enterList()
    const switcher = page.locator('.group-switcher')
    const names = async () => page.locator('[data-row-id] [data-column="name"]').allTextContents()
    await switcher.getByText('London-News').waitFor()
    const before = await names()
    await switcher.click()
    await page.getByRole('menuitem', { name: 'Paris-News' }).waitFor()
    await pause(300)
    expect(await violations(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Paris-News' }).click()
    const operator = await demo.person('operator')
    const servers = await operator.call(api.servers.ofGroup, { params: { id: 'paris-news' } })
    const paris = [...(await demo.units('paris-news')), ...servers].map(({ name }) => name)
    await until('the units of Paris', async () => {
      const now = await names()
      return now.length > 0 && now.every((name) => paris.includes(name))
    })
    expect((await names()).some((name) => before.includes(name))).toBe(false)
    await page.getByRole('link', { name: 'Multiview' }).click()
    const [channel] = await demo.channels('paris-news')
    await page.locator('[data-part="channel-row"]', { hasText: channel!.name }).waitFor()
    await until('the group to be remembered', async () => {
      const { groupId, inventoryId, inventoryName } = await remembered('operator')
      return (
        groupId === 'paris-news' &&
        inventoryId === 'north-atlantic' &&
        inventoryName === 'North Atlantic News'
      )
    })
    // Another customer's group does not exist for this user.
    await switcher.click()
    expect(await page.getByRole('menuitem', { name: 'Sport-Europe' }).count()).toBe(0)
  })

  test('[SHELL-024] [LIVE-007] at most five messages at once, the rest wait; they go after 3 s, and one remains until closed', async () => {
    const [channel] = await demo.free(1)
    const units = (await demo.ready(7)).slice(0, 7)
    await Promise.all(units.map((unit) => demo.choose(unit, channel!)))
    await enterList()
    // A network that breaks exactly at the writes: nothing of it reaches core.
    await page.route('**/v2/units/*/stream', (route) => route.abort())
    const toasts = page.locator('.mantine-Notification-root')
    const begin = Date.now()
    await Promise.all(
      units.map(({ name }) => page.getByRole('button', { name: `Start ${name}` }).dispatchEvent('click')),
    )
    await until('five messages', async () => (await toasts.count()) === 5)
    expect(await toasts.first().textContent()).toContain('Generic Error')
    const isInPart = async () => (await toasts.count()) <= 2 && (await toasts.count()) > 0
    await until('the two that waited', isInPart)
    expect(Date.now() - begin).toBeGreaterThanOrEqual(2900)
    await until('no message', async () => (await toasts.count()) === 0)
    expect(Date.now() - begin).toBeGreaterThanOrEqual(5900)
    await page.route('**/userPreferences/vue', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Filters' }).click()
    const sticky = toasts.first()
    await sticky.waitFor()
    await pause(4000)
    expect(await toasts.count()).toBe(1)
    await pause(300)
    expect(await violations(page)).toEqual([])
    await sticky.getByRole('button', { name: 'Close' }).click()
    await until('no message', async () => (await toasts.count()) === 0)
  })
})
