// Xtend mode on the page of a unit: its link extenders, whether the unit uses them, and the switch for that.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('Xtend mode in the browser', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  let unit: StageDevice
  let chief: Person
  const open = async () => {
    unit = await joinDevice(opened.stage, { name: 'Xtend-Van', groupId })
    chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.client.savePreferences, { body: { groupId } })
  }
  beforeAll(open)
  afterAll(async () => unit?.close())

  const newest = () => unit.messages.findLast((one) => one.type === 'wanted')?.state

  test('[UNIT-013] a unit that supports link extenders shows them, and uses them while Xtend mode is on', async () => {
    await signInOnPage(
      page(),
      opened.stage.url,
      'chief',
      DEMO_PASSWORD,
      `/unit/${unit.id}?ignoreRouteDefault=1`,
    )
    const tab = page().getByRole('tab', { name: 'Xtend mode' })
    await expect.poll(() => tab.getAttribute('aria-disabled')).toBe('true')
    await tab.hover()
    await page().getByRole('tooltip').getByText('The unit does not support link extenders.').waitFor()
    expect(await page().getByRole('tab').allTextContents()).toEqual([
      'Camera',
      'Multi-camera',
      'Intercom',
      'Databridge',
      'Video return',
      'Xtend mode',
    ])
    const settings = { xtend: true, metadata: { event: 'Derby', crew: 'two' } }
    unit.report({ capabilities: { xtend: true }, settings, extenders: [] })
    await page().getByText('event: Derby · crew: two').waitFor()
    await expect.poll(() => tab.getAttribute('aria-disabled')).toBe(null)
    await tab.click()
    const part = page().getByRole('region', { name: 'Xtend mode' })
    const toggle = part.getByRole('switch', { name: 'Xtend mode' })
    await part.getByText('No link extender is paired with this unit.').waitFor()
    await expect.poll(() => toggle.isChecked()).toBe(true)
    await chief.call(api.linkExtenders.pair, { params: { id: unit.id }, body: { serialNumber: 'LX-7' } })
    await until('the extender to be wanted', () => newest()?.extenders?.join() === 'LX-7')
    unit.report({
      extenders: [{ serialNumber: 'LX-7', connected: true }],
      applications: { xtenderRelay: { state: 'running' } },
    })
    await part.getByText('In use', { exact: true }).waitFor()
    await part.getByText('LX-7').waitFor()
    await part.getByText('Connected').waitFor()
    expect(await violations(page())).toEqual([])
    await toggle.click()
    await until('the mode to be off', () => newest()?.settings?.xtend === false)
    await part.getByText('Waiting for the unit to confirm').waitFor()
    unit.report({ settings: { xtend: false }, applications: {} })
    await part.getByText('Not in use').waitFor()
    await part.getByText('Waiting for the unit to confirm').waitFor({ state: 'detached' })
    await expect.poll(() => toggle.isChecked()).toBe(false)
  })
})
