// An administrator sets on a channel what may be sent to it, by whom, and how it is sent on; an operator sees what it closes.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const name = 'London-1'

describe.runIf(hasChromium)('settings of a channel in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let operator: Person
  beforeAll(async () => {
    stage = await openStage({ demo: 4 })
    await stage.start('simulator', { args: ['--no-desks'] })
    operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await until('channels', async () => (await ofGroup()).some(({ status }) => status === 'idle'))
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })

  const ofGroup = () => operator.call(api.channels.ofGroup, { query: { group: 'london-news' } })
  const channel = async () => (await ofGroup()).find((one) => one.name === name)
  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const press = (label: string) => dialog().getByRole('button', { name: label, exact: true }).click()
  const tab = (label: string) => dialog().getByRole('tab', { name: label, exact: true }).click()

  test('[CHAN-004] each tab of a channel shows what it has, and changes it', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Channels' }).click()
    const row = page().locator('[data-row-id]', { hasText: name }).first()
    await row.click()
    await page().keyboard.press('Enter')
    expect(await dialog().getByRole('tab').allTextContents()).toEqual([
      'General',
      'Groups',
      'Multipoint',
      'NDI',
      'Streaming',
      'Graphics overlay',
      'SMPTE',
    ])

    await dialog().getByLabel('Bandwidth limit').fill('500')
    await press('Apply')
    await dialog().getByText('Must be 1000 or more').waitFor()
    await dialog().getByLabel('Bandwidth limit').fill('4000')
    await dialog().getByLabel('Private session').check({ force: true })
    await dialog().getByLabel('Force output').check({ force: true })
    await dialog().getByLabel('Studio channel').check({ force: true })
    expect(await violations(page())).toEqual([])
    await press('Apply')
    await page().getByText('Channel saved').first().waitFor()
    expect(await channel()).toMatchObject({
      bandwidthLimit: 4000,
      privateSession: true,
      forceOutput: true,
      studio: true,
    })

    await tab('Multipoint')
    await dialog().getByText('Its picture is not sent to any point-to-multipoint channel.').waitFor()
    await tab('NDI')
    await dialog().getByText('NDI has no free library').waitFor()
    expect(await violations(page())).toEqual([])
    await tab('Graphics overlay')
    await dialog().getByRole('combobox', { name: 'Graphic' }).waitFor()
    await tab('SMPTE')
    await dialog().getByRole('switch').waitFor()

    await tab('Streaming')
    await dialog().getByText('As each destination sets it').waitFor()
    await press('Options')
    await dialog().getByRole('textbox', { name: 'Options' }).fill('b:v 2500k\ni /etc/passwd')
    await press('OK')
    await dialog().getByText('Option i of ffmpeg cannot be set.').waitFor()
    await dialog().getByRole('textbox', { name: 'Options' }).fill('-b:v 2500k\npreset=fast')
    await dialog().getByLabel('Use these options').check({ force: true })
    await dialog().getByText('Options that can be set').click()
    expect(await violations(page())).toEqual([])
    await press('OK')
    await dialog().getByText('Options of the channel: b:v 2500k, preset fast').waitFor()
    expect(await channel()).toMatchObject({
      ffmpegSettings: { 'b:v': '2500k', preset: 'fast' },
      ffmpegOverride: true,
    })
    await press('Cancel')
  })

  test('[CHAN-013] an operator sees that a private session closes a channel, and administrators do not', async () => {
    const { uniqueId } = (await channel()) ?? { uniqueId: '' }
    const root = await signIn(stage.url, 'admin', adminPassword)
    const hold = (privateSession: boolean) =>
      root.call(api.channelSettings.privateSession, { body: { uid: uniqueId, privateSession } })
    await hold(true)
    const units = await operator.call(api.units.ofGroup, { query: { group: 'london-news' } })
    const idle = units.find((unit) => unit.idle)
    await signInOnPage(
      page(),
      stage.url,
      'operator',
      DEMO_PASSWORD,
      `/unit/${idle?.uid}?ignoreRouteDefault=1`,
    )
    await page().getByLabel('Channel', { exact: true }).click()
    const option = page().getByRole('option', { name: new RegExp(`^${name}\\b`) })
    await option.waitFor()
    expect(await option.getAttribute('data-combobox-disabled')).toBe('true')
    await option.getByText('Private session.').waitFor()
    await hold(false)
    await until(
      'the channel to be open',
      async () => (await option.getAttribute('data-combobox-disabled')) !== 'true',
    )
  })
})
