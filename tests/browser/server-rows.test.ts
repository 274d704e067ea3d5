// Servers in the list of units in real Chromium: a real hub, which a real unit sends to.
import { api } from '@backhaul/contract/api/api'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const group = 'newsroom'
const [hubName, unitName] = ['Hub-London', 'Van-1']
const patienceMs = patientMs(90_000)

describe.runIf(hasChromium && findFfmpeg())('a server in the unit list', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let unitId: string
  let channel: { uniqueId: string; name: string }

  const hubEnv = { BACKHAUL_HUB_NAME: hubName, BACKHAUL_HUB_LOOPS: '0' }
  const open = async () => {
    stage = await openStage()
    await stage.start('hub', { env: hubEnv })
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: unitName,
        BACKHAUL_LINKS: '127.0.0.2,127.0.0.3',
        BACKHAUL_BITRATE_KBPS: '800',
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    unitId = (await until('the unit', async () => (await units()).find(({ idle }) => idle), patienceMs)).uid
    channel = await until('a channel', async () => (await channels())[0], patienceMs)
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'admin', adminPassword, '/unit/list?ignoreRouteDefault=1')
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)
  beforeEach(async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    await person.call(api.client.savePreferences, { body: { filters: {} } })
    await page().goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    await row(hubName).waitFor()
    await row(unitName).waitFor()
  })

  const page = () => chromium.page
  const units = () => person.call(api.units.ofGroup, { query: { group } })
  const channels = () => person.call(api.channels.ofGroup, { query: { group } })
  const servers = () => person.call(api.servers.ofGroup, { params: { id: group } })
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })
  const cell = (name: string, column: string) => row(name).locator(`[data-column="${column}"]`)
  const names = () => page().locator('[data-row-id] [data-column="name"]').allInnerTexts()
  const chip = (name: string) => page().getByRole('button', { name, exact: true })
  const start = () =>
    person.call(api.unitCommands.start, { params: { id: unitId }, body: { channel: channel.uniqueId } })
  const stop = () => person.call(api.unitCommands.stop, { params: { id: unitId } }).catch(() => {})
  const isCollecting = async (is: boolean) =>
    await until(
      is ? 'the picture' : 'the end of the picture',
      async () => (await servers()).some(({ applications }) => 'collecting' in applications === is),
      patienceMs,
    )

  test('[UNIT-001] is listed after the units with state, product and version, and is counted as none of them', async () => {
    const [server] = await servers()
    expect(await names()).toEqual([unitName, hubName])
    expect(await cell(hubName, 'status').textContent()).toBe('Online')
    expect(await cell(hubName, 'type').textContent()).toBe('MMH Server')
    expect(await cell(hubName, 'version').textContent()).toBe(server?.swVersion)
    expect(await cell(unitName, 'action').getByRole('button').count()).toBe(1)
    expect(await cell(hubName, 'action').getByRole('button').count()).toBe(0)
    const counted = await page().getByLabel('Counters of the group').locator('dd').allInnerTexts()
    const [busy, idle, offline] = counted.map(Number)
    expect((busy ?? 0) + (idle ?? 0) + (offline ?? 0)).toBe(1)
    expect(await violations(page())).toEqual([])
  })

  test('[UNIT-001] shows the channel that it uses in its row and on its page, as the picture comes and goes', async () => {
    await stop()
    await isCollecting(false)
    expect(await cell(hubName, 'channel').textContent()).toBe('')
    await start()
    await isCollecting(true)
    const shown = displayedChannelName(channel.name)
    await cell(hubName, 'channel').getByText(shown, { exact: true }).waitFor()
    await cell(hubName, 'name').dblclick()
    await page().waitForURL('**/unit/server/*')
    await page().getByRole('heading', { name: hubName }).waitFor()
    const received = page().locator('[data-part="server-channel"]', { hasText: shown })
    await received.getByText('Collecting').waitFor()
    await received.getByText(unitName).waitFor()
    await page().getByText('Newsroom', { exact: true }).last().waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('link', { name: 'Back to the unit list' }).click()
    await row(hubName).waitFor()
    await stop()
    await until(
      'no channel in use',
      async () => (await cell(hubName, 'channel').textContent()) === '',
      patienceMs,
    )
  })

  test('[UNIT-001] has a menu and a panel of its own, and none of the keys of units', async () => {
    await stop()
    await cell(unitName, 'name').click()
    await page().getByRole('complementary', { name: 'Selected unit' }).waitFor()
    await cell(hubName, 'name').click()
    const panel = page().getByRole('complementary', { name: 'Selected server' })
    await panel.getByText('Channels in use').waitFor()
    expect(await violations(page())).toEqual([])
    for (const key of ['s', 'l', 'd', 'c', 'F2']) await page().keyboard.press(key)
    await row(hubName).click({ button: 'right' })
    await expect
      .poll(() => page().getByRole('menuitem').allInnerTexts())
      .toEqual([expect.stringContaining('Open full page'), 'Administer', 'Reset grid', 'Export list'])
    expect(await page().getByRole('dialog').count()).toBe(0)
    expect((await units()).map(({ transmission }) => transmission)).toEqual([null])
    await page().keyboard.press('Escape')
    await page().keyboard.press('Enter')
    await page().waitForURL('**/unit/server/*')
  })

  test('[UNIT-001] is found by its name and its kind; numbers of units choose units, and the map has none', async () => {
    await page().getByRole('button', { name: 'Filters' }).click()
    await chip('Servers').click()
    await expect.poll(names).toEqual([hubName])
    await chip('Field').click()
    await expect.poll(names).toEqual([unitName, hubName])
    await chip('Field').click()
    await until('the filter to be kept', async () => {
      const { filters } = await person.call(api.client.preferences, {})
      return `${filters.device?.chosen.type}` === 'servers'
    })
    await page().goto(`${stage.url}/unit/map?ignoreRouteDefault=1`)
    await row(unitName).waitFor()
    expect(await names()).toEqual([unitName])
    expect(await chip('Servers').count()).toBe(0)
    await page().goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    await expect.poll(names).toEqual([hubName])
    await chip('Servers').click()
    await page().getByLabel('Search units').fill('hub-lon')
    await expect.poll(names).toEqual([hubName])
    await page().getByLabel('Search units').fill('')
    await chip('None').click()
    await expect.poll(names).toEqual([unitName])
    await page().getByRole('button', { name: 'Show all' }).click()
    await page().getByRole('button', { name: 'Filters' }).click()
    await expect.poll(names).toEqual([unitName, hubName])
  })

  test('[UNIT-001] is offline when its program ends, and leaves the list with the group', async () => {
    await stage.end('hub')
    await cell(hubName, 'status').getByText('Offline').waitFor()
    await stage.start('hub', { env: hubEnv })
    await cell(hubName, 'status').getByText('Online').waitFor()
    const [{ deviceId: id } = { deviceId: '' }] = await servers()
    const change = (groups: string[]) =>
      person.call(api.deviceAdministration.changeServer, { params: { id }, body: { groups } })
    await change([])
    await row(hubName).waitFor({ state: 'detached' })
    await change([group])
    await row(hubName).waitFor()
  })
})
