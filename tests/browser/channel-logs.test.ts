// The logs of a channel alone: a real hub sends its lines, and an administrator saves them.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('logs of a channel', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  let name: string
  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    await stage.start('hub')
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const idle = await until('a channel of the hub', async () =>
      (await chief.call(api.channelAdministration.list, { query: {} })).items.find(
        ({ status, serverName }) => status === 'idle' && serverName !== '',
      ),
    )
    name = idle.name
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
  })
  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const button = (text: string) => dialog().getByRole('button', { name: text, exact: true })

  const openLogs = async () => {
    await page().locator('[data-row-id]', { hasText: name }).first().click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Send logs' }).click()
    await dialog().getByLabel('What happened').waitFor()
  }

  test('[LOG-002] are requested in the list of channels, listed there, and saved with the lines of the hub', async () => {
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD, '/manage/channels?ignoreRouteDefault=1')
    await page().locator('[data-row-id]', { hasText: name }).first().waitFor()
    await openLogs()
    await button('Send').click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('What happened').fill('Black since noon')
    await button('Send').click()
    await dialog().waitFor({ state: 'detached' })
    await openLogs()
    await dialog().getByText('complete').waitFor()
    expect(await violations(page())).toEqual([])
    const download = page().waitForEvent('download')
    await dialog()
      .getByRole('button', { name: /^Save the log of/ })
      .click()
    const stream = await (await download).createReadStream()
    expect(Buffer.concat(await stream.toArray()).toString()).toMatch(/\d\d:\d\d:\d\d.*\n/)
  })
})
