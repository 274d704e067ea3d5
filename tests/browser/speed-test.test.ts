// A speed test in real Chromium, with a unit and a server at the gateway that are controlled by the test.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { SpeedTest } from '@backhaul/contract/nouns/speed-tests'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const group = 'london-news'

describe.runIf(hasChromium)('a speed test', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let unit: StageDevice
  let server: StageDevice

  const open = async () => {
    stage = await openStage({ demo: 1 })
    const slots = [{ slot: '1', name: 'Stage-1', inputType: null }]
    server = await joinDevice(stage, {
      kind: 'server',
      name: 'MCR-Stage',
      groupId: group,
      slots,
      swVersion: '10.1.0',
    })
    const actual = { capabilities: { speedTest: true } }
    unit = await joinDevice(stage, { name: 'Stage-Van', groupId: group, actual })
    unit.sample()
    person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await person.call(api.client.savePreferences, { body: { groupId: group } })
    chromium = await openChromium()
    await signInOnPage(chromium.page, stage.url, 'operator', DEMO_PASSWORD)
  }
  const close = async () => {
    for (const device of [unit, server]) device?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const report = (transmissionId: string, state: SpeedTest['state'], links: SpeedTest['links']) =>
    unit.report({
      transmissionId: state === 'running' ? transmissionId : null,
      applications: state === 'running' ? { video: { state: 'speedtest' } } : {},
      speedTest: { transmissionId, state, links },
    })
  const wantedTest = (but?: string) =>
    until('a test to be wanted', () => {
      const wanted = unit.messages.findLast((message) => message.type === 'wanted')?.state.transmission
      return wanted?.speedTestMs === 10_000 && wanted.id !== but ? wanted.id : undefined
    })

  test('[STREAM-013] each link is read while test data flows and afterwards; a second test is cancelled', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    await page().goto(`${stage.url}/unit/${unit.id}?ignoreRouteDefault=1`)
    await page().getByRole('button', { name: 'Speed test' }).click()
    const dialog = page().getByRole('dialog', { name: 'Speed test of Stage-Van' })
    await dialog.getByText('Selected channel is busy or offline.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Start test' }).count()).toBe(0)
    const channel = (await person.call(api.channels.ofGroup, { query: { group } }))[0]
    const choice = { id: unit.id, command: 'set_virtual_channel' as const }
    const body = { virtualChannelName: channel?.uniqueId ?? '' }
    await person.call(api.unitCommands.command, { params: choice, body })
    unit.report({ channelId: body.virtualChannelName })

    await dialog.getByRole('button', { name: 'Start test' }).click()
    await dialog.getByText('Test data is flowing.').waitFor()
    const first = await wantedTest()
    const ethernet = { port: 0, uplinkKbps: 8100, downlinkKbps: 24_000, lossPercent: 0 }
    const modem = { port: 1, uplinkKbps: 640, downlinkKbps: null, lossPercent: 2.5 }
    report(first, 'running', [ethernet])
    await dialog.getByRole('row', { name: 'Ethernet 8.10 Mbps 24.00 Mbps 0.0%' }).waitFor()
    await page().locator('[data-part="unit-status"]', { hasText: 'Speed test' }).waitFor()
    expect(await violations(page())).toEqual([])

    report(first, 'done', [ethernet, modem])
    await dialog.getByRole('row', { name: /^Modem 1 · Vodafone .*64/ }).waitFor()
    await dialog.getByRole('row', { name: /^All links 8\.74/ }).waitFor()
    await dialog.getByRole('button', { name: 'Test again' }).click()
    const second = await wantedTest(first)
    report(second, 'running', [])
    await dialog.getByRole('button', { name: 'Stop test' }).click()
    await dialog.getByText('Test cancelled.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).getByText('Close').click()
    await dialog.waitFor({ state: 'detached' })

    await signInOnPage(page(), stage.url, 'viewer', DEMO_PASSWORD, `/unit/${unit.id}?ignoreRouteDefault=1`)
    await page().getByRole('heading', { name: 'Stage-Van' }).waitFor()
    expect(await page().getByRole('button', { name: 'Speed test' }).count()).toBe(0)
  })
})
