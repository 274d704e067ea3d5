// Support access: an operator grants the vendor access to a unit, the vendor sees it and acts, the operator ends it.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

const group = 'london-news'
const path = '/psg/access_approvals?ignoreRouteDefault=1'

describe.runIf(hasChromium)('[ACCESS-011] [STAFF-009] support access in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let unit: StageDevice
  const open = async () => {
    stage = await openStage({ demo: 2 })
    unit = await joinDevice(stage, { name: 'Stage-Van', groupId: group })
    for (const username of ['operator', 'viewer']) {
      const person = await signIn(stage.url, username, DEMO_PASSWORD)
      await person.call(api.client.savePreferences, { body: { groupId: group } })
    }
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
  const dialog = () => page().getByRole('dialog')
  const signInAs = async (username: string, password: string) => {
    await signInOnPage(page(), stage.url, username, password)
  }

  test('is granted from the page of a unit, seen with its state, used, and ended', async () => {
    await signInAs('operator', DEMO_PASSWORD)
    const operator = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    const [uid, name] = [unit.id, 'Stage-Van']
    await page().goto(`${stage.url}/unit/${uid}?ignoreRouteDefault=1`)
    await page().getByRole('button', { name: 'Support access' }).click()
    await dialog().getByText(`Support access to ${name}`).waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Grant for 8 hours' }).click()
    await page().getByText('Support access granted').waitFor()

    await signInAs('admin', adminPassword)
    await page().getByRole('link', { name: 'Access approvals' }).click()
    const row = page().locator('[data-row-id]', { hasText: name })
    await row.getByText('operator').waitFor()
    await row.getByText('Active').waitFor()
    await row.getByText('North Atlantic News').waitFor()
    expect(await violations(page())).toEqual([])
    const root = await signIn(stage.url, 'admin', adminPassword)
    await root.call(api.unitCommands.setDelay, { params: { id: uid }, body: { delay: 3000 } })
    const approvals = async () =>
      (await operator.call(api.accessApprovals.list, { query: { device: uid } })).items
    await row.getByText('Used').waitFor()
    await row.getByText('admin', { exact: true }).waitFor()

    await signInAs('operator', DEMO_PASSWORD)
    await page().goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    await page().locator(`[data-row-id="${uid}"]`).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Support access' }).click()
    await dialog().getByText('First used by admin').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'End the access' }).click()
    await page().getByText('Support access ended').waitFor()
    const items = await approvals()
    expect(items).toMatchObject([{ grantedBy: 'operator', state: 'used', usedBy: 'admin' }])
    expect(Date.parse(items[0]?.end ?? '')).toBeLessThanOrEqual(Date.now())
  })

  test('is granted and ended by keys alone, and the focus is back at its button afterwards', async () => {
    const [button, granting, ending] = [
      page().getByRole('button', { name: 'Support access' }),
      dialog().getByRole('button', { name: 'Grant for 8 hours' }),
      dialog().getByRole('button', { name: 'End the access' }),
    ]
    const press = (key: string) => page().keyboard.press(key)
    const hasFocus = async (one: Locator) => (await one.and(page().locator(':focus')).count()) > 0
    const isBack = async () => {
      await dialog().waitFor({ state: 'detached' })
      await expect.poll(() => hasFocus(button)).toBe(true)
    }
    await signInAs('operator', DEMO_PASSWORD)
    await page().goto(`${stage.url}/unit/${unit.id}?ignoreRouteDefault=1`)
    await button.focus()
    const opens = async (act: Locator) => {
      await press('Enter')
      await act.waitFor()
      await dialog().locator(':focus').waitFor()
    }
    await opens(granting)
    await press('Escape')
    await isBack()
    for (const act of [granting, ending]) {
      await opens(act)
      // The cross, Cancel, the act, and round again.
      for (let steps = 0; steps < 3 && !(await hasFocus(act)); steps++) await press('Tab')
      expect(await hasFocus(act)).toBe(true)
      await press('Enter')
      await isBack()
    }
  })

  test('is shown as others change it, in the open dialog and in the list', async () => {
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const root = await signIn(stage.url, 'admin', adminPassword)
    const bike = await joinDevice(stage, { name: 'Stage-Bike', groupId: group })
    onTestFinished(() => bike.close())
    const grant = () => chief.call(api.accessApprovals.grant, { body: { device: bike.id } })
    const end = (id: string) => chief.call(api.accessApprovals.revoke, { params: { id } })
    await signInAs('operator', DEMO_PASSWORD)
    await page().goto(`${stage.url}/unit/${bike.id}?ignoreRouteDefault=1`)
    await page().getByRole('button', { name: 'Support access' }).click()
    const granting = dialog().getByRole('button', { name: 'Grant for 8 hours' })
    await granting.waitFor()
    const { id } = await grant()
    await dialog().getByText('It has not been used.').waitFor()
    await dialog().getByRole('button', { name: 'End the access' }).waitFor()
    await root.call(api.unitCommands.setDelay, { params: { id: bike.id }, body: { delay: 3000 } })
    await dialog().getByText('First used by admin').waitFor()
    await end(id)
    await dialog().getByText('Last granted by chief').waitFor()
    await granting.waitFor()

    await signInAs('admin', adminPassword)
    await page().goto(`${stage.url}${path}`)
    const row = (state: string) =>
      page().locator('[data-row-id]', { hasText: 'Stage-Bike' }).filter({ hasText: state })
    await row('Used').waitFor()
    expect(await row('Active').count()).toBe(0)
    const again = await grant()
    await row('Active').waitFor()
    await end(again.id)
    await row('Expired').waitFor()
  })

  test('cannot be granted by read-only users, and the list is for super users', async () => {
    await signInAs('viewer', DEMO_PASSWORD)
    await page().locator(`[data-row-id="${unit.id}"]`).click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Open full page' }).waitFor()
    expect(await page().getByRole('menuitem', { name: 'Support access' }).count()).toBe(0)
    await page().goto(`${stage.url}${path}`)
    await page().getByText('You are not allowed to access this application').waitFor()
  })
})
