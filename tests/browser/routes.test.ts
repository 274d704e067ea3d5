// Every address of the console, for every kind of user: the screen with its data, or the refusal of its guard.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addresses, everyone, goWithin, pathOf, people, tour } from '../stage/addresses.ts'
import { type Chromium, forgetPerson, hasChromium, openChromium, signInOnPage } from '../stage/browser.ts'
import { addVendorStaff } from '../stage/demo.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { violated, watchPolicy } from '../stage/policy.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

const groupId = 'london-news'
const forbidden = 'You are not allowed to access this application'

/** The little of a page's own types that is needed here. */
interface EarlyWindow {
  document: { title: string }
  history: { pushState(state: object, unused: '', path: string): void }
  MutationObserver: new (
    changed: () => void,
  ) => { observe(node: object, what: object): void; disconnect(): void }
}

describe.runIf(hasChromium)('every address', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  const devices: StageDevice[] = []
  /** Calls that core refused, and errors of the page. */
  const faults: string[] = []

  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    const inGroup = { groupId }
    const slotsOf = (name: string) => [{ slot: '1', name, inputType: null }]
    const server = { ...inGroup, kind: 'server' as const }
    devices.push(
      await joinDevice(stage, { ...server, name: 'MCR-Route', slots: slotsOf('Route-1') }),
      await joinDevice(stage, {
        ...server,
        name: 'VR-Route',
        product: 'Video Return Server',
        slots: slotsOf('Return-1'),
      }),
      await joinDevice(stage, { ...inGroup, name: 'Route-Van' }),
    )
    devices[2]?.sample({ location: { lat: 51.5, lng: -0.12, address: '' } })
    const root = await signIn(stage.url, 'admin', adminPassword)
    await addVendorStaff(root)
    for (const [username, password] of Object.values(people)) {
      const person = await signIn(stage.url, username, password)
      await person.call(api.client.savePreferences, { body: { groupId } })
    }
    chromium = await openChromium()
    page = chromium.page
    await watchPolicy(page)
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('response', (response) => {
      const isCall = response.url().includes('/rest/')
      if (isCall && response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
    })
  })
  afterAll(async () => {
    for (const device of devices) device.close()
    await chromium?.close()
    await stage?.stop()
  })
  beforeEach(() => {
    faults.length = 0
  })

  const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)

  const goTo = (path: string) => goWithin(page, path)
  const titled = (title: string) =>
    page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()

  /** Its title, its name among its siblings, and its data: what is known of it, or the rows or the words of an empty list. */
  async function showsItself([title, ...sees]: readonly [string, ...string[]]): Promise<void> {
    await titled(title)
    const content = page.locator('#content')
    const isSettled = content.locator(
      '[data-row-id], [data-grid-state]:not([role=alert]) h2, h2, form, button',
    )
    await isSettled.first().waitFor()
    await content.locator('[data-grid-skeleton]').waitFor({ state: 'detached' })
    for (const text of sees) await content.getByText(text).first().waitFor()
    expect(await page.getByText('Items cannot be displayed').count()).toBe(0)
    expect(await page.getByText(forbidden).count()).toBe(0)
  }

  test.for(everyone)(
    '[SHELL-001] %s sees each of their screens with its data and no violation of the policy, and the refusal at all others',
    async (role) => {
      const [username, password] = people[role]
      await signInOnPage(page, stage.url, username, password)
      await isAt('/unit/list')
      for (const row of addresses) {
        const names = Object.keys(row.screens)
        if (!row.open.includes(role)) {
          const paths = names.map((name) => pathOf(row, name))
          const ends = await tour(
            page,
            paths.map((path) => `${path}?ignoreRouteDefault=1`),
          )
          expect([role, ends]).toEqual([role, paths.map((at) => ({ at, refusal: forbidden }))])
          // Without the request to remain, a refused address leads to the list.
          await goTo(paths[0] ?? '')
          await isAt('/unit/list')
          await showsItself(['Unit list', 'Route-Van'])
        } else
          for (const [name, shown] of Object.entries(row.screens)) {
            const path = pathOf(row, name)
            const at = `${role} at ${path}`
            await goTo(path)
            await isAt(path)
            await showsItself(shown).catch((error: Error) => expect.fail(`${at}: ${error.message}`))
            expect([at, faults.splice(0)]).toEqual([at, []])
          }
        expect([role, row.parent, faults.splice(0)]).toEqual([role, row.parent, []])
      }
      // Addresses with rules of their own.
      for (const path of ['/', '/nothing/of/this/name', '/error', '/easy_live']) {
        await goTo('/unit/multiview')
        await goTo(path)
        await isAt(path === '/' ? '/unit/multiview' : '/unit/list')
      }
      await goTo('/customer_portal')
      await page.getByRole('heading', { name: 'North Atlantic News' }).waitFor()
      await goTo('/unauthorized_user')
      await titled(forbidden)
      await goTo(`/unit/${devices[2]?.id}`)
      await page.getByRole('article').waitFor()
      expect(faults).toEqual([])
      // All of it is one document.
      expect(await violated(page)).toEqual([])
    },
  )

  test('[SHELL-001] users without a place in the console get one page at every address', async () => {
    for (const [username, home, title] of [
      ['studio', '/easy_live', undefined],
      ['returns', '/unauthorized_user', 'Video return only'],
      ['curator', '/unauthorized_user', forbidden],
    ] as const) {
      await signInOnPage(page, stage.url, username, DEMO_PASSWORD)
      await isAt(home)
      const paths = addresses.flatMap((row) => Object.keys(row.screens).map((name) => pathOf(row, name)))
      const ends = await tour(
        page,
        [...paths, '/', '/nothing', '/customer_portal'].map((path) => `${path}?ignoreRouteDefault=1`),
      )
      expect([username, ends.filter(({ at }) => at !== home)]).toEqual([username, []])
      if (title) await titled(title)
      else await page.getByRole('button', { name: /^Route-Van/ }).waitFor()
      expect([username, faults.splice(0)]).toEqual([username, []])
    }
  })

  test('[SHELL-001] without a sign-in every part of the console leads to the login page, and remembers the address', async () => {
    await forgetPerson(page)
    const [first] = addresses
    const paths = addresses.map((row) => pathOf(row, Object.keys(row.screens)[0] ?? ''))
    expect(first?.parent).toBe('/unit')
    for (const path of [...paths, '/easy_live', '/customer_portal', '/nothing']) {
      await page.goto(stage.url + path)
      await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('next') === path)
      await page.getByLabel('User name').waitFor()
    }
  })

  test('[SHELL-001] an address that changes before the first page is drawn is followed', async () => {
    await forgetPerson(page)
    const early = await chromium.context.newPage()
    await early.addInitScript(() => {
      const { document, history, MutationObserver } = globalThis as unknown as EarlyWindow
      // The title is set once the first page is loaded, which is not drawn yet.
      const observer = new MutationObserver(() => {
        if (!document.title.startsWith('List - ')) return
        observer.disconnect()
        history.pushState({}, '', '/unit/multiview')
      })
      observer.observe(document, { subtree: true, childList: true })
    })
    const [username, password] = people.luc_regular
    await signInOnPage(early, stage.url, username, password, '/unit/list?ignoreRouteDefault=1')
    await early.getByRole('heading', { level: 1, name: 'Multiview', exact: true }).waitFor()
    await early.close()
  })
})
