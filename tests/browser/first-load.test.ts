// The downloads of the first visit: number of files, bytes, and their compression.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { expect, test } from 'vitest'
import { forgetPerson, hasChromium } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { watchLoad } from '../stage/first-load.ts'
import { signIn } from '../stage/person.ts'
import { until } from '../stage/until.ts'

const opened = openConsole()

test.runIf(hasChromium)('signing in and the list of units come in few files, compressed', async () => {
  const { stage, chromium } = opened
  const { page } = chromium
  await forgetPerson(page)
  const load = await watchLoad(page)
  await page.goto(`${stage.url}/login`)
  await page.getByLabel('User name').waitFor()
  const signInPage = load.files()
  const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
  await operator.call(api.client.savePreferences, { body: { currentRoute: '/unit/list' } })
  await page.getByLabel('User name').fill('operator')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  load.forget()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('treegrid').waitFor()
  const list = load.files()

  // Calls to core are not counted: their number depends on the data.
  const isFile = ({ kind }: { kind: string }) => ['Document', 'Script', 'Stylesheet', 'Font'].includes(kind)
  for (const files of [signInPage, list]) expect(files.filter(isFile).length).toBeLessThanOrEqual(25)
  const scripts = signInPage.filter(({ kind }) => kind === 'Script')
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(180_000)
  const plain = [...signInPage, ...list].filter(
    ({ kind, encoding, size }) => ['Script', 'Stylesheet'].includes(kind) && size > 1000 && encoding !== 'br',
  )
  expect(plain).toEqual([])
  // The dialogs are loaded after the screen, each of them once.
  await until('the dialogs', () => load.files().some(({ path }) => path.includes('/dialogs-')))
})
