// Groups as an administrator of the demo customer makes, fills, renames and deletes them in real Chromium.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { groupTexts } from '@backhaul/contract/nouns/groups'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, { name: 'Group-Van', groupId: 'london-news' })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.client.savePreferences, { body: { groupId: 'london-news' } })
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Groups' }).click()
    await row('London-News').waitFor()
  })
  afterAll(async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  })

  const page = () => chromium.page
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })
  const dialog = () => page().getByRole('dialog')
  const listed = async (name: string) => {
    const { items } = await chief.call(api.groupAdministration.list, { query: { searchValue: name } })
    return items[0]
  }

  test('a new group gets a name by the rules, and members', async () => {
    await page().getByRole('button', { name: 'New group' }).click()
    await dialog().getByLabel('Name').fill('two words')
    await dialog().getByRole('button', { name: 'OK' }).click()
    await dialog().getByText('Only letters, numbers, underscores and hyphens are allowed').first().waitFor()
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
    await row('Oslo-News').click()
    await page().keyboard.press('Enter')
    await dialog().getByLabel('Name').fill('Oslo-Sport')
    await dialog().getByRole('tab', { name: 'General' }).focus()
    await page().keyboard.press('ArrowRight')
    const box = dialog().getByRole('checkbox', { name: 'Group-Van' })
    await box.waitFor()
    await box.focus()
    await page().keyboard.press('Space')
    await dialog().getByRole('button', { name: 'OK' }).click()
    await row('Oslo-Sport').waitFor()
    expect(await listed('Oslo-Sport')).toMatchObject({ units: [] })
  })

  test('a group is deleted after a question, the current one never', async () => {
    const remove = async (name: string) => {
      await row(name).click()
      await page().keyboard.press('Enter')
      await dialog().getByRole('button', { name: 'Delete' }).click()
      await dialog().getByText(`Delete group ${name}?`).waitFor()
      await dialog().getByRole('button', { name: 'Delete' }).click()
    }
    await remove('Oslo-Sport')
    await row('Oslo-Sport').waitFor({ state: 'detached' })
    expect(await listed('Oslo-Sport')).toBeUndefined()
    await remove('London-News')
    await dialog().getByText(groupTexts.current).waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await until('the dialog to close', async () => (await dialog().count()) === 0)
    await row('London-News').waitFor()
  })
})
