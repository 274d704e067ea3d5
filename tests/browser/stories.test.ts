// Stories: an operator writes one and assigns it to a unit; read-only users can view them.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasChromium, signInOnPage, violations } from '../stage/browser.ts'
import { openConsole } from '../stage/console.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'

const group = 'london-news'

const styleSheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><stories><xsl:copy-of select="//story"/></stories></xsl:template>
</xsl:stylesheet>`
const rundown =
  '<r><story><storyId>7</storyId><slugline>NIGHT TRAIN</slugline></story><story><storyId>8</storyId></story></r>'

describe.runIf(hasChromium)('stories in the browser', () => {
  const opened = openConsole({ BACKHAUL_ALLOW_OWN_NETWORK: '1' })
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
    // The newsroom is the administrators' part of the dialog.
    expect(await dialog().getByRole('tab').allTextContents()).toEqual(['Stories', 'Settings'])
    await dialog().getByRole('tab', { name: 'Settings' }).click()
    const prompt = dialog().getByRole('switch', { name: 'Ask for metadata before an upload' })
    // It is closed until the unit has been read.
    await expect.poll(() => prompt.isEnabled()).toBe(true)
    await prompt.click({ force: true })
    const unitNow = async () =>
      await (await signIn(opened.stage.url, 'operator', DEMO_PASSWORD)).call(api.units.one, {
        params: { id: unit.id },
      })
    await expect.poll(async () => (await unitNow()).promptMetadata).toBe(true)
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Close' }).last().click()

    await page().getByRole('link', { name: 'Story list' }).click()
    await row('HARBOUR FIRE').click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Delete' }).click()
    await dialog().getByText('A unit is assigned to it').waitFor()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page().getByText('No stories yet').waitFor()
  })

  test('[STORY-004] an administrator tests the mapping file and switches the sync on, confirmed by the password', async () => {
    const root = await signIn(opened.stage.url, 'admin', adminPassword)
    const chief = await signIn(opened.stage.url, 'chief', DEMO_PASSWORD)
    const [inventory] = await chief.call(api.groups.inventories, { query: {} })
    const params = { id: inventory?.id ?? '' }
    await root.call(api.services.add, { params, body: { name: 'ingest' } })
    await signInOnPage(page(), opened.stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Story list' }).click()
    await page().getByRole('button', { name: 'Newsroom sync' }).click()
    await dialog().getByText('The newsroom has not been read yet.').waitFor()
    await expect.poll(() => dialog().getByRole('switch', { name: 'Newsroom sync' }).isDisabled()).toBe(true)
    await dialog().locator('[data-tip="An XSLT file must be uploaded first."]').first().waitFor()
    const file = (name: string, content: string) =>
      dialog()
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(content) })
    await file('stories.csv', styleSheet)
    await dialog().getByText('File type is not supported').waitFor()
    await file('stories.xslt', styleSheet)
    await dialog().getByText('stories.xslt', { exact: true }).waitFor()
    await dialog().getByLabel('XML of the newsroom').fill('<rundown>')
    await dialog().getByRole('button', { name: 'Test', exact: true }).click()
    await dialog().getByText('The content is not well-formed XML').waitFor()
    await dialog().getByLabel('XML of the newsroom').fill(rundown)
    await dialog().getByRole('button', { name: 'Test', exact: true }).click()
    await dialog().getByText('1 story').waitFor()
    await dialog().getByText('Story 2 has no slugline.').waitFor()
    expect(await violations(page())).toEqual([])

    const newsroom = createServer((_, response) => response.end(rundown)).listen(0, '127.0.0.1')
    onTestFinished(() => void newsroom.close())
    await once(newsroom, 'listening')
    await dialog().getByLabel('Address of the story list').fill('newsroom')
    await dialog().getByLabel('Password of the account').fill('Rundown-7')
    await ok()
    await dialog().getByText('Must be an address that starts with https:// or http://').waitFor()
    const { port } = newsroom.address() as AddressInfo
    await dialog().getByLabel('Address of the story list').fill(`http://127.0.0.1:${port}/`)
    await ok()
    await dialog().waitFor({ state: 'detached' })

    await page().getByRole('button', { name: 'Newsroom sync' }).click()
    await dialog().getByRole('switch', { name: 'Newsroom sync' }).check({ force: true })
    await ok()
    const check = page().getByRole('dialog', { name: 'Security check' })
    await check.getByLabel('Password', { exact: true }).fill('wrong')
    await check.getByRole('button', { name: 'OK', exact: true }).click()
    await check.getByText('Incorrect password in the security check.').waitFor()
    expect(await violations(page())).toEqual([])
    await check.getByLabel('Password', { exact: true }).fill('Rundown-7')
    await check.getByRole('button', { name: 'OK', exact: true }).click()
    await check.waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await chief.call(api.ingest.account, { params })).lastSync?.created)
      .toBe(1)
    await page().getByRole('button', { name: 'Newsroom sync' }).click()
    await dialog()
      .getByText('1 story: 1 new, 0 changed, 0 deleted, 0 kept for their units, 1 skipped')
      .waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    // The screen is still the one of before the reading.
    await row('NIGHT TRAIN').click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Edit' }).click()
    await dialog().getByText('This story comes from the newsroom.').waitFor()
    await page().keyboard.press('Escape')
    await chief.call(api.ingest.changeAccount, {
      params,
      body: { confirmation: 'Rundown-7', configuration: { sync: false } },
    })
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
