// The numbers of the header, the chips, the bell and the footer count the same, or name what they count.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'

const group = 'london-news'

describe.runIf(hasChromium)('the counters of the unit list', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let server: StageDevice
  let units: StageDevice[] = []

  const open = async () => {
    stage = await openStage({ demo: 1 })
    const slots = [
      { slot: '1', name: 'Count-1', inputType: null, sdiNo: 1 },
      { slot: '2', name: 'Count-2', inputType: null },
    ]
    server = await joinDevice(stage, { kind: 'server', name: 'MCR-Count', groupId: group, slots })
    units = []
    for (const name of ['Count-Live', 'Count-Preview', 'Count-Ready'])
      units.push(await joinDevice(stage, { name, groupId: group }))
    person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await person.call(api.client.savePreferences, { body: { groupId: group } })
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD, '/unit/list?ignoreRouteDefault=1')
    await page().locator('[data-row-id]', { hasText: 'Count-Ready' }).waitFor()
  }
  const close = async () => {
    for (const device of [...units, server]) device?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const texts = async (selector: string) =>
    (await page().locator(selector).allTextContents()).map((text) => text.replace(/(\D)(\d+)$/, '$1 $2'))
  const header = () => texts('.fleet-counter')
  const chips = () => texts('.toolbar-row .chip')
  const footer = async () => (await texts('[aria-label="Counters of the group"] > div')).at(-1)
  const bell = () => page().getByRole('button', { name: /active alert/ })
  const usage = (cpuPercent: number) =>
    server.send({
      type: 'serverTelemetry',
      ts: Date.now(),
      usage: { cpuPercent, memoryPercent: 20, storagePercent: 30 },
      channels: [],
    })

  test('the header counts live units and those in preview as the chips do', async () => {
    const channels = await person.call(api.channels.ofGroup, { query: { group } })
    for (const [at, name] of ['Count-1', 'Count-2'].entries()) {
      const channel = channels.find((one) => one.name.includes(name))
      units[at]?.report({
        channelId: channel?.uniqueId as string,
        applications: { video: { state: 'streaming' } },
      })
      units[at]?.sample()
    }
    await expect.poll(header).toEqual(['Live 1', 'Preview 1', 'Ready 1', 'Offline 0', 'Critical units 0'])
    const shown = await chips()
    for (const text of (await header()).slice(0, 4)) expect(shown).toContain(text)
    await page().locator('.fleet-counter', { hasText: 'Live' }).click()
    await expect.poll(() => page().locator('[data-row-id]').count()).toBe(1)
    await page().locator('.fleet-counter', { hasText: 'Live' }).click()
    expect(await violations(page())).toEqual([])
  })

  test('[ALERT-001] the footer counts the alerts of the bell, which shows how many are of servers; the header counts units', async () => {
    usage(97)
    await expect.poll(() => bell().getAttribute('aria-label')).toBe('1 active alert, 1 of a server')
    await expect.poll(footer).toBe('Active alerts 1')
    expect((await header()).at(-1)).toBe('Critical units 0')
    units[2]?.sample({ battery: { connected: true, charging: false, percentage: 7 } })
    await expect.poll(() => bell().getAttribute('aria-label')).toBe('2 active alerts, 1 of a server')
    await expect.poll(footer).toBe('Active alerts 2')
    await expect.poll(async () => (await header()).at(-1)).toBe('Critical units 1')
    await bell().click()
    await expect.poll(() => page().locator('[data-alert]').count()).toBe(2)
    await page().keyboard.press('Escape')
    await page().locator('.fleet-counter', { hasText: 'Critical units' }).click()
    await expect.poll(() => page().locator('[data-row-id]').count()).toBe(1)
    await page().locator('.fleet-counter', { hasText: 'Critical units' }).click()
    usage(10)
    await expect.poll(() => bell().getAttribute('aria-label')).toBe('1 active alert')
    await expect.poll(footer).toBe('Active alerts 1')
  })
})
