// Ingest before an administrator: the account of their customer, its mapping file, and which server receives which channel.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'

const closed = 'The customer does not have the service Ingest.'
const params = { id: 'north-atlantic' }
const sheet = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>'

describe.runIf(hasChromium)('ingest in the browser', () => {
  let demo: Demo
  let chromium: Chromium
  let root: Person
  let chief: Person
  const open = async () => {
    demo = await openDemo(40)
    // Simulated servers play no IFB.
    await demo.start('hub', { env: { BACKHAUL_HUB_IFBS: 'test' } })
    root = await signIn(demo.url, 'admin', adminPassword)
    chief = await demo.person('chief')
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await demo?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name }).first()
  const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const ok = async () => {
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
  }
  const cancel = async () => {
    await press('Cancel')
    await dialog().waitFor({ state: 'detached' })
  }
  const menu = async (name: string, item: string) => {
    await row(name).click({ button: 'right' })
    await page().getByRole('menuitem', { name: item }).click()
    await dialog().waitFor()
  }
  const file = (name: string, content: string) =>
    dialog()
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(content) })

  test('[CHAN-015] a channel gets its ingest server, tally and audio interface, once the customer has the services', async () => {
    const made = (name: string) =>
      chief.call(api.deviceAdministration.createServer, {
        body: { type: 'ingest_server', name, serialNumber: `SN-${name}`, inventory: params.id },
      })
    const [newsroom, archive] = [await made('Newsroom'), await made('Archive')]
    await signInOnPage(page(), demo.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Channels' }).click()
    const [channel, other] = await demo.free(2)
    const name = channel?.name ?? ''
    await row(name).waitFor()
    await menu(name, 'Ingest')
    await dialog().getByText(closed).waitFor()
    await dialog().locator(`[data-tip="${closed}"]`).waitFor()
    expect(await dialog().getByRole('button', { name: 'OK', exact: true }).count()).toBe(0)
    await expect.poll(() => dialog().getByLabel('Newsroom').isDisabled()).toBe(true)
    await cancel()
    await row(name).click({ button: 'right' })
    await page()
      .getByRole('menuitem', { name: 'Tally' })
      .getByText('Not available for your user type')
      .waitFor()
    await page().keyboard.press('Escape')

    await page().getByRole('button', { name: 'Ingest account' }).click()
    await dialog().getByText(`Ingest cannot be used: ${closed}`).waitFor()
    expect(await violations(page())).toEqual([])
    await cancel()
    for (const service of ['ingest', 'audio_ifb'] as const)
      await root.call(api.services.add, { params, body: { name: service } })
    await page().getByRole('button', { name: 'Ingest account' }).click()
    await dialog().getByLabel('Password', { exact: true }).fill('Rundown-7')
    await dialog().getByRole('combobox', { name: 'Default ingest server' }).click()
    await page().getByRole('option', { name: 'Archive' }).click()
    await file('stories.csv', sheet)
    await dialog().getByText('File type is not supported').waitFor()
    await file('stories.xsl', '<a>')
    await dialog().getByText('The file is not well-formed XML.').waitFor()
    await file('stories.xsl', sheet)
    await dialog().getByText('stories.xsl').waitFor()
    expect(await violations(page())).toEqual([])
    await ok()
    const account = await chief.call(api.ingest.account, { params })
    expect(account).toMatchObject({
      hasPassword: true,
      xsltFile: { name: 'stories.xsl' },
      configuration: { defaultServerId: archive.uid },
    })
    await page().getByRole('button', { name: 'Ingest account' }).click()
    await dialog().getByText('A password is set.').waitFor()
    await press('Delete file')
    await dialog().getByText('No file').waitFor()
    await cancel()

    await menu(name, 'Ingest')
    await dialog().getByLabel('From the account: Archive').waitFor()
    await dialog().getByRole('radio', { name: 'Newsroom' }).check()
    expect(await violations(page())).toEqual([])
    await ok()
    const id = channel?.uniqueId ?? ''
    expect(await chief.call(api.ingest.ofChannel, { params: { id } })).toMatchObject({
      ingestServerId: newsroom.uid,
      isDefault: false,
    })
    await menu(name, 'Ingest')
    await dialog().getByText(`current · has ${name}`).waitFor()
    await cancel()

    await menu(name, 'Audio interface')
    await dialog().getByRole('radio').nth(1).check()
    await ok()
    const used = () => chief.call(api.interfaces.usedIfbs, { params })
    expect(await used()).toEqual({ count: 1 })
    await menu(other?.name ?? '', 'Audio interface')
    await dialog().getByText(`has ${name}`).waitFor()
    await expect.poll(() => dialog().getByRole('radio').nth(1).isDisabled()).toBe(true)
    await cancel()
    await menu(name, 'Audio interface')
    await dialog().getByLabel('None').check()
    await ok()
    expect(await used()).toEqual({ count: 0 })

    const [{ id: chiefId } = { id: '' }] = (await root.call(api.users.list, { query: { search: 'chief' } }))
      .items
    await root.call(api.users.change, { params: { id: chiefId }, body: { services: ['tally'] } })
    await signInOnPage(page(), demo.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Channels' }).click()
    await row(name).waitFor()
    await menu(name, 'Tally')
    await dialog().getByRole('radio').nth(1).check()
    expect(await violations(page())).toEqual([])
    await ok()
    chief = await demo.person('chief')
    const tallies = await chief.call(api.interfaces.tallies, { params })
    expect(tallies.filter(({ channel: one }) => one === id)).toHaveLength(1)

    await page().getByRole('link', { name: 'Devices' }).click()
    await page().getByText('All groups').click()
    await menu('Newsroom', 'Edit')
    await dialog().getByRole('tab', { name: 'Channels' }).click()
    await dialog().getByRole('cell', { name, exact: true }).waitFor()
    expect(await violations(page())).toEqual([])
  })
})
