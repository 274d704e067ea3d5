// Stories: an operator writes one and assigns it to a unit; read-only users can view them.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'

const group = 'london-news'

describe.runIf(hasChromium)('stories in the browser', () => {
  const opened = openConsole()
  const page = () => opened.chromium.page
  const dialog = () => page().getByRole('dialog')
  const ok = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
  const row = (text: string) => page().locator('[data-row-id]', { hasText: text })

  let unit: StageDevice
  const name = 'Stage-Van'
  const open = async () => {
    unit = await joinDevice(opened.stage, { name, groupId: group })
    const operator = await signIn(opened.stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.client.savePreferences, { body: { groupId: group } })
  }
  beforeAll(open)
  afterAll(async () => unit?.close())

  test('[STORY-001] [STORY-002] an operator writes a story, assigns it to a unit, changes and deletes it', async () => {
    await signInOnPage(page(), opened.stage.url, 'operator', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Story list' }).click()
    await page().getByText('No stories yet').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'New story' }).first().click()
    await ok()
    await dialog().getByText('Slugline is missing').waitFor()
    await dialog().getByLabel('Slugline').fill('x'.repeat(1025))
    await ok()
    await dialog().getByText('Must have at most 1024 characters').waitFor()
    await dialog().getByLabel('Slugline').fill('HARBOUR FIRE')
    await dialog().getByLabel('Reporter').fill('Ana Ruiz')
    await dialog().getByRole('combobox', { name: 'Units' }).fill(name)
    await page().getByRole('option', { name, exact: true }).click()
    await page().keyboard.press('Escape')
    expect(await violations(page())).toEqual([])
    await ok()
    await row('HARBOUR FIRE').getByText(name).waitFor()

    await page().goto(`${opened.stage.url}/unit/${unit.id}?ignoreRouteDefault=1`)
    await page().locator('dd').getByText('HARBOUR FIRE').waitFor()
    await page().getByRole('button', { name: 'Stories of the unit' }).click()
    await dialog().getByText('Labels what the unit sends').first().waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Remove HARBOUR FIRE from the unit' }).click()
    await dialog().getByText('No story is assigned to this unit.').waitFor()
    await dialog().getByRole('combobox', { name: 'Assign a story' }).click()
    await page().getByRole('option', { name: 'HARBOUR FIRE' }).click()
    await dialog().getByRole('button', { name: 'Remove HARBOUR FIRE from the unit' }).waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()

    await page().getByRole('link', { name: 'Story list' }).click()
    await row('HARBOUR FIRE').click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Delete' }).click()
    await dialog().getByText('A unit is assigned to it').waitFor()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page().getByText('No stories yet').waitFor()
  })

  test('read-only users see stories without controls for editing', async () => {
    const operator = await signIn(opened.stage.url, 'operator', DEMO_PASSWORD)
    const [inventory] = await operator.call(api.groups.inventories, { query: {} })
    const params = { id: inventory?.id ?? '' }
    await operator.call(api.stories.create, { params, body: { slugline: 'STORM' } as never })
    await signInOnPage(page(), opened.stage.url, 'viewer', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Story list' }).click()
    await row('STORM').waitFor()
    expect(await page().getByRole('button', { name: 'New story' }).count()).toBe(0)
    await row('STORM').click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Open' }).waitFor()
    expect(await page().getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
    await page().getByRole('menuitem', { name: 'Open' }).click()
    expect(await dialog().getByLabel('Slugline').getAttribute('readonly')).not.toBeNull()
    expect(await dialog().getByRole('button', { name: 'OK', exact: true }).count()).toBe(0)
    expect(await violations(page())).toEqual([])
  })
})
