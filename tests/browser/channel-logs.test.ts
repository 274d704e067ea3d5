// The logs of a channel alone: a real hub sends its lines, and an administrator saves them, or the vendor with approval.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { addVendorStaff } from '../stage/demo.ts'
import { joinDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

describe.runIf(hasChromium)('logs of a channel', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  let name: string
  let serverId: string
  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    await stage.start('hub')
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const idle = await until('a channel of the hub', async () =>
      (await chief.call(api.channelAdministration.list, { query: {} })).items.find(
        ({ status, serverName }) => status === 'idle' && serverName !== '',
      ),
    )
    name = idle.name
    serverId = idle.serverId
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })
  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const button = (text: string) => dialog().getByRole('button', { name: text, exact: true })

  const openLogs = async () => {
    await page().locator('[data-row-id]', { hasText: name }).first().click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Send logs' }).click()
    await dialog().getByLabel('What happened').waitFor()
  }

  test('[LOG-002] are requested in the list of channels, listed there, and saved with the lines of the hub', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD, '/manage/channels?ignoreRouteDefault=1')
    await page().locator('[data-row-id]', { hasText: name }).first().waitFor()
    await openLogs()
    await button('Send').click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('What happened').fill('Black since noon')
    await button('Send').click()
    await dialog().waitFor({ state: 'detached' })
    await openLogs()
    await dialog().getByText('complete').waitFor()
    expect(await violations(page())).toEqual([])
    const download = page().waitForEvent('download')
    await dialog()
      .getByRole('button', { name: /^Save the log of/ })
      .click()
    const stream = await (await download).createReadStream()
    expect(Buffer.concat(await stream.toArray()).toString()).toMatch(/\d\d:\d\d:\d\d.*\n/)
  })

  test('[ACCESS-011] without an access approval the vendor is shown the reason, and the logs only while there is one', async () => {
    await addVendorStaff(await signIn(stage.url, 'admin', adminPassword))
    const groupId = 'london-news'
    const actual = { capabilities: { logs: true } }
    const van = await joinDevice(stage, { name: 'Log-Van', groupId, actual })
    onTestFinished(() => van.close())
    const carl = await signIn(stage.url, 'carl', DEMO_PASSWORD)
    await carl.call(api.client.savePreferences, { body: { groupId } })
    let reads = 0
    page().on('request', (request) => {
      if (/\/v2\/admin\/(units|channels)\/[^/]+\/logs$/.test(new URL(request.url()).pathname)) reads++
    })
    const refusal = dialog().getByText('No active access approval for this device.')
    for (const [path, rowName, item, device] of [
      ['/manage/channels', name, 'Send logs', serverId],
      ['/unit/list', 'Log-Van', 'Logs', van.id],
    ] as const) {
      await signInOnPage(page(), stage.url, 'carl', DEMO_PASSWORD, `${path}?ignoreRouteDefault=1`)
      reads = 0
      await page().locator('[data-row-id]', { hasText: rowName }).first().click({ button: 'right' })
      await page().getByRole('menuitem', { name: item }).click()
      await refusal.waitFor()
      await pause(4500)
      expect(reads).toBe(1)
      expect(await violations(page())).toEqual([])
      // The open dialog gets the logs by itself, and loses them.
      const { id } = await chief.call(api.accessApprovals.grant, { body: { device } })
      await refusal.waitFor({ state: 'detached' })
      await dialog().getByLabel('What happened').waitFor()
      await until('the logs are followed', () => reads > 3)
      await chief.call(api.accessApprovals.revoke, { params: { id } })
      await refusal.waitFor()
      await page().keyboard.press('Escape')
      await dialog().waitFor({ state: 'detached' })
    }
  })
})
