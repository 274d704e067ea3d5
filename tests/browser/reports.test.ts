// Usage reports in the browser: an administrator reads, divides and exports them; they are closed to all others.
import { readFileSync } from 'node:fs'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

describe.runIf(hasChromium)('usage reports in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  const devices: StageDevice[] = []
  const open = async () => {
    devices.length = 0
    stage = await openStage({ demo: 1 })
    chromium = await openChromium()
  }
  const close = async () => {
    for (const device of devices) device.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  /** A unit goes live and sends for a while. */
  async function transmit(): Promise<void> {
    const groupId = 'london-news'
    const slots = [{ slot: '1', name: 'Stage-1', inputType: null }]
    const server = await joinDevice(stage, { kind: 'server', name: 'MCR-Stage', groupId, slots })
    const unit = await joinDevice(stage, { name: 'Stage-Van', groupId })
    devices.push(server, unit)
    const made = await server.received('serverWanted', ({ state }) => state.channels.length === 1)
    const channelId = made.state.channels[0]?.channelId ?? ''
    server.channels([{ channelId, status: 'idle' }])
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await until('a start', () =>
      operator.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } }).then(
        () => true,
        () => false,
      ),
    )
    const wanted = await unit.received('wanted', ({ state }) => state.transmission !== null)
    server.channels([
      { channelId, status: 'collecting', transmissionId: wanted.state.transmission?.id ?? null },
    ])
    unit.sample()
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const query = { from: dayAgo(1), to: dayAgo(-1) }
    await until('hours and data in the report', async () => {
      const { total } = await chief.call(api.reports.usage, { params: { id: 'north-atlantic' }, query })
      return total.streamingMs > 1000 && (total.dataBytes ?? 0) > 0
    })
  }

  const rows = () => page().locator('[data-row-id]')

  test('[INV-009] an empty period is shown as such, and a transmission appears with its hours and data', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Usage reports' }).click()
    await page().getByText('No transmission in this period').waitFor()
    expect(await violations(page())).toEqual([])

    await transmit()
    await page().reload()
    await rows().first().waitFor()
    await expect.poll(() => rows().first().textContent()).toMatch(/00:0\d:\d\d/)
    expect(await violations(page())).toEqual([])

    await page().getByLabel('Rows').selectOption('By user')
    await rows().filter({ hasText: 'Olivia Hart (operator)' }).waitFor()
    await page().getByLabel('Rows').selectOption('By day')
    const today = new Date().toISOString().slice(0, 10)
    await page().getByLabel('Time zone').selectOption('UTC')
    await rows().filter({ hasText: today }).waitFor()
    await page().getByLabel('Period').selectOption('Last month')
    await page().getByText('No transmission in this period').waitFor()
    await page().getByLabel('Period').selectOption('Today')
    await page().getByLabel('Rows').selectOption('By channel')
    await rows().first().waitFor()
  })

  test('[INV-009] the list is exported with the period in its name', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Usage reports' }).click()
    await page().getByLabel('Rows').selectOption('By unit')
    if (devices.length === 0) await transmit()
    await page().reload()
    await rows().filter({ hasText: 'Stage-Van' }).waitFor()
    const downloading = page().waitForEvent('download')
    await rows().first().click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Export list' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^usage-by-unit-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
    const [head] = readFileSync(await download.path(), 'utf8').split('\r\n')
    expect(head).toBe(
      '\uFEFFUnit,Streaming (h:mm:ss),Video return (h:mm:ss),Store-and-forward files,Data (GB),Transmissions,Running',
    )
  })

  test('[INV-009] neither a super user nor an operator finds the screen or its call', async () => {
    for (const [username, password] of [
      ['admin', adminPassword],
      ['operator', DEMO_PASSWORD],
    ] as const) {
      await signInOnPage(page(), stage.url, username, password)
      await page().getByRole('link', { name: 'Multiview' }).waitFor()
      expect(await page().getByRole('link', { name: 'Usage reports' }).count()).toBe(0)
      await page().goto(`${stage.url}/services/reports`)
      await page().waitForURL('**/unit/list')
      const person = await signIn(stage.url, username, password)
      const query = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }
      await expect(
        person.call(api.reports.usage, { params: { id: 'north-atlantic' }, query }),
      ).rejects.toMatchObject({ status: 403 })
    }
  })
})
