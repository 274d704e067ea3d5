// Dark, light, or as the machine prefers: readable in each, kept, and changed while the page is open.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import type { Theme } from '@backhaul/contract/nouns/preferences'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

/** The little of a page's own types that is needed here. */
interface Globals {
  getComputedStyle(of: unknown): { getPropertyValue(name: string): string }
}

describe.runIf(hasChromium)('the theme of the console', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  let person: Person

  const open = async () => {
    stage = await openStage({ demo: 1 })
    chromium = await openChromium()
    page = chromium.page
    person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await person.call(api.client.savePreferences, {
      body: { ...defaultPreferences(), currentRoute: '/unit/list' },
    })
    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const wears = (theme: string) => page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor()
  const isKept = (theme: Theme) =>
    until(`theme ${theme} kept`, async () => (await person.call(api.client.preferences, {})).theme === theme)

  const styleOf = (part: Locator, property: string): Promise<string> =>
    part.evaluate(
      (element, name) => (globalThis as unknown as Globals).getComputedStyle(element).getPropertyValue(name),
      property,
    )

  async function choose(label: string): Promise<void> {
    await page.getByRole('button', { name: /menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    await page.getByRole('dialog').getByText(label, { exact: true }).click()
    expect(await violations(page)).toEqual([])
    const dialog = page.getByRole('dialog')
    expect(await styleOf(dialog.locator('footer'), 'background-color')).toBe(
      await styleOf(dialog, 'background-color'),
    )
    await page.getByRole('button', { name: 'OK', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('with the system theme the console changes with the machine, and the next start keeps that', async () => {
    await wears('dark')
    await choose('By system')
    await isKept('system')
    await page.emulateMedia({ colorScheme: 'light' })
    await wears('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await wears('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.reload()
    await page.getByRole('button', { name: /menu of/ }).waitFor()
    await wears('light')
  })

  test('a chosen theme is kept, regardless of the preference of the machine', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    await choose('Dark')
    await isKept('dark')
    await wears('dark')
    await page.getByRole('button', { name: /menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Light theme' }).click()
    await wears('light')
    await isKept('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await page.getByRole('button', { name: /menu of/ }).waitFor()
    await wears('light')
  })
})
