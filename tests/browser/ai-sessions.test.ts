// AI sessions: a super user sets a provider up, an operator starts a session on a unit that transmits.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'

const group = 'london-news'

describe.runIf(hasChromium)('[LOG-004] AI sessions in the browser', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const dialog = () => page().getByRole('dialog')

  test('are set up, refused with the reason, started, marked and ended', async () => {
    const { url } = opened.stage
    const root = await signIn(url, 'admin', adminPassword)
    const operator = await signIn(url, 'operator', DEMO_PASSWORD)
    const slots = [{ slot: '1', name: 'Stage-1', inputType: null }]
    const unit = await joinDevice(opened.stage, { name: 'Stage-Van', groupId: group })
    const server = await joinDevice(opened.stage, {
      kind: 'server',
      name: 'Stage-MCR',
      groupId: group,
      slots,
    })
    await operator.call(api.client.savePreferences, { body: { groupId: group } })
    await signInOnPage(page(), url, 'operator', DEMO_PASSWORD)
    const openDialog = async () => {
      await page().goto(`${url}/unit/${unit.id}?ignoreRouteDefault=1`)
      await page().getByRole('button', { name: 'AI session' }).click()
    }
    const { inventoryId } = await operator.call(api.units.one, { params: { id: unit.id } })
    await openDialog()
    await dialog().getByText('Not available for your user type').waitFor()
    await root.call(api.services.add, {
      params: { id: inventoryId },
      body: { name: 'ai_integration' } as never,
    })
    await dialog().getByText('AI configuration missing.').waitFor()
    expect(await dialog().getByRole('button', { name: 'Start the session' }).count()).toBe(0)
    expect(await violations(page())).toEqual([])

    await signInOnPage(page(), url, 'admin', adminPassword)
    await page().getByRole('link', { name: 'AI settings' }).click()
    await page().getByText('No AI settings yet').waitFor()
    await page().getByRole('button', { name: 'New AI settings' }).first().click()
    await dialog().getByLabel('Name').fill('Test marks')
    await dialog().getByLabel('Provider').selectOption('http')
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await dialog().getByText('This field is required').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByLabel('Provider').selectOption('local')
    await dialog().getByText('it analyses neither speech nor pictures').waitFor()
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await page().locator('[data-row-id]', { hasText: 'Test marks' }).waitFor()

    const wanted = await server.received('serverWanted', ({ state }) => state.channels.length === 1)
    const channelId = wanted.state.channels[0]?.channelId ?? ''
    await operator.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
    const { state } = await unit.received('wanted', (wanted) => wanted.state.transmission !== null)
    const transmissionId = state.transmission?.id ?? null
    const isOnAir = { state: 'streaming' as const }
    unit.report({ ...isOnAir, applications: { video: isOnAir }, channelId, transmissionId })
    const health = { black: true, frozen: false, silent: false }
    const report = () => server.channels([{ channelId, status: 'collecting', transmissionId, health }])
    const reporting = setInterval(report, 500)
    onTestFinished(() => {
      clearInterval(reporting)
      for (const device of [unit, server]) device.close()
    })
    await signInOnPage(page(), url, 'operator', DEMO_PASSWORD)
    await openDialog()
    await dialog().getByRole('button', { name: 'Start the session' }).click()
    await dialog().getByText('Running with Test marks').waitFor()
    await dialog().getByText('Picture is black.').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'End the session' }).click()
    await dialog().getByText('The last session, with Test marks, ended').waitFor()
  })
})
