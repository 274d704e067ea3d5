// The downloads of the first visit: number of files, bytes, and their compression.
import { api } from '@backhaul/contract/api/api'
import { pathOf } from '@backhaul/contract/define/endpoint'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { expect, test } from 'vitest'
import { forgetPerson, hasChromium, signInOnPage } from '../stage/browser.ts'
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
  // The calls that the page waits for are sent while its scripts are on their way, and once.
  const calls = signInPage.flatMap(({ kind, path }) => (kind === 'Fetch' ? [path] : []))
  expect(calls).toEqual([pathOf(api.signIns.firstRun), pathOf(api.signIns.ways)])
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
  for (const files of [signInPage, list]) {
    const fetched = files.filter(isFile).map(({ path }) => path)
    expect(fetched).toEqual([...new Set(fetched)])
  }
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

test.runIf(hasChromium)(
  'with a sign-in that is kept, what a start reads is sent ahead of the scripts, and read once',
  async () => {
    const { stage, chromium } = opened
    const { page } = chromium
    await stage.start('simulator')
    await forgetPerson(page)
    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
    await page.locator('[data-row-id]').first().waitFor()
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await until('the group to be remembered', async () => {
      const { groupId } = await operator.call(api.client.preferences, {})
      return groupId !== null
    })
    const another = await page.context().newPage()
    const load = await watchLoad(another)
    await another.goto(`${stage.url}/unit/list`)
    await another.locator('[data-row-id]').first().waitFor()
    const first = load.files().find(({ kind }) => kind === 'Script')?.path
    expect(first).toMatch(/early-calls/)
    const reads = [
      api.client.configuration,
      api.client.currentUser,
      api.client.preferences,
      api.client.applicationUrls,
      api.client.lightGroups,
      api.client.groupFeatures,
      api.units.ofGroup,
      api.alerts.active,
      api.channels.ofGroup,
    ].map((endpoint) => pathOf(endpoint))
    const isRead = ({ path, kind }: { path: string; kind: string }) =>
      kind === 'Fetch' && reads.includes(path)
    expect(load.files().flatMap((file) => (isRead(file) ? [file.path] : []))).toEqual(reads)
    // The bar above the screen, and what it opens, come behind it.
    await another.getByRole('button', { name: /menu of/ }).click()
    await another.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await another.close()
  },
)

test.runIf(hasChromium)('the inspector gets wider by keys too, and is as wide after a reload', async () => {
  const { page } = opened.chromium
  // The first row may be that of a server, which has another inspector.
  await page.locator('[data-row-id^="u-"]').first().click()
  const inspector = page.getByRole('complementary', { name: 'Selected unit' })
  const widthNow = async () => Math.round((await inspector.boundingBox())?.width ?? 0)
  await inspector.waitFor()
  const before = await widthNow()
  await page.getByRole('separator').focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await until('a wider inspector', async () => (await widthNow()) > before)
  const wide = await widthNow()
  await page.reload()
  await until('the same width', async () => Math.abs((await widthNow()) - wide) <= 1)
})
