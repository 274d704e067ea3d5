// Remote actions: a contractor finds a unit, may not act until the customer grants it, and then reboots it.
import { readFileSync } from 'node:fs'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { addVendorStaff } from '../stage/demo.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

describe.runIf(hasChromium)('remote actions in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let unit: StageDevice
  const open = async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, {
      name: 'Stage-Van',
      groupId: 'london-news',
      product: 'LU-800',
      swVersion: '10.0.0',
      actual: { capabilities: { logs: true, upgrade: true } },
    })
    const root = await signIn(stage.url, 'admin', adminPassword)
    await addVendorStaff(root)
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
    await signInAs('carl', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Remote actions' }).click()
    await page().waitForURL('**/contractor/remote_actions*')
    await page().getByLabel('Search name or serial number').fill('stage-v')
    await row().getByText('No active access approval for this device.').waitFor()
    expect(await violations(page())).toEqual([])
    await row().click({ button: 'right' })
    const reboot = page().getByRole('menuitem', { name: /^Reboot/ })
    await reboot.getByText('No active access approval for this device.').waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')

    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await operator.call(api.accessApprovals.grant, { body: { device: unit.id } })
    await row().getByText('Reboot, ').waitFor()
    await row().click({ button: 'right' })
    await reboot.click()
    await page().getByRole('dialog').getByText('North Atlantic News').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByRole('dialog').getByRole('button', { name: 'Reboot' }).click()
    await page().getByText('Reboot requested').waitFor()
    const { id } = await unit.received('order', ({ name }) => name === 'reboot')
    unit.outcome({ id, state: 'confirmed' })
  })

  const choose = async (name: string) => {
    await row().click({ button: 'right' })
    await page().getByRole('menuitem', { name }).click()
  }
  const dialog = () => page().getByRole('dialog')

  test('[STAFF-008] the contractor checks the access, and has the unit send its logs', async () => {
    await choose('Check access')
    await page().getByText('The customer grants access to Stage-Van').waitFor()
    await choose('Logs')
    await dialog().getByRole('button', { name: 'Send', exact: true }).click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('What happened').fill('Froze')
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Send', exact: true }).click()
    await page().getByText('The logs are being sent').waitFor()
    const { id, args } = await unit.received('order', ({ name }) => name === 'send_logs')
    unit.outcome({ id, state: 'confirmed' })
    unit.send({ type: 'logPart', logId: args.logId, at: 0, text: 'picture froze\n', isLast: true })
    await choose('Logs')
    const saved = page().waitForEvent('download')
    await dialog().getByRole('button', { name: 'Save the log of Stage-Van' }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe('picture froze\n')
    await page().keyboard.press('Escape')
  })

  test('[STAFF-008] the contractor sets the version that the unit is to run, and clears it', async () => {
    const root = await signIn(stage.url, 'admin', adminPassword)
    const version = { number: '12.1.0', path: 'agent.bhp', products: ['LU-800'] }
    await root.call(api.softwareVersions.create, { body: version })
    const target = () => root.call(api.upgrades.target, { params: { id: unit.id } })
    unit.report({ state: 'streaming', applications: { video: { state: 'streaming' } } })
    await row().getByText('Reboot, ').waitFor()
    await choose('Set the target version')
    await dialog().getByRole('combobox', { name: 'Target version' }).click()
    await page().getByRole('option', { name: '12.1.0' }).click()
    await dialog().getByText('The upgrade will wait.').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('checkbox', { name: 'Upgrade now' }).check()
    await dialog().getByText('Unit is busy.').waitFor()
    await dialog().getByRole('button', { name: 'Upgrade', exact: true }).click()
    await dialog().locator('form > [role=alert]', { hasText: 'Unit is busy.' }).waitFor()
    expect(await dialog().getByText('Unit is busy.').count()).toBe(1)
    await dialog().getByRole('checkbox', { name: 'Upgrade now' }).uncheck()
    await dialog().getByRole('button', { name: 'Upgrade', exact: true }).click()
    await page().getByText('Upgrade requested').waitFor()
    expect(await target()).toMatchObject({ state: 'pending', version: '12.1.0', by: 'carl' })
    await choose('Clear the target version')
    await dialog().getByRole('button', { name: 'Clear', exact: true }).click()
    await page().getByText('Target version cleared').waitFor()
    expect(await target()).toBeNull()
    unit.report({ state: 'idle', applications: {} })
  })

  test('[STAFF-008] the contractor deletes the certificate of the unit, and restarts a server', async () => {
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const hub = await joinDevice(stage, {
      kind: 'server',
      name: 'Stage-Rack',
      groupId: 'london-news',
      swVersion: '10.1.0',
    })
    await chief.call(api.accessApprovals.grant, { body: { device: hub.id } })
    await row().getByText('Delete the certificate').waitFor()
    await choose('Delete the certificate')
    await dialog().getByText('North Atlantic News').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Delete the certificate' }).click()
    const { id } = await unit.received('order', ({ name }) => name === 'delete_certificate')
    unit.outcome({ id, state: 'confirmed' })
    await page().getByText('Certificate deleted').waitFor()
    await row().getByText('Offline').waitFor()

    await page().getByLabel('Search name or serial number').fill('stage-r')
    const rack = page().locator('[data-row-id]', { hasText: 'Stage-Rack' })
    await rack.getByText('Restart the software').waitFor()
    await rack.click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Restart the software' }).click()
    await dialog().getByRole('button', { name: 'Restart', exact: true }).click()
    const order = await hub.received('order', ({ name }) => name === 'reset_instance')
    hub.outcome({ id: order.id, state: 'accepted' })
    await page().getByText('Restart requested').waitFor()
    hub.close()
    unit = await joinDevice(stage, { name: 'Stage-Van', groupId: 'london-news', product: 'LU-800' })
  })

  test('a partner and a super user have pages of their own, and all others have none', async () => {
    await signInAs('petra', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Remote actions' }).click()
    await page().waitForURL('**/support/remote_actions*')
    await row().waitFor()
    await page().goto(`${stage.url}/contractor/remote_actions?ignoreRouteDefault=1`)
    await page().getByText('You are not allowed to access this application').waitFor()
    await signInAs('admin', adminPassword)
    await page().getByRole('link', { name: 'Remote actions' }).click()
    await page().waitForURL('**/psg/remote_actions*')
    await row().getByText('Reboot, ').waitFor()
    await signInAs('chief', DEMO_PASSWORD)
    await page().getByRole('link', { name: 'Units' }).waitFor()
    expect(await page().getByRole('link', { name: 'Remote actions' }).count()).toBe(0)
  })
})
