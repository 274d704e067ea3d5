// Remote actions: a contractor finds a unit, may not act until the customer grants it, and then reboots it.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

const password = 'Far-away-hands-7'

describe.runIf(hasChromium)('remote actions in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let unit: StageDevice
  const open = async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, { name: 'Stage-Van', groupId: 'london-news' })
    const root = await signIn(stage.url, 'admin', adminPassword)
    for (const [username, userType] of [
      ['carl', 'contractor'],
      ['petra', 'partner'],
    ] as const)
      await root.call(api.users.create, {
        body: {
          username,
          userType,
          password,
          passwordConfirmation: password,
          firstName: 'Carl',
          lastName: 'Hands',
          inventories: ['north-atlantic'],
        },
      })
    chromium = await openChromium()
  }
  const close = async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const row = () => page().locator('[data-row-id]', { hasText: 'Stage-Van' })
  const signInAs = async (username: string, given: string) => {
    await signInOnPage(page(), stage.url, username, given)
  }

  test('a contractor reboots a unit once its customer has granted access', async () => {
    await signInAs('carl', password)
    await page().getByRole('link', { name: 'Remote actions' }).click()
    await page().waitForURL('**/contractor/remote_actions*')
    await page().getByLabel('Search name or serial number').fill('stage-v')
    await row().getByText('Reboot: No active access approval for this device.').waitFor()
    expect(await violations(page())).toEqual([])
    await row().click({ button: 'right' })
    const reboot = page().getByRole('menuitem', { name: /^Reboot/ })
    await reboot.getByText('No active access approval for this device.').waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')

    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.accessApprovals.grant, { body: { device: unit.id } })
    await page().reload()
    await page().getByLabel('Search name or serial number').fill('stage-v')
    await row().getByText('Reboot: possible').waitFor()
    await row().click({ button: 'right' })
    await reboot.click()
    await page().getByRole('dialog').getByText('North Atlantic News').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('dialog').getByRole('button', { name: 'Reboot' }).click()
    await page().getByText('Reboot requested').waitFor()
    await unit.received('order', ({ name }) => name === 'reboot')
  })

  test('a partner and a super user have pages of their own, and all others have none', async () => {
    await signInAs('petra', password)
    await page().getByRole('link', { name: 'Remote actions' }).click()
    await page().waitForURL('**/support/remote_actions*')
    await row().waitFor()
    await page().goto(`${stage.url}/contractor/remote_actions?ignoreRouteDefault=1`)
    await page().getByText('You are not allowed to access this application').waitFor()
    await signInAs('admin', adminPassword)
    await page().getByRole('link', { name: 'Remote actions' }).click()
    await page().waitForURL('**/psg/remote_actions*')
    await row().getByText('Reboot: possible').waitFor()
    await signInAs('chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Units' }).waitFor()
    expect(await page().getByRole('link', { name: 'Remote actions' }).count()).toBe(0)
  })
})
