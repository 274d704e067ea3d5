// A point-to-point unit in the browser: its destination, what its channel is forwarded to, and its working mode.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('a point-to-point unit', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const button = (name: string) => page().getByRole('button', { name, exact: true })
  const settings: UnitSettings = { workingMode: 'video', filenamePrefix: '' }
  let unit: StageDevice
  let server: StageDevice
  let chief: Person
  let channelId: string
  const open = async () => {
    const slots = ['A', 'B'].map((at) => ({ slot: at, name: `Studio-${at}`, inputType: null }))
    server = await joinDevice(opened.stage, { kind: 'server', name: 'MCR-P2P', groupId, slots })
    const capabilities = { databridge: true, logs: true }
    const actual = { settings, capabilities }
    unit = await joinDevice(opened.stage, { name: 'Point-Van', groupId, product: 'P2P', actual })
    chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.client.savePreferences, { body: { groupId } })
    channelId = await until('the channel', async () => {
      const all = await chief.call(api.channels.ofGroup, { query: { group: groupId } })
      return all.find(({ name, status }) => name === 'Studio-A' && status === 'idle')?.uniqueId
    })
  }
  beforeAll(open)
  afterAll(async () => {
    for (const device of [unit, server]) device?.close()
  })

  const newest = () => unit.messages.findLast((one) => one.type === 'wanted')?.state
  const outputs = () =>
    server.messages
      .findLast((one) => one.type === 'serverWanted')
      ?.state.channels.find((one) => one.channelId === channelId)
      ?.outputs.map(({ url }) => url.split('/').at(-1))
      .join(' ')
  test('[P2P-001] gets its destination from an administrator, and has no other channel then', async () => {
    await signInOnPage(
      page(),
      opened.stage.url,
      'chief',
      DEMO_PASSWORD,
      `/unit/${unit.id}?ignoreRouteDefault=1`,
    )
    const destination = page().getByLabel('Destination', { exact: true })
    await destination.selectOption('Studio-A')
    await until('the channel to be wanted', () => newest()?.channelId === channelId)
    unit.report({ channelId })
    const picker = page().getByLabel('Channel', { exact: true })
    await expect.poll(() => picker.isDisabled()).toBe(true)
    await expect.poll(() => picker.inputValue()).toBe('Studio-A')
    await page().getByText('A point-to-point unit transmits to its destination alone.').first().waitFor()
    expect(await violations(page())).toEqual([])
  })

  test('[STREAM-011] is forwarded to destinations on demand when they are started, and to none after a stop', async () => {
    await page().getByRole('link', { name: 'Channels' }).click()
    await page().locator('[data-row-id]', { hasText: 'Studio-A' }).click()
    await page().keyboard.press('Enter')
    const dialog = page().getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Streaming' }).click()
    await dialog.getByRole('button', { name: 'Add destination' }).click()
    await dialog.getByLabel(/^Name/).fill('Partner')
    await dialog.getByLabel('Primary URL').fill('rtmp://cdn.example/live/Partner')
    await dialog.getByLabel('On demand').check()
    await dialog.getByRole('button', { name: 'OK', exact: true }).click()
    await dialog.getByText('On demand', { exact: true }).waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')
    await page().goto(`${opened.stage.url}/unit/${unit.id}?ignoreRouteDefault=1`)
    await chief.call(api.destinations.add, {
      body: {
        uid: channelId,
        destination: { name: 'Web', streamType: 'RTMP', urlPrimary: 'rtmp://cdn.example/live/Web' },
      },
    })
    await until('what sends by itself', () => outputs() === 'Web')
    const panel = page().getByRole('region', { name: 'Streaming destinations' })
    expect(await panel.count()).toBe(0)
    await button('Start').click()
    const transmissionId = await until('the transmission', () => newest()?.transmission?.id)
    unit.report({ transmissionId, applications: { video: { state: 'streaming' } } })
    await panel.getByText('Not sent').waitFor()
    await panel.getByText('Waiting for a picture').waitFor()
    await expect.poll(() => page().getByLabel('Destination', { exact: true }).isDisabled()).toBe(true)
    await panel.getByRole('button', { name: 'Start Partner' }).click()
    await until('both to be sent to', () => outputs() === 'Partner Web')
    const [partner, web] = await chief.call(api.destinations.ofChannel, { body: { uid: channelId } })
    const of = { reason: null, since: 1, tries: 1 }
    server.channels([
      {
        channelId,
        status: 'collecting',
        outputs: [
          { ...of, id: partner?.id ?? '', state: 'sending', kbps: 2400 },
          { ...of, id: web?.id ?? '', state: 'failed', reason: 'Connection refused.' },
        ],
      },
    ])
    await panel.getByText('Sending, 2.40 Mbps').waitFor()
    await panel.getByText('Failed').waitFor()
    await panel.getByText('Connection refused.').waitFor()
    expect(await violations(page())).toEqual([])
    await panel.getByRole('button', { name: 'Stop all' }).click()
    await until('nothing to be sent', () => outputs() === '')
    await expect.poll(() => panel.getByText('Not sent').count()).toBe(2)
    expect(await panel.getByRole('button', { name: 'Stop all' }).count()).toBe(0)
    await chief.call(api.unitCommands.stop, { params: { id: unit.id } })
    unit.report({ transmissionId: null, applications: {} })
    await panel.waitFor({ state: 'detached' })
  })

  test('[STREAM-014] does not transmit in a working mode without video', async () => {
    await button('Configuration').click()
    const dialog = page().getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Advanced' }).click()
    const mode = dialog.getByLabel('Working mode')
    expect(await mode.locator('option').allTextContents()).toEqual(['Video', 'Databridge', 'Fetch logs'])
    await mode.selectOption('Databridge')
    expect(await violations(page())).toEqual([])
    await dialog.getByRole('button', { name: 'OK', exact: true }).click()
    await until('the mode to be wanted', () => newest()?.settings?.workingMode === 'databridge')
    unit.report({ settings: { ...settings, workingMode: 'databridge' }, workingMode: 'databridge' })
    await expect.poll(() => button('Start').getAttribute('aria-disabled')).toBe('true')
    await button('Start').hover()
    await page().getByRole('tooltip').getByText('The unit does not transmit in its working mode.').waitFor()
  })
})
