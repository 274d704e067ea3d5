// Several cameras of a simulated unit in the browser: set, labelled, sent to channels of their own, switched and stopped.
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
import type { Person } from '../stage/person.ts'
import { until } from '../stage/until.ts'

const groupId = 'new-york-news'

describe.runIf(hasChromium)('several cameras in the browser', () => {
  let demo: Demo
  let chromium: Chromium
  let chief: Person
  const open = async () => {
    demo = await openDemo(40)
    chief = await demo.person('chief')
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
  const button = (name: string) => page().getByRole('button', { name, exact: true })
  const isOpen = async (name: string) => (await button(name).getAttribute('aria-disabled')) !== 'true'
  const apply = async () => {
    await button('Apply').click()
    await until('it is applied', async () => !(await isOpen('Apply')))
  }
  const tab = () => page().getByRole('tab', { name: 'Multi-camera' })

  test('they go to channels of their own, are switched to one, and remain visible without a licence', async () => {
    const able = await until('a unit with several cameras', async () =>
      (await demo.units(groupId)).find(
        ({ capabilities, offline }) => capabilities.multiCamera === true && !offline,
      ),
    )
    const params = { id: able.uid }
    const unit = () => chief.call(api.units.one, { params })
    const [first, second] = await demo.free(2, groupId)
    if (!first || !second) throw new Error('There are two channels')
    await signInOnPage(page(), demo.url, 'chief', DEMO_PASSWORD, `/unit/${able.uid}?ignoreRouteDefault=1`)
    await tab().click()
    await page().getByText('Multi-camera service: Pro 4, up to 4 cameras').waitFor()
    await until('the picture of each camera that is plugged in', async () => {
      const plugged = (await unit()).cameras.filter(({ connected }) => connected)
      return (await page().getByText('1920×1080').count()) === plugged.length
    })
    expect(await violations(page())).toEqual([])

    await page()
      .getByLabel(/^Multi-camera/)
      .and(page().getByRole('radio'))
      .check()
    await page().getByLabel('Channels', { exact: true }).selectOption('One chosen for each camera')
    await button('Apply').click()
    await page().getByText('This field is required').first().waitFor()
    const choose = (camera: number, id: string) =>
      page().getByLabel(`Channel of camera ${camera}`).selectOption(id)
    await choose(1, first.uniqueId)
    await choose(2, first.uniqueId)
    await button('Apply').click()
    await page().getByText('Two cameras cannot share a channel.').waitFor()
    await choose(2, second.uniqueId)
    await page().getByLabel('Label of camera 1').fill('Stage left far side')
    await expect.poll(() => page().getByLabel('Label of camera 1').inputValue()).toBe('Stage left f')
    await page().getByLabel('Priority of camera 2').selectOption('9 (lowest)')
    await apply()
    await until('the unit has it', async () => {
      const { multiCameraSelectedMode: mode, multiCameraLabels, cameraPriorities } = await unit()
      return mode === 'highQuality' && multiCameraLabels[0] === 'Stage left f' && cameraPriorities[1] === 9
    })
    await until('it can be started', () => isOpen('Start cameras'))
    await expect.poll(() => opacityOf(button('Start cameras'))).toBe(1)
    expect(await violations(page())).toEqual([])
    await button('Start cameras').click()
    await page().getByText('Sending', { exact: true }).waitFor()
    await until(
      'both channels receive',
      async () =>
        (await page()
          .getByText(/^[\d.]+ Mbps$/)
          .count()) >= 2,
    )
    const sent = await unit()
    expect(sent.applications).toHaveProperty('multiCamera')
    expect(sent.transmission?.feeds).toEqual([
      { camera: 1, channelId: first.uniqueId },
      { camera: 2, channelId: second.uniqueId },
    ])
    await expect.poll(() => page().getByLabel('Channel of camera 1').isDisabled()).toBe(true)
    expect(await violations(page())).toEqual([])
    await button('Stop cameras').click()
    await until('it has ended', async () => (await unit()).applications?.multiCamera === undefined)

    await page().getByRole('radio', { name: 'Switcher and proxy' }).check()
    await page().getByLabel('High-quality channel').selectOption(first.uniqueId)
    await page().getByLabel('Proxy channel').selectOption(second.uniqueId)
    await apply()
    await until('it can be started', () => isOpen('Start cameras'))
    await button('Start cameras').click()
    await page().getByText('Sending', { exact: true }).waitFor()
    await button('Show camera 2').click()
    await until(
      'the second camera is shown',
      async () => (await button('Show camera 2').getAttribute('aria-pressed')) === 'true',
    )
    await expect.poll(() => isOpen('Show camera 4')).toBe(false)
    expect(await violations(page())).toEqual([])
    await button('Stop cameras').click()
    await until('it has ended', async () => (await unit()).idle)
    await page().getByRole('radio', { name: 'Single camera' }).check()
    await apply()
    await until('it is as before', async () => (await unit()).multiCameraSelectedMode === null)

    const other = (await demo.units(groupId)).find(({ capabilities }) => capabilities.multiCamera !== true)
    await page().goto(`${demo.url}/unit/${other?.uid}?ignoreRouteDefault=1`)
    await expect.poll(() => tab().getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => tab().getAttribute('data-tip')).toBe('The unit has no such mode.')
    await tab().click({ force: true })
    expect(await tab().getAttribute('aria-selected')).toBe('false')
    expect(await violations(page())).toEqual([])
  })
})
