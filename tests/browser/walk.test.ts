// At night: every screen of every role on a desktop and on a phone, dark and light, in English and Spanish. Nothing is cut,
// nothing fails, nothing lacks its words. With WALK_PICTURES set to a folder, a picture of each screen is kept there.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addresses, everyone, goWithin, pathOf, people } from '../stage/addresses.ts'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { cutForGood } from '../stage/cut-texts.ts'
import { addVendorStaff, type Demo, openDemo } from '../stage/demo.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'
import { pause } from '../stage/until.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** Axe judges the contrast in both themes, so that it looks once at each size. */
const looks = [
  { name: 'desktop, dark, English', size: desktop, theme: 'dark', language: 'en', isJudged: true },
  { name: 'phone, light, Spanish', size: phone, theme: 'light', language: 'es', isJudged: true },
  { name: 'desktop, light, Spanish', size: desktop, theme: 'light', language: 'es', isJudged: false },
  { name: 'phone, dark, English', size: phone, theme: 'dark', language: 'en', isJudged: false },
] as const
type Look = (typeof looks)[number]

const pictures = process.env.WALK_PICTURES
const visits = looks.flatMap((look) =>
  everyone.map((role) => ({ look, role, title: `${role}, ${look.name}` })),
)

/** Texts that are the key of a text: `units:column.name` or `column.name`. */
const bareKeys = async (page: Page): Promise<string[]> => {
  const texts = await page.locator('#root').allInnerTexts()
  const words = texts.flatMap((text) => text.split(/\s+/))
  return words.filter(
    (word) => /^([a-z]+[A-Za-z]*:)?[a-z]+[A-Za-z]*(\.[a-z]+[A-Za-z]*)+$/.test(word) && !isAddress(word),
  )
}
const isAddress = (word: string): boolean =>
  /\.(example|com|org|local|internal|json|xml|csv|mp4|mov|png)$/.test(word)

describe.runIf(hasChromium && process.env.TEST_NIGHTLY)('a walk through the console', () => {
  let demo: Demo
  let chromium: Chromium | undefined
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    demo = await openDemo(40)
    const root = await signIn(demo.url, 'admin', adminPassword)
    await addVendorStaff(root)
    if (pictures) mkdirSync(pictures, { recursive: true })
  })
  afterAll(() => demo?.stop())

  /** A browser that remembers nothing of the visit before. */
  async function openPage(): Promise<void> {
    await chromium?.close()
    chromium = await openChromium()
    page = chromium.page
    page.on('pageerror', ({ message }) => faults.push(`error: ${message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        faults.push(`console: ${message.text()}`)
    })
    page.on('response', (response) => {
      const isCall = response.url().includes('/rest/')
      if (isCall && response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
    })
  }

  /** The faults of the screen as it is now. */
  async function findings(isJudged: boolean): Promise<string[]> {
    const { width } = page.viewportSize() ?? desktop
    const scrolled = (await page.evaluate('document.documentElement.scrollWidth')) as number
    return [
      ...(scrolled > width ? [`wider than the screen: ${scrolled} px`] : []),
      ...(await cutForGood(page)).map((text) => `cut: ${text}`),
      ...(await bareKeys(page)).map((key) => `without words: ${key}`),
      ...(isJudged ? await violations(page) : []),
      ...faults.splice(0),
    ]
  }

  async function visit(path: string, { name, isJudged }: Look, role: string): Promise<string[]> {
    await goWithin(page, path)
    await page.locator('#content :is([role=row], h2, button, form)').first().waitFor()
    await page.locator('[data-grid-skeleton]').waitFor({ state: 'detached' })
    // Late parts of a screen, such as the columns that fit.
    await pause(400)
    if (pictures)
      await page.screenshot({ path: join(pictures, `${role} ${name} ${path.replaceAll('/', '_')}.png`) })
    return (await findings(isJudged)).map((finding) => `${path}: ${finding}`)
  }

  test.for(visits)('[SHELL-001] [SHELL-029] $title', { timeout: 900_000 }, async ({ look, role }) => {
    const [username, password] = people[role]
    const person = await signIn(demo.url, username, password)
    const { theme, language, size } = look
    await person.call(api.client.savePreferences, { body: { groupId: 'london-news', theme, language } })
    await openPage()
    await page.setViewportSize(size)
    await signInOnPage(page, demo.url, username, password, '/unit/list?ignoreRouteDefault=1')
    await page.waitForURL('**/unit/list*')
    const found: string[] = []
    for (const row of addresses) {
      if (!row.open.includes(role)) continue
      for (const name of Object.keys(row.screens)) found.push(...(await visit(pathOf(row, name), look, role)))
    }
    const [unit] = await demo.ready(1)
    if (unit) found.push(...(await visit(`/unit/${unit.uid}`, look, role)))
    const [server] = await person.call(api.servers.ofGroup, { params: { id: 'london-news' } })
    if (server) found.push(...(await visit(`/unit/server/${server.deviceId}`, look, role)))
    await chromium?.close()
    chromium = undefined
    expect(found).toEqual([])
  })
})
