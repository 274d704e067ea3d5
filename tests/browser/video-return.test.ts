// The studio's picture for a crew: chosen, started and stopped on the page of a simulated unit, and administered.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'

describe.runIf(hasChromium)('video return in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let operator: Person
  const open = async () => {
    stage = await openStage({ demo: 12 })
    await stage.start('simulator', { args: ['--no-desks', '--no-switching'] })
    operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.client.savePreferences, { body: { groupId } })
    await until('a channel with a picture', async () =>
      (await ofGroup()).some(({ status }) => status === 'videoReturnInputConnected'),
    )
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const ofGroup = () => operator.call(api.videoReturn.ofGroup, { params: { groupId } })
  const statusOf = async (name: string) => (await ofGroup()).find((one) => one.name === name)?.status
  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })

  test('[VR-001] a crew sees the studio from the start until the stop, and an operator sees why it is not possible', async () => {
    const unit = await until('a unit with a monitor', async () =>
      (await operator.call(api.units.ofGroup, { query: { group: groupId } })).find(
        ({ capabilities, offline }) => capabilities.videoReturn === true && !offline,
      ),
    )
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD, `/unit/${unit.uid}?ignoreRouteDefault=1`)
    await page().getByRole('tab', { name: 'Video return' }).click()
    const choice = page().getByLabel('Video return channel')
    const button = (name: string) => page().getByRole('button', { name, exact: true })
    await page().getByText('Channel has no video or is external.').waitFor()
    await choice.selectOption({ label: 'Return-London-4 · No input' })
    await page().getByRole('strong').getByText('Return-London-4').waitFor()
    await expect.poll(() => button('Start return').getAttribute('aria-disabled')).toBe('true')
    await choice.selectOption({ label: 'Return-London-1 · Input connected' })
    await page()
      .getByText(/^SDI 1 · 1080p/)
      .waitFor()
    expect(await violations(page())).toEqual([])

    await button('Start return').click()
    await page().getByText('Shown to the crew').waitFor()
    await page().getByText('Sent to the crew', { exact: true }).first().waitFor()
    await expect.poll(() => statusOf('Return-London-1')).toBe('collecting')
    await expect.poll(() => choice.isDisabled()).toBe(true)
    expect(await violations(page())).toEqual([])
    await button('Stop return').click()
    await page().getByText('Not shown').waitFor()
    await until('the channel is free', async () => (await statusOf('Return-London-1')) !== 'collecting')
  })

  test('[VR-003] [VR-006] an administrator makes a channel, sets its inputs and output, and sets its server', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Video Return', exact: true }).click()
    await row('Return-London-1').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'New channel' }).click()
    await dialog().getByLabel(/^Name/).fill('two words')
    await press('OK')
    await dialog().getByText('Only letters, numbers, underscores and hyphens are allowed.').first().waitFor()
    await dialog().getByLabel(/^Name/).fill('Gallery-Return')
    await dialog().getByRole('tab', { name: 'Inputs' }).click()
    await expect.poll(() => dialog().getByRole('checkbox').count()).toBe(4)
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('tab', { name: 'Format' }).click()
    await dialog().getByLabel('Port').fill('70000')
    await press('OK')
    await dialog().getByText('Must be 65535 or less').first().waitFor()
    await dialog().getByLabel('Port').fill('28000')
    expect(await violations(page())).toEqual([])
    await press('OK')
    await row('Gallery-Return').waitFor()
    await dialog().waitFor({ state: 'detached' })

    await row('Gallery-Return').click()
    await page().keyboard.press('Enter')
    await dialog().getByRole('tab', { name: 'Inputs' }).click()
    await dialog().getByLabel('Input chosen').selectOption('By operators')
    await dialog().getByLabel('Input shown').selectOption('SDI 2')
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    await row('Gallery-Return').click()
    await page().keyboard.press('Enter')
    await dialog().getByRole('tab', { name: 'Groups' }).click()
    await dialog().getByLabel('London-News').check()
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    const made = async () => (await ofGroup()).find(({ name }) => name === 'Gallery-Return')
    await until('its server takes the chosen input', async () => (await made())?.input === 'sdi-2')
    await expect.poll(async () => (await made())?.urlData[0]).toMatch(/^rist:.*:28000$/)

    await row('Return-London-1').click()
    await page().keyboard.press('Enter')
    // A field whose value is still to come takes no input.
    const read = Promise.withResolvers<void>()
    const late = (route: Route) => read.promise.then(() => route.continue())
    await page().route('**/v2/vrservers/*/configuration', late, { times: 1 })
    await dialog().getByRole('tab', { name: 'Server' }).click()
    const firstPort = dialog().getByLabel('First port')
    await expect.poll(() => firstPort.isDisabled()).toBe(true)
    read.resolve()
    await firstPort.fill('29000')
    expect(await violations(page())).toEqual([])
    await press('OK')
    await dialog().waitFor({ state: 'detached' })
    await until('the pictures are offered elsewhere', async () =>
      (await ofGroup()).some(({ urlData }) => urlData[0]?.endsWith(':29000')),
    )
  })
})
