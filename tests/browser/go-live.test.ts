// Go Live: a super user sets up a provider below the system settings, and an operator streams to it.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('system settings and Go Live in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let root: Person
  let unit: StageDevice
  let server: StageDevice

  const open = async () => {
    stage = await openStage({ demo: 1 })
    const slots = [{ slot: '1', name: 'Social-1', inputType: null }]
    server = await joinDevice(stage, { kind: 'server', name: 'MCR-Social', groupId, slots })
    unit = await joinDevice(stage, { name: 'A-Social-Van', groupId })
    root = await signIn(stage.url, 'admin', adminPassword)
    chromium = await openChromium()
  }
  const close = async () => {
    for (const device of [unit, server]) device?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const row = (text: string) => page().locator('[data-row-id]', { hasText: text })
  const ok = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
  /** The list of the previous child is gone by then. */
  const child = async (name: string) => {
    const settings = page().getByRole('navigation', { name: 'System settings' })
    await settings.getByRole('link', { name, exact: true }).click()
    await expect.poll(() => settings.locator('[aria-current=page]').allTextContents()).toEqual([name])
  }
  const add = () => page().getByRole('button', { name: /^New / }).first().click()
  const choose = async (label: string, option: string) => {
    await dialog().getByRole('combobox', { name: label }).click()
    await page().getByRole('option', { name: option }).click()
  }

  test('[STAFF-006] [STAFF-003] a super user sets up providers, profiles and organizations', async () => {
    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: 'System settings' }).click()
    await page().getByText('No client applications yet').waitFor()
    await add()
    await dialog().getByLabel('Name').fill('Field app')
    await dialog().getByLabel('Version', { exact: true }).fill('3.4')
    await dialog().getByLabel('Oldest version').fill('3.5')
    await ok()
    await dialog().getByText('Must not be newer than the version').waitFor()
    await dialog().getByLabel('Oldest version').fill('3.0')
    await ok()
    await row('Field app').waitFor()
    await child('Modem vendors and models')
    await add()
    await dialog().getByLabel('Vendor').fill('North Radio')
    await ok()
    await row('North Radio').getByText('cellular').waitFor()
    await child('Stream providers')
    await page().getByText('No stream providers yet').waitFor()
    expect(await violations(page())).toEqual([])
    await add()
    await ok()
    await dialog().getByText('This field is required').first().waitFor()
    await dialog().getByLabel('Name').fill('Tube')
    await dialog().getByLabel('Domain').fill('live.tube.example')
    await dialog().getByLabel('Path').fill('live2')
    expect(await violations(page())).toEqual([])
    await ok()
    await row('live.tube.example').waitFor()

    await child('Stream profiles')
    for (const [name, isMain] of [
      ['Standard', true],
      ['High', true],
    ] as const) {
      await add()
      await dialog().getByLabel('Name').fill(name)
      await choose('Provider', 'Tube')
      if (isMain) await dialog().getByRole('switch', { name: 'Main' }).check({ force: true })
      await ok()
      if (name === 'Standard') await row(name).getByText('720p').waitFor()
    }
    await dialog().getByText('The provider already has a main stream profile.').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()

    await child('Stream media profiles')
    await add()
    await dialog().getByLabel('Name').fill('Europe')
    await choose('Provider', 'Tube')
    await dialog().getByLabel('Domain').fill('eu.tube.example')
    await dialog().getByLabel('Video bit rate (kbps)').fill('1000')
    await ok()
    await dialog().getByText('Must be 2000 or more').waitFor()
    await dialog().getByLabel('Video bit rate (kbps)').fill('6000')
    await ok()
    await row('Europe').getByText('Tube', { exact: true }).waitFor()

    await child('Organizations')
    await add()
    await dialog().getByLabel('Name', { exact: true }).fill('Atlantic')
    await dialog().getByLabel('External name').fill('atlantic.example')
    await ok()
    await row('Atlantic').waitFor()
    await child('Organizations and inventories')
    for (const time of ['first', 'second']) {
      await add()
      await choose('Organization', 'Atlantic')
      await choose('Inventory', 'North Atlantic')
      await ok()
      if (time === 'first') await row('Atlantic').waitFor()
    }
    await dialog().getByText('This field must be unique').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })

  test('[STREAM-012] [SHELL-033] an operator and a studio stream the picture of a unit, first unpublished, then live', async () => {
    const { items } = await root.call(api.streamProviders.list, { query: {} })
    const tube = { name: 'Tube', domain: 'live.tube.example', application: 'live2', secure: true, icon: '' }
    if (items.length === 0) await root.call(api.streamProviders.create, { body: tube })
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD)
    const toUnit = async () => {
      await page().goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
      await row('A-Social-Van').click()
      await page().locator('[data-run][data-size="big"]').waitFor()
    }
    await toUnit()
    const button = page()
      .getByRole('complementary', { name: 'Selected unit' })
      .getByRole('button', { name: 'Go Live' })
    await expect.poll(() => button.count()).toBe(0)
    await root.call(api.inventories.setProperty, {
      params: { id: 'north-atlantic', name: 'socialMedia' },
      body: { value: true },
    })
    await toUnit()
    await button.click()
    await dialog().getByText('Start the transmission first', { exact: false }).waitFor()
    await page().keyboard.press('Escape')

    const wanted = await server.received('serverWanted', (one) => one.state.channels.length > 0)
    const channelId = wanted.state.channels[0]?.channelId ?? ''
    server.channels([{ channelId, status: 'idle' }])
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
    const { state } = await unit.received('wanted', (one) => one.state.transmission !== null)
    const transmissionId = state.transmission?.id ?? null
    unit.report({ applications: { video: { state: 'streaming' } }, state: 'streaming', transmissionId })
    server.channels([{ channelId, status: 'collecting', transmissionId }])
    await button.click()
    await dialog().getByRole('button', { name: 'Start preview' }).click()
    await dialog().getByText('This field is required').first().waitFor()
    await dialog().getByLabel('Title').fill('Election night')
    await dialog().getByLabel('Stream key').fill('live-key')
    await dialog().getByLabel('Preview key').fill('preview-key')
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Start preview' }).click()
    await dialog().getByText('Preview, unpublished').waitFor()
    const sentTo = (key: string) =>
      server.received('serverWanted', (one) =>
        one.state.channels.some(({ outputs }) =>
          outputs.some(({ url }) => url === `rtmps://live.tube.example/live2/${key}`),
        ),
      )
    await sentTo('preview-key')
    const outputs = [{ id: 'social', state: 'sending' as const, reason: null, since: 1, tries: 1 }]
    server.channels([{ channelId, status: 'collecting', transmissionId, outputs }])
    await dialog().getByText('Tube is receiving').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Publish now' }).click()
    await sentTo('live-key')
    await dialog().getByText('Live', { exact: true }).waitFor()
    await page().keyboard.press('Escape')

    await signInOnPage(page(), stage.url, 'studio', DEMO_PASSWORD)
    await page()
      .getByRole('button', { name: /^A-Social-Van/ })
      .click()
    await page()
      .getByRole('region', { name: 'A-Social-Van' })
      .getByRole('button', { name: 'Live', exact: true })
      .click()
    await dialog().getByRole('button', { name: 'Stop', exact: true }).click()
    await page()
      .getByRole('region', { name: 'A-Social-Van' })
      .getByRole('button', { name: 'Go Live' })
      .waitFor()
    expect(await violations(page())).toEqual([])
  })
})
