// A core that is held, or not there at all: how long the console waits for it, what it shows, and how it continues.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const groupId = 'london-news'
const noAnswer = 'No answer came in time.'

describe.runIf(hasChromium)('a core that does not answer', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  let unit: StageDevice
  let chief: Person
  let calls: ReturnType<typeof followCalls>

  beforeAll(async () => {
    stage = await openStage({ demo: 1, hasOwnCore: true })
    unit = await joinDevice(stage, { name: 'Van-1', groupId })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.client.savePreferences, { body: { groupId } })
    chromium = await openChromium()
    page = chromium.page
    page.setDefaultTimeout(12_000)
    await page.clock.install()
    calls = followCalls(page)
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
  })
  beforeEach(() => page.clock.resume())
  afterAll(async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  })

  const row = () => page.locator(`[data-row-id="${unit.id}"]`)
  const connected = () => page.getByText('Connected', { exact: true }).waitFor({ timeout: 60_000 })
  const now = () => page.evaluate(() => Date.now())
  /** From here on only the test moves the time. */
  const holdTime = async () => page.clock.pauseAt((await now()) + 500)
  const passUntil = async (timeMs: number) => page.clock.fastForward(timeMs - (await now()))

  async function openList() {
    await page.goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    await row().waitFor()
    await connected()
  }

  /** Core has its sockets open, and does nothing. */
  async function hold(act: () => Promise<void>) {
    const core = stage.pidOf('core')
    signalProcess(core, 'SIGSTOP')
    await act().finally(() => signalProcess(core, 'SIGCONT'))
    await page.clock.resume()
  }

  /** Sends the call of this path, and sees to it that it ends when its time is over, and no earlier. */
  async function endsAfter(waitMs: number, path: RegExp, act: () => Promise<unknown>) {
    const isMeant = (call: string) => path.test(call)
    calls.sent.length = 0
    calls.failed.length = 0
    const fromMs = await now()
    await act()
    await until('the call', () => calls.sent.some(isMeant))
    const toMs = await now()
    await holdTime()
    await passUntil(fromMs + waitMs - 100)
    await pause(300)
    expect(calls.failed.filter(isMeant)).toEqual([])
    await passUntil(toMs + waitMs + 100)
    await until('the call to be given up', () => calls.failed.some(isMeant))
    // The result is shown a moment later.
    await page.clock.runFor(100)
  }

  test('[LIVE-007] a change without an answer ends after 20 s with a message; the typed text is kept, and is saved once core answers', async () => {
    await openList()
    await row().click()
    await row().focus()
    await page.keyboard.press('F2')
    const dialog = page.getByRole('dialog')
    const name = dialog.getByLabel('Name')
    await name.fill('Van-1-B')
    const ok = dialog.getByRole('button', { name: 'OK' })
    await hold(async () => {
      await endsAfter(20_000, /^PUT .*\/v2\/units\//, () => ok.click())
      await dialog
        .getByText(`${noAnswer} See whether the change was made before you repeat it.`, { exact: true })
        .waitFor()
      expect(await name.inputValue()).toBe('Van-1-B')
    })
    expect(await violations(page)).toEqual([])
    await ok.click()
    await dialog.waitFor({ state: 'detached' })
    await row().getByText('Van-1-B').waitFor()
    const { name: stored } = await chief.call(api.units.one, { params: { id: unit.id } })
    expect(stored).toBe('Van-1-B')
  })

  test('[LIVE-007] a list without an answer is given up after 20 s, and can be read again', async () => {
    await openList()
    await hold(async () => {
      await page.locator('.group-switcher').click()
      await endsAfter(20_000, /^GET .*\/devices\/fetch/, () =>
        page.getByRole('menuitem', { name: 'Paris-News' }).click(),
      )
      await page.getByRole('heading', { name: 'Items cannot be displayed' }).waitFor()
      await page.getByText(noAnswer, { exact: true }).waitFor()
    })
    await page.locator('.group-switcher').click()
    await page.getByRole('menuitem', { name: 'London-News' }).click()
    await row().waitFor()
  })

  test('[LIVE-007] a report, which may take longer, is given up after 30 s', async () => {
    await page.goto(`${stage.url}/services/reports?ignoreRouteDefault=1`)
    await page.getByText('No transmission in this period').waitFor()
    await hold(async () => {
      await endsAfter(30_000, /^GET .*\/reports\/usage/, () =>
        page.getByLabel('Rows').selectOption('By channel'),
      )
      await page.getByText(noAnswer, { exact: true }).waitFor()
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No transmission in this period').waitFor()
  })

  test('[LIVE-007] a silent connection is pinged after 12 s, counts as lost 5 s later, and is made again when core answers', async () => {
    const sent: { action: string }[] = []
    page.once('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => sent.push(JSON.parse(String(payload)) as { action: string }))
    })
    await openList()
    const rename = (name: string) => chief.call(api.units.update, { params: { id: unit.id }, body: { name } })
    const fromMs = await now()
    await rename('Van-1-D')
    await row().getByText('Van-1-D').waitFor()
    await hold(async () => {
      const toMs = await now()
      sent.length = 0
      await holdTime()
      await passUntil(fromMs + 11_900)
      await pause(300)
      expect(sent).toEqual([])
      await passUntil(toMs + 12_100)
      await until('the ping', () => sent.length > 0)
      expect(sent.map(({ action }) => action)).toEqual(['subscribe'])
      await page.clock.fastForward(4900)
      await page.getByText('Connected', { exact: true }).waitFor()
      await page.clock.fastForward(100)
      await page.locator('.link-word').getByText('Connection lost').waitFor()
    })
    await connected()
    await rename('Van-1-E')
    await row().getByText('Van-1-E').waitFor()
  })

  test('[LIVE-007] while core is away the console looks for it every 5 s, and connects as soon as it is there', async () => {
    await openList()
    const port = new URL(stage.url).port
    await holdTime()
    await stage.end('core')
    await until('the quick tries to be over', async () => {
      await page.clock.runFor(500)
      return (await page.getByText('Next attempt (4)').count()) > 0
    })
    const probes = () => calls.failed.filter((call) => call === 'GET /healthz')
    await pause(300)
    const before = probes().length
    // The last quick try may have failed up to 500 ms ago.
    await page.clock.fastForward(4400)
    await pause(300)
    expect(probes()).toHaveLength(before)
    await page.clock.fastForward(600)
    await until('a look that finds nothing', () => probes().length > before)
    await pause(300)
    await page.clock.fastForward(5000)
    await page.getByText('Next attempt (5)').waitFor()
    await stage.start('core', { env: { BACKHAUL_PORT: port } })
    await page.clock.fastForward(4999)
    await pause(300)
    expect(await page.getByText('Connected', { exact: true }).count()).toBe(0)
    await page.clock.fastForward(1)
    await connected()
  })
})

/** Follows the requests of the page, as `GET /path`, and those without an answer. */
function followCalls(page: Page) {
  const sent: string[] = []
  const failed: string[] = []
  const wordsOf = (request: { method(): string; url(): string }) =>
    `${request.method()} ${new URL(request.url()).pathname}`
  page.on('request', (request) => sent.push(wordsOf(request)))
  page.on('requestfailed', (request) => failed.push(wordsOf(request)))
  return { sent, failed }
}
