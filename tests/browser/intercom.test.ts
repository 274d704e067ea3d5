// The intercom of a simulated crew in the browser: closed without the service, then set, opened on both lines and ended.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Chromium,
  hasChromium,
  opacityOf,
  openChromium,
  signInOnPage,
  violations,
} from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'new-york-news'
const inventory = { id: 'north-atlantic' }

describe.runIf(hasChromium)('intercom in the browser', () => {
  let demo: Demo
  let chromium: Chromium
  let chief: Person
  let root: Person
  const open = async () => {
    demo = await openDemo(40)
    await demo.start('hub')
    chief = await demo.person('chief')
    root = await signIn(demo.url, 'admin', adminPassword)
    await chief.call(api.client.savePreferences, { body: { groupId } })
    chromium = await openChromium({ width: 1440, height: 900 })
  }
  const close = async () => {
    await chromium?.close()
    await demo?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const tab = () => page().getByRole('tab', { name: 'Intercom' })
  const line = (intercom: 1 | 2) => page().getByRole('region', { name: `Intercom ${intercom}`, exact: true })
  const start = (intercom: 1 | 2) =>
    line(intercom).getByRole('button', { name: `Start intercom ${intercom}` })
  const stop = (intercom: 1 | 2) => line(intercom).getByRole('button', { name: `Stop intercom ${intercom}` })
  const isClosed = async (target: ReturnType<typeof start>) =>
    (await target.getAttribute('aria-disabled')) === 'true'

  test('[COMM-001] [COMM-002] a crew is reached on both lines, and a closed intercom shows the reason', async () => {
    const able = await until('a unit with two lines', async () =>
      (await demo.units(groupId)).find(
        ({ capabilities, offline, intercoms }) =>
          capabilities.intercom2 === true && intercoms.length === 2 && !offline,
      ),
    )
    const unit = () => chief.call(api.units.one, { params: { id: able.uid } })
    await signInOnPage(page(), demo.url, 'chief', DEMO_PASSWORD, `/unit/${able.uid}?ignoreRouteDefault=1`)
    await until('the tab is closed', async () => (await tab().getAttribute('aria-disabled')) === 'true')
    await expect.poll(() => tab().getAttribute('data-tip')).toBe('Not available for your user type')
    await tab().click({ force: true })
    expect(await tab().getAttribute('aria-selected')).toBe('false')

    await root.call(api.services.add, { params: inventory, body: { name: 'web_aud_connect' } })
    const room = { name: 'Gallery talkback', units: [able.uid] }
    await chief.call(api.audioRooms.create, { params: inventory, body: room })
    const [channel] = await demo.free(1, groupId)
    if (!channel) throw new Error('There is a channel')
    await chief.call(api.audioRooms.create, {
      params: inventory,
      body: { name: 'Channel talkback', channels: [channel.uniqueId] },
    })
    await demo.choose(able, channel)
    await page().reload()
    await until('the tab is open', async () => (await tab().getAttribute('aria-disabled')) !== 'true')
    await tab().click()
    await line(1).getByText('Intercom server missing.').waitFor()
    await expect.poll(() => isClosed(start(1))).toBe(true)
    await expect.poll(() => opacityOf(start(1))).toBe(1)
    expect(await violations(page())).toEqual([])

    await page().getByLabel('Server', { exact: true }).fill('sip.own.example')
    await page().getByRole('button', { name: 'Save account' }).click()
    await page().getByText('This field is required').waitFor()
    await page().getByLabel('Account', { exact: true }).fill('van-3')
    await page().getByRole('button', { name: 'Save account' }).click()
    await page().getByText('sip.own.example, by an account of the unit').waitFor()
    await line(1).getByText('Audio room external or not selected.').waitFor()
    await line(1).getByLabel('Audio room').selectOption('Gallery talkback')
    await until('it can be started', async () => !(await isClosed(start(1))))
    // The customer has no server, so that the room is at none.
    await start(1).click()
    await page().getByText('Unit and room must use the same intercom server.').first().waitFor()
    await root.call(api.inventories.update, {
      params: inventory,
      body: { sipServer: 'sip.own.example' },
    })
    await start(1).click()
    await line(1).getByText('Connected', { exact: true }).waitFor()
    await expect.poll(() => line(1).getByLabel('Audio room').isDisabled()).toBe(true)
    await expect
      .poll(async () => (await unit()).intercoms[0])
      .toMatchObject({ state: 'connected', transition: null })
    expect((await unit()).applications).toHaveProperty('audioRoom')
    expect(await violations(page())).toEqual([])

    await line(2).getByLabel('Connects to').selectOption('The selected channel')
    await line(2)
      .getByText(/^Users at the channel/)
      .waitFor()
    await line(2).getByText('in the audio room Channel talkback').waitFor()
    await until('it can be started', async () => !(await isClosed(start(2))))
    await start(2).click()
    await line(2).getByText('Connected', { exact: true }).waitFor()
    await page().getByLabel('Jack 2').selectOption('Intercom 2')
    await until('the jack is set', async () => {
      const { jacks } = await chief.call(api.intercom.options, { params: { id: able.uid } })
      return jacks[1]?.use === 'intercom2'
    })
    await stop(1).click()
    await line(1).getByText('No session').waitFor()
    await line(2).getByText('Connected', { exact: true }).waitFor()
    await stop(2).click()
    await line(2).getByText('No session').waitFor()
    await until('both are gone', async () =>
      (await unit()).intercoms.every(({ state, transition }) => state === null && transition === null),
    )
    expect(await violations(page())).toEqual([])
  })
})
