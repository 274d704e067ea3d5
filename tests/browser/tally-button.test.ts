// The tally that an operator switches by hand on the page of a unit: by the pointer and by keys, to its crew and back.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('the tally button', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const button = () => page().getByRole('button', { name: 'Tally of Desk-1', exact: true })
  const frame = () => page().locator('[data-part=picture]')
  let unit: StageDevice
  let server: StageDevice
  let operator: Person
  let channel: string

  async function giveServices(services: 'tally'[]): Promise<void> {
    const root = await signIn(opened.stage.url, 'admin', adminPassword)
    const { items } = await root.call(api.users.list, { query: { search: 'operator' } })
    await root.call(api.users.change, { params: { id: items[0]?.id ?? '' }, body: { services } })
  }

  beforeAll(async () => {
    const { stage } = opened
    const slots = [{ slot: '1', name: 'Desk-1', inputType: null }]
    server = await joinDevice(stage, { kind: 'server', name: 'Desk', groupId, slots })
    unit = await joinDevice(stage, { name: 'Tally-Van', groupId, actual: { capabilities: { tally: true } } })
    await giveServices(['tally'])
    operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    channel = await until('the channel', async () => {
      const channels = await operator.call(api.channels.ofGroup, { query: { group: groupId } })
      return channels.find(({ name }) => name === 'Desk-1')?.uniqueId
    })
    const params = { id: unit.id, command: 'set_virtual_channel' as const }
    await operator.call(api.unitCommands.command, { params, body: { virtualChannelName: channel } })
    await operator.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel } })
    const { state } = await unit.received('wanted', ({ state }) => Boolean(state.transmission))
    const transmissionId = state.transmission?.id ?? null
    const isOnAir = { state: 'streaming' as const }
    unit.report({ ...isOnAir, applications: { video: isOnAir }, channelId: channel, transmissionId })
    server.channels([{ channelId: channel, status: 'collecting', transmissionId }])
  })
  afterAll(() => {
    unit?.close()
    server?.close()
  })

  /** The newest tally as the crew sees it. */
  const crewSees = () => unit.messages.findLast((one) => one.type === 'tally')

  test('[COMM-004] an operator lights the tally of a unit by a click and by keys, and sees it on its page', async () => {
    await signInOnPage(
      page(),
      opened.stage.url,
      'operator',
      DEMO_PASSWORD,
      `/unit/${unit.id}?ignoreRouteDefault=1`,
    )
    await expect.poll(() => button().getAttribute('aria-pressed')).toBe('false')
    const shows = async (onAir: boolean) => {
      await expect.poll(crewSees).toMatchObject({ onAir })
      await expect.poll(() => button().getAttribute('aria-pressed')).toBe(String(onAir))
      await expect.poll(() => frame().getAttribute('data-tally')).toBe(onAir ? 'onAir' : null)
      const lamps = page().getByText('ON AIR', { exact: true })
      await expect.poll(async () => (await lamps.count()) > 0).toBe(onAir)
    }
    await button().click()
    await shows(true)
    expect(await violations(page())).toEqual([])
    await page().reload()
    await shows(true)
    await button().click()
    await shows(false)
    await button().press('Enter')
    await shows(true)
    await button().press('Space')
    await shows(false)
  })

  test('an open page has the button only while its user has the service', async () => {
    await giveServices([])
    await button().waitFor({ state: 'detached' })
    await page().locator('[data-part=record]').waitFor()
    await giveServices(['tally'])
    await button().waitFor()
  })

  test('record and tally are in one row below the picture, also on a phone', async () => {
    const record = page().locator('[data-part=record]').getByRole('button')
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page().setViewportSize(size)
      const topOf = async (one: typeof record) => (await one.boundingBox())?.y
      await expect.poll(async () => (await topOf(record)) === (await topOf(button()))).toBe(true)
    }
  })
})
