// Groups as an administrator of the demo customer makes, fills, renames and deletes them in real Chromium.

import { api } from '@backhaul/contract/api/api'
import { english } from '@backhaul/contract/define/refusals'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { defaultAlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('the screen of groups', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  let unit: StageDevice
  let returns: StageDevice | undefined

  const open = async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, { name: 'Group-Van', groupId: 'london-news' })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.client.savePreferences, { body: { groupId: 'london-news' } })
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
  }
  const close = async () => {
    unit?.close()
    returns?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)
  const toGroups = async () => {
    await page().goto(`${stage.url}/manage/groups?ignoreRouteDefault=1`)
    await row('London-News').waitFor()
  }
  beforeEach(toGroups)

  const page = () => chromium.page
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })
  const dialog = () => page().locator('.mantine-Modal-content')
  const listed = async (name: string) => {
    const { items } = await chief.call(api.groupAdministration.list, { query: { searchValue: name } })
    return items[0]
  }

  /** A group that is there when the list is read. */
  const made = async (name: string, units: string[] = []) => {
    await chief.call(api.groupAdministration.create, { body: { inventory: 'north-atlantic', name, units } })
    await toGroups()
  }

  test('[GROUP-001] a new group gets a name by the rules, and members', async () => {
    await page().getByRole('button', { name: 'New group' }).click()
    await dialog().getByLabel('Name').fill('two words')
    await dialog().getByRole('button', { name: 'OK' }).click()
    await dialog().getByText('Only letters, numbers, underscores and hyphens are allowed.').first().waitFor()
    await dialog().getByLabel('Name').fill('Oslo-News')
    await dialog().getByRole('tab', { name: 'Units' }).click()
    await dialog().getByPlaceholder('Search by name').fill('group-v')
    await dialog().getByRole('checkbox', { name: 'Group-Van' }).check()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('tab', { name: 'Users' }).click()
    await dialog().getByRole('checkbox', { name: 'operator' }).check()
    await dialog().getByRole('button', { name: 'OK' }).click()
    await row('Oslo-News').waitFor()
    expect(await listed('Oslo-News')).toMatchObject({ units: [unit.id], users: [expect.any(String)] })
    expect(await violations(page())).toEqual([])
  })

  test('an opened group is renamed by the keyboard alone, and its unit leaves', async () => {
    await made('Bergen-News', [unit.id])
    await row('Bergen-News').click()
    await page().keyboard.press('Enter')
    await dialog().getByLabel('Name').fill('Bergen-Sport')
    await dialog().getByRole('tab', { name: 'General' }).focus()
    await page().keyboard.press('ArrowRight')
    await page().keyboard.press('ArrowRight')
    const box = dialog().getByRole('checkbox', { name: 'Group-Van' })
    await box.waitFor()
    await box.focus()
    await page().keyboard.press('Space')
    await dialog().getByRole('button', { name: 'OK' }).click()
    await row('Bergen-Sport').waitFor()
    expect(await listed('Bergen-Sport')).toMatchObject({ units: [] })
  })

  test('[GROUP-006] a unit is lent to a group for some hours, and without limit again', async () => {
    await row('London-News').dblclick()
    await dialog().getByRole('tab', { name: 'Units' }).click()
    await dialog().getByRole('button', { name: 'Group-Van: member without limit. Change' }).click()
    const choice = page().locator('.mantine-Popover-dropdown')
    await choice.getByRole('combobox').selectOption({ label: 'Hours' })
    await choice.getByLabel('How many').fill('6')
    expect(await violations(page())).toEqual([])
    await choice.getByRole('button', { name: 'Set' }).click()
    const until6h = dialog().getByRole('button', { name: /Group-Van: member until .*\. Change/ })
    await until6h.waitFor()
    const params = { currentGroup: 'london-news', unitId: unit.id }
    const { expiresAt } = await chief.call(api.groupAdministration.expiration, { params })
    expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(5.9 * 3_600_000)
    expect(Date.parse(expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(6 * 3_600_000)
    await until6h.click()
    await choice.getByRole('combobox').waitFor()
    await page().keyboard.press('Escape')
    await until('the choice alone to close', async () => (await choice.count()) === 0)
    await until6h.click()
    await choice.getByRole('combobox').selectOption({ label: 'Without limit' })
    await choice.getByRole('button', { name: 'Set' }).click()
    await dialog().getByRole('button', { name: 'Group-Van: member without limit. Change' }).waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })

  test('[GROUP-001] [ALERT-004] a recipient of alerts by e-mail confirms on the page that the e-mail links to', async () => {
    const email = 'desk@station.example'
    await row('London-News').dblclick()
    for (const name of ['General', 'Alerts', 'Units', 'Channels', 'Video Return channels', 'Users'])
      await dialog().getByRole('tab', { name, exact: false }).first().waitFor()
    await dialog().getByRole('tab', { name: 'Alerts' }).click()
    const field = dialog().getByLabel('E-mail address of a recipient')
    await field.fill('invalid')
    await field.press('Enter')
    await dialog().getByText('Invalid email format').waitFor()
    await field.fill(email)
    await field.press('Enter')
    await dialog().getByText('Will receive a link when saved').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'OK' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    const { items } = await chief.call(api.outbox.list, { query: { search: email } })
    const link = /\/verify#\S+/.exec(items[0]?.text ?? '')?.[0] ?? ''
    await page().goto(`${stage.url}${link}`)
    await page().getByRole('button', { name: 'Receive alerts' }).click()
    await page().getByText(`Alerts of London-News are now sent to ${email}.`).waitFor()
    expect(await violations(page())).toEqual([])
    await page().goto(`${stage.url}/`)
    // The last screen is remembered.
    await page().waitForURL('**/manage/groups*')
    await row('London-News').dblclick()
    await dialog().getByRole('tab', { name: 'Alerts' }).click()
    await dialog().getByText('Verified').waitFor()
    await dialog()
      .getByRole('button', { name: `Remove ${email}` })
      .click()
    await dialog().getByRole('button', { name: 'OK' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    expect((await listed('London-News'))?.emailRecipients).toEqual([])
  })

  test('the alert settings of a group apply for its users, in the list of units too', async () => {
    const battery = { connected: true, charging: false, percentage: 40 }
    unit.sample({ battery })
    await row('London-News').dblclick()
    await dialog().getByRole('tab', { name: 'Alerts' }).click()
    await dialog().getByRole('combobox', { name: 'Which thresholds' }).click()
    await page().getByRole('option', { name: 'By group' }).click()
    await dialog().getByLabel('Battery at or below: Warning').fill('50')
    await dialog().getByLabel('Battery at or below: Critical').fill('60')
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'OK' }).click()
    await dialog().getByText(english('threshold.below')).first().waitFor()
    await dialog().getByLabel('Battery at or below: Critical').fill('45')
    await dialog().getByRole('button', { name: 'OK' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    await expect
      .poll(async () => (await chief.call(api.alerts.active, { query: { groupId: 'london-news' } }))[0])
      .toMatchObject({ uid: unit.id, type: 'battery', severity: 'critical', value: 40 })
    await page().getByRole('link', { name: 'Units', exact: true }).click()
    await row('Group-Van').locator('.text-critical').first().waitFor()
    await chief.call(api.alerts.setOfGroup, {
      params: { id: 'london-news' },
      body: defaultAlertsConfiguration,
    })
    await row('Group-Van').locator('.text-critical').first().waitFor({ state: 'detached' })
  })

  test('alerts of destinations and of parts of a server are switched off for a group, and read back', async () => {
    const open = async () => {
      await row('London-News').dblclick()
      await dialog().getByRole('tab', { name: 'Alerts' }).click()
    }
    const switches = ['Destination does not send', /^Recording, return, IFB/].map((name) =>
      dialog().getByRole('switch', { name }),
    )
    const stored = async () =>
      (await chief.call(api.alerts.ofGroup, { params: { id: 'london-news' } })).thresholds
    await open()
    for (const one of switches) expect([await one.isDisabled(), await one.isChecked()]).toEqual([true, true])
    await dialog().getByRole('combobox', { name: 'Which thresholds' }).click()
    await page().getByRole('option', { name: 'By group' }).click()
    await switches[0]?.click()
    await switches[1]?.press('Space')
    await dialog().getByRole('button', { name: 'OK' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    expect(await stored()).toMatchObject({
      destinationFailed: false,
      serverFailed: false,
      cameraDisconnected: true,
    })
    await toGroups()
    await open()
    for (const one of switches) await expect.poll(() => one.isChecked()).toBe(false)
    await switches[0]?.press('Space')
    await dialog().getByRole('button', { name: 'OK' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    expect(await stored()).toMatchObject({ destinationFailed: true, serverFailed: false })
    await chief.call(api.alerts.setOfGroup, {
      params: { id: 'london-news' },
      body: defaultAlertsConfiguration,
    })
  })

  test('[GROUP-002] a channel of a video return server joins a group on a tab of its own', async () => {
    const name = 'Return-Stage'
    const slots = [{ slot: '1', name: 'Return-1', inputType: null }]
    returns = await joinDevice(stage, {
      kind: 'server',
      product: 'Video Return Server',
      name,
      groupId: 'london-news',
      slots,
    })
    await row('Paris-News').dblclick()
    await dialog().getByRole('tab', { name: 'Video Return channels' }).click()
    await dialog().getByRole('checkbox', { name: 'Return-1' }).check()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'OK' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    const group = await listed('Paris-News')
    expect(group?.vrChannels).toHaveLength(1)
    expect(group?.channels).not.toContain(group?.vrChannels[0])
  })

  test('[GROUP-001] [SHELL-019] a group is deleted after a confirmation, the current one never', async () => {
    const remove = async (name: string) => {
      await row(name).click()
      await page().keyboard.press('Enter')
      await dialog().getByRole('button', { name: 'Delete' }).click()
      await dialog().getByText(`Delete group ${name}?`).waitFor()
      await dialog().getByRole('button', { name: 'Delete' }).click()
    }
    await made('Stavanger-News')
    await remove('Stavanger-News')
    await row('Stavanger-News').waitFor({ state: 'detached' })
    expect(await listed('Stavanger-News')).toBeUndefined()
    await remove('London-News')
    await dialog().getByText(english('group.current')).waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    await row('London-News').waitFor()
  })

  test('one of very many groups is found from the switcher', async () => {
    for (let at = 1; at <= 110; at++)
      await chief.call(api.groupAdministration.create, {
        body: { inventory: 'north-atlantic', name: `Many-${at}` },
      })
    await page().reload()
    await page().locator('.group-switcher').click()
    const all = page().getByRole('menuitem', { name: /^First 100 of \d+/ })
    await all.waitFor()
    expect(await violations(page())).toEqual([])
    await all.click()
    await page().getByRole('combobox', { name: 'Find anything' }).fill('many-107')
    await page()
      .getByRole('option', { name: /Many-107/ })
      .waitFor()
    await page().keyboard.press('Enter')
    await page().locator('.group-switcher').getByText('Many-107').waitFor()
  })
})
