// The console in another language: chosen before and after signing in, complete, and found again.
import { readdirSync, readFileSync } from 'node:fs'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD, demoPeople } from '@backhaul/contract/examples/demo'
import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { goWithin } from '../stage/addresses.ts'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import { until } from '../stage/until.ts'

const folder = new URL('../../apps/console/src/texts/', import.meta.url)

type Words = { [key: string]: string | Words }
const flat = (words: Words): string[] =>
  Object.values(words).flatMap((value) => (typeof value === 'string' ? [value] : flat(value)))
const wordsOf = (language: string) =>
  readdirSync(new URL(`${language}/`, folder))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => flat(JSON.parse(readFileSync(new URL(`${language}/${name}`, folder), 'utf8'))))

const spanish = new Set(wordsOf('es'))
/** Some have the name of a user type. */
const people = new Set(['admin', ...demoPeople.map(({ username }) => username)])
/** Words that are only English, which a Spanish page must not show. */
const onlyEnglish = new Set(
  wordsOf('en').filter((text) => text !== '' && !spanish.has(text) && !people.has(text)),
)
const looksLikeKey = /^[a-z][A-Za-z]*(:[A-Za-z]+)?(\.[a-z][A-Za-z]*)+$/

describe.runIf(hasChromium)('the language of the console', () => {
  let demo: Demo
  let chromium: Chromium
  let page: Page

  const open = async () => {
    demo = await openDemo(40)
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await demo?.stop()
  }
  beforeAll(open)
  afterAll(close)
  beforeEach(async () => {
    await chromium.context.clearCookies()
    page = await chromium.context.newPage()
  })
  afterEach(async () => {
    await page.evaluate(() => localStorage.clear())
    await page.close()
  })

  const speaks = (language: string) => page.locator(`html[lang="${language}"]`).waitFor()

  /** Every text and label on the page as it is now, but what is printed on keys. */
  async function shown(): Promise<string[]> {
    const texts = await page
      .locator('body :not(kbd)')
      .evaluateAll((elements) =>
        elements.flatMap((element) => [
          ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((text) => text.textContent),
          ...['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name)),
        ]),
      )
    return texts.map((text) => text?.trim() ?? '').filter(Boolean)
  }
  async function leftovers(): Promise<string[]> {
    return (await shown()).filter((text) => onlyEnglish.has(text) || looksLikeKey.test(text))
  }

  test('the login page speaks the language chosen on it, and the next start does too', async () => {
    await page.goto(`${demo.url}/login`)
    await speaks('en')
    const files: string[] = []
    page.on('request', (request) => files.push(new URL(request.url()).pathname))
    await page.getByLabel('Language').selectOption('Español')
    await speaks('es')
    // Only the texts of this page are loaded.
    expect(files.some((path) => /\/first-texts-[^/]+\.js$/.test(path))).toBe(true)
    expect(files.filter((path) => /\/es-[^/]+\.js$/.test(path))).toEqual([])
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor()
    await expect.poll(leftovers).toEqual([])
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Iniciar sesión' }).click()
    await page.getByText('Introduzca su nombre de usuario y su contraseña').waitFor()
    await page.reload()
    await page.getByLabel('Nombre de usuario').waitFor()
    await speaks('es')
  })

  test('a browser that prefers Spanish gets it without a question', async () => {
    const preferSpanish = () => Object.defineProperty(navigator, 'languages', { value: ['es-MX', 'en'] })
    await page.addInitScript(preferSpanish)
    const asked: string[] = []
    const answered: string[] = []
    const wordsIn = (url: string) => /(first|sign-in)-texts/.exec(url)?.slice(0, 1) ?? []
    page.on('request', (request) => asked.push(...wordsIn(request.url())))
    page.on('response', (response) => answered.push(`${wordsIn(response.url())} after ${asked}`))
    await page.goto(`${demo.url}/login`)
    await speaks('es')
    // All words of the page are requested at once, and once.
    const both = 'first-texts,sign-in-texts'
    expect(answered.filter((line) => line.includes('-texts after')).sort()).toEqual([
      `first-texts after ${both}`,
      `sign-in-texts after ${both}`,
    ])
  })

  test('the main screens are Spanish for users who prefer it, in every browser', async () => {
    const chief = await demo.person('chief')
    await chief.call(api.client.savePreferences, {
      body: { ...defaultPreferences(), currentRoute: '/unit/list' },
    })
    await signInOnPage(page, demo.url, 'chief', DEMO_PASSWORD)
    await page.locator('[data-row-id]').first().waitFor()
    await page.getByRole('button', { name: /menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    await page.getByLabel('Language').selectOption('Español')
    await page.getByRole('button', { name: 'OK', exact: true }).click()
    await speaks('es')
    await page.getByRole('columnheader', { name: 'Retardo', exact: true }).waitFor()
    const isKept = (wanted: string) =>
      until(`${wanted} is kept`, async () => {
        const { language } = await chief.call(api.client.preferences, {})
        return language === wanted
      })
    await isKept('es')
    await expect.poll(leftovers).toEqual([])
    expect(await violations(page)).toEqual([])
    await page.locator('[data-row-id]').first().click()
    await page.getByText('Número de serie').waitFor()
    await expect.poll(leftovers).toEqual([])
    await page.keyboard.press('?')
    await page.getByText('Buscar cualquier cosa').waitFor()
    await expect.poll(leftovers).toEqual([])
    await page.keyboard.press('Escape')
    for (const [path, label] of [
      ['/unit/multiview', 'Buscar canales'],
      ['/manage/users', 'Buscar usuarios'],
      ['/manage/groups', 'Buscar grupos'],
      ['/manage/outbox', 'Buscar destinatario, asunto o texto'],
    ] as const) {
      await goWithin(page, path)
      await page.getByLabel(label).waitFor()
      await expect.poll(leftovers, { message: path }).toEqual([])
      expect(await violations(page), path).toEqual([])
    }
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await speaks('es')
    await page.getByRole('button', { name: /menú de/ }).click()
    await page.getByRole('menuitem', { name: 'Preferencias' }).click()
    await page.getByRole('dialog').getByLabel('Idioma').selectOption('English')
    await expect.poll(leftovers).toEqual([])
    await page.getByRole('button', { name: 'Aceptar', exact: true }).click()
    await speaks('en')
    await isKept('en')
  })

  test('a refusal of core is read in Spanish, with the names that it names', async () => {
    const chief = await demo.person('chief')
    await chief.call(api.client.savePreferences, { body: { language: 'es', groupId: 'london-news' } })
    const [unit] = await demo.ready(1)
    const [channel] = await demo.free(1)
    if (!unit || !channel) throw new Error('the demo has neither')
    const params = { id: unit.uid }
    await chief.call(api.unitCommands.start, { params, body: { channel: channel.uniqueId } })
    const name = `Directo-${unit.name}`.slice(0, 60)
    await chief.call(api.groupAdministration.create, {
      body: { inventory: unit.inventoryId, name, units: [unit.uid] },
    })
    await signInOnPage(page, demo.url, 'chief', DEMO_PASSWORD, '/manage/groups?ignoreRouteDefault=1')
    await speaks('es')
    await page.getByLabel('Buscar grupos').fill(name)
    await page.locator('[data-row-id]', { hasText: name }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Eliminar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Eliminar' }).click()
    await dialog.getByText(`El grupo tiene miembros ocupados: ${unit.name}.`, { exact: true }).waitFor()
    await expect.poll(leftovers).toEqual([])
    expect(await violations(page)).toEqual([])
  })
})
