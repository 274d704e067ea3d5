// The purposes of the console, one by one, each with a user whom it is for.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { firstLine } from '@backhaul/contract/nouns/intercom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { addVendorStaff, type Demo, openDemo } from '../stage/demo.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const inventory = { id: 'north-atlantic' }

/** A menu item, and the button with which work on its screen begins. */
type Work = readonly [item: string, button: string]

const administration: readonly Work[] = [
  ['Devices', 'Add server'],
  ['Users', 'New user'],
  ['Groups', 'New group'],
  ['Channels', 'New channel'],
  ['Video Return', 'New channel'],
  ['Usage profiles', 'New usage profile'],
  ['Software versions', 'New version'],
  ['Audio Connect', 'New audio room'],
  ['Story list', 'New story'],
  ['File upload', 'Upload'],
]
const sharing: readonly Work[] = [
  ['Publishers', 'New publisher'],
  ['Subscribers', 'New subscriber'],
]

describe.runIf(hasChromium)('the purposes of the console', () => {
  let demo: Demo
  let chromium: Chromium
  let root: Person
  let van: StageDevice
  const begin = async () => {
    demo = await openDemo(40)
    root = await signIn(demo.url, 'admin', adminPassword)
    await root.call(api.services.add, { params: inventory, body: { name: 'web_aud_connect' } })
    await addVendorStaff(root)
    const actual = { capabilities: { videoReturn: true, intercom: true, fileUpload: true } }
    const settings = { intercoms: [firstLine] }
    van = await joinDevice(demo, {
      name: 'Purpose-Van',
      groupId: 'london-news',
      actual: { ...actual, settings },
    })
    chromium = await openChromium()
  }
  const end = async () => {
    van?.close()
    await chromium?.close()
    await demo?.stop()
  }
  beforeAll(begin)
  afterAll(end)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name }).first()
  const button = (name: string) => page().getByRole('button', { name, exact: true }).first()
  const menu = () => page().getByRole('navigation', { name: 'Main menu' }).getByRole('link')
  const open = (item: string) =>
    menu()
      .and(page().getByRole('link', { name: item, exact: true }))
      .click()
  const enter = async (username: string, word = DEMO_PASSWORD) => {
    await signInOnPage(page(), demo.url, username, word)
    // It leads to the last page of the user.
    await open('Units')
  }
  async function work(all: readonly Work[]): Promise<void> {
    for (const [item, name] of all) {
      await open(item)
      await button(name).waitFor()
    }
  }
  const close = async () => {
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  }

  test('[SHELL-035] an operator gives a unit a channel, transmits, configures, tests, and has its logs', async () => {
    await enter('operator')
    const [unit] = await demo.ready(1)
    const [channel] = await demo.free(1)
    await row(unit?.name ?? '').dblclick()
    await page()
      .getByRole('heading', { name: unit?.name ?? '' })
      .waitFor()
    await page().getByLabel('Channel').click()
    // London-1, and neither London-10 nor Return-London-1.
    await page()
      .getByRole('option', { name: new RegExp(`^${channel?.name} `) })
      .click()
    await expect.poll(() => page().getByLabel('Channel').inputValue()).toBe(channel?.name)
    await page().locator('[data-size="big"][data-run="start"][aria-disabled="false"]').click()
    await page().locator('[data-part="unit-status"]', { hasText: 'Live' }).waitFor()
    await page().getByRole('table', { name: 'Links' }).getByText('Mbps').first().waitFor()
    await page().locator('[data-size="big"][data-run="stop"]').click()
    await dialog().getByRole('button', { name: 'Stop transmission' }).click()
    await page().locator('[data-part="unit-status"]', { hasText: 'Ready' }).waitFor()

    await button('Configuration').click()
    for (const tab of ['Connections', 'Network', 'Video/audio']) {
      await dialog().getByRole('tab', { name: tab }).click()
      await dialog().getByRole('tabpanel', { name: tab }).locator('input:visible, button').first().waitFor()
    }
    await close()
    await button('Logs and support').click()
    await dialog().getByLabel('What happened').waitFor()
    await close()
    await button('Speed test').click()
    await dialog().getByRole('button', { name: 'Start test' }).waitFor()
    await close()
  })

  test('[SHELL-035] an operator returns pictures and sound, keeps stories and files, and reacts to alerts', async () => {
    await enter('operator')
    van.sample({ battery: { connected: true, charging: false, percentage: 3 } })
    await row('Purpose-Van').locator('.text-critical').first().waitFor()
    await row('Purpose-Van').dblclick()
    await page().getByRole('heading', { name: 'Purpose-Van' }).waitFor()
    await page().getByRole('heading', { name: 'Alerts' }).waitFor()
    for (const [tab, words] of [
      ['Video return', 'Video return channel'],
      ['Intercom', 'Intercom 1'],
    ] as const) {
      await page().getByRole('tab', { name: tab }).click()
      await page().getByText(words).first().waitFor()
    }
    await open('Files')
    // A unit that has transmitted may have brought earlier recordings of its own.
    await page().getByLabel('Search files').waitFor()
    await page().locator('[data-row-id], [data-grid-state] h2').first().waitFor()
    await open('Story list')
    await button('New story').click()
    await dialog().getByLabel('Slugline').fill('HARBOUR FIRE')
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await row('HARBOUR FIRE').waitFor()
    await open('Multiview')
    await page().getByText('London-1').first().waitFor()
    expect(await violations(page())).toEqual([])
  })

  test('[SHELL-035] an administrator keeps devices, channels, groups, users, services, rooms and interfaces', async () => {
    await enter('chief')
    await work(administration)
    await open('Devices')
    // Until its screen is there the only units are those of the menu.
    await button('Add server').waitFor()
    await page().getByText('Units', { exact: true }).last().click()
    await button('Add unit').waitFor()
    await open('Channels')
    await row('London-1').click({ button: 'right' })
    for (const name of ['Tally', 'Audio interface']) await page().getByRole('menuitem', { name }).waitFor()
    await page().keyboard.press('Escape')
    await open('Inventory services')
    await row('Audio Connect').waitFor()
    await page().getByRole('columnheader', { name: 'Trial' }).waitFor()
    // An empty screen must not cover the menu.
    await open('Licence activation')
    await page().getByRole('heading', { name: 'Activation needs a permission of its own' }).waitFor()
    await open('Usage reports')
  })

  test('[SHELL-035] a media group administrator shares, the vendor keeps inventories and servers of four types', async () => {
    await enter('media')
    await work([...administration, ...sharing])
    await enter('admin', adminPassword)
    await work([...administration, ...sharing])
    await open('System entities')
    const entity = (name: string) =>
      page()
        .getByRole('navigation', { name: 'Entities of the system' })
        .getByRole('link', { name, exact: true })
    for (const [name, add] of [
      ['Inventories', 'New inventory'],
      ['MMH servers', 'Add MMH server'],
      ['Video return servers', 'Add video return server'],
      ['Ingest servers', 'Add ingest server'],
      ['Transceiver servers', 'Add transceiver server'],
    ] as const) {
      await entity(name).click()
      await button(add).waitFor()
    }
    await work([['Customer services', 'Another service']])
  })

  test('[SHELL-035] contractors, support staff and read-only users find their screens', async () => {
    await enter('carl')
    await open('Entities manager')
    await row('Purpose-Van').waitFor()
    await enter('petra')
    await open('Remote actions')
    await page().locator('[data-row-id], [data-grid-state] h2').first().waitFor()
    await enter('viewer')
    await row('Purpose-Van').dblclick()
    await page().getByRole('heading', { name: 'Purpose-Van' }).waitFor()
    expect(await button('Logs and support').count()).toBe(0)
    await signInOnPage(page(), demo.url, 'studio', DEMO_PASSWORD)
    await page().waitForURL('**/easy_live')
    await signInOnPage(page(), demo.url, 'returns', DEMO_PASSWORD)
    await page().getByRole('heading', { name: 'Video return only' }).waitFor()
    await until('no further menu items', async () => (await menu().count()) === 0)
  })
})
