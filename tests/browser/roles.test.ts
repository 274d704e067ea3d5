// The permissions of each role, by the table of roles: core refuses, the console hides or disables and shows the reason.

import { api } from '@backhaul/contract/api/api'
import { mayDo } from '@backhaul/contract/define/actions'
import { english } from '@backhaul/contract/define/refusals'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Chromium,
  hasChromium,
  openChromium,
  signInOnPage,
  tipOf,
  violations,
} from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'

/** The little of a page's own types that is needed here. */
interface Transient {
  dataset: { transient: string }
}

describe.runIf(hasChromium)('[LIVE-011] users of several roles', () => {
  let stage: Stage
  let unit: StageDevice
  let chromium: Chromium

  const open = async () => {
    stage = await openStage({ demo: 1 })
    unit = await joinDevice(stage, { name: 'Role-Van', groupId })
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
  const row = () => page().locator('[data-row-id]', { hasText: 'Role-Van' })
  const inGroup = (person: Person) => person.call(api.client.savePreferences, { body: { groupId } })

  test('core lets each role do what the table allows, and refuses the rest with the defined texts', async () => {
    const params = { id: unit.id }
    const acts = {
      viewUnits: (person: Person) => person.call(api.units.one, { params }),
      operateUnits: (person: Person) => person.call(api.units.update, { params, body: { comment: 'Tried' } }),
      powerUnits: (person: Person) =>
        person.call(api.unitCommands.command, { params: { ...params, command: 'reboot' }, body: {} }),
    }
    const people = {
      admin: ['super_user', adminPassword],
      chief: ['luc_admin', DEMO_PASSWORD],
      media: ['luc_media_group_admin', DEMO_PASSWORD],
      operator: ['luc_regular', DEMO_PASSWORD],
      viewer: ['luc_read', DEMO_PASSWORD],
    } as const
    for (const [username, [role, password]] of Object.entries(people)) {
      const person = await signIn(stage.url, username, password)
      const { loggedUserRoles } = await person.call(api.client.configuration, {})
      expect(loggedUserRoles).toEqual([role])
      for (const [action, act] of Object.entries(acts)) {
        const end = await act(person).then(
          () => 'done',
          (error: { status: number; message: string }) => error,
        )
        const allowed = mayDo([role], action as keyof typeof acts)
        // A feature that the role allows may still be switched off for the customer.
        if (allowed) expect([username, action, end]).not.toMatchObject([username, action, { status: 403 }])
        else
          expect([username, action, end]).toMatchObject([
            username,
            action,
            { status: 403, message: english('role.notAllowed') },
          ])
      }
    }
  })

  test('a read-only user sees everything and can change nothing', async () => {
    await inGroup(await signIn(stage.url, 'viewer', DEMO_PASSWORD))
    await signInOnPage(page(), stage.url, 'viewer', DEMO_PASSWORD)
    await row().waitFor()
    await row().locator('[data-column="name"]').click()
    const button = page().getByRole('button', { name: 'Start Role-Van' })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => tipOf(button)).toBe(english('role.notAllowed'))
    await row().click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Open full page' }).waitFor()
    expect(await page().getByRole('menuitem', { name: 'Rename' }).count()).toBe(0)
    expect(await violations(page())).toEqual([])
    await page().getByRole('menuitem', { name: 'Open full page' }).click()
    await page().getByRole('heading', { name: 'Role-Van' }).waitFor()
    for (const label of ['Channel', 'Delay']) expect(await page().getByLabel(label).isDisabled()).toBe(true)
    expect(await page().getByRole('button', { name: 'Rename' }).count()).toBe(0)
    expect(await page().locator('[data-run][data-size="big"]').getAttribute('aria-disabled')).toBe('true')
    expect(await violations(page())).toEqual([])
  })

  test('databridge and intercom go through their states, and end when the unit disconnects', async () => {
    const person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await inGroup(person)
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD, `/unit/${unit.id}?ignoreRouteDefault`)
    await page().getByRole('heading', { name: 'Role-Van' }).waitFor()
    const push: Listener = await person.listen([`unit.${unit.id}`])
    const is = (fields: Record<string, unknown>) =>
      push.until(`unit.${unit.id}`, (state) =>
        Object.entries(fields).every(
          ([name, value]) => JSON.stringify(state[name]) === JSON.stringify(value),
        ),
      )
    const transients = page().locator('[data-transient]')
    const shown = (...states: string[]) =>
      until(`${states} on the page`, async () => {
        const found = await transients.evaluateAll((all: Transient[]) =>
          all.map((one) => one.dataset.transient),
        )
        return found.join() === states.join()
      })
    await shown()
    unit.report({ applications: { databridge: { state: 'connecting' }, audioRoom: { state: 'connecting' } } })
    await is({ databridge: null, databridgeInTransition: true })
    await shown('databridgeConnecting', 'intercomConnecting')
    unit.report({ applications: { databridge: { state: 'bridging' }, audioRoom: { state: 'connected' } } })
    await is({
      databridge: { state: 'bridging' },
      databridgeInTransition: false,
      status: 'transparent_bridge',
    })
    await shown()
    unit.report({
      applications: { databridge: { state: 'stopping' }, audioRoom: { state: 'disconnecting' } },
    })
    await shown('databridgeDisconnecting', 'intercomDisconnecting')
    unit.report({ applications: { databridge: { state: 'bridging' }, audioRoom: { state: 'connected' } } })
    await is({ databridge: { state: 'bridging' } })
    unit.close()
    await is({ offline: true, databridge: null, applications: null })
    await shown()
    push.close()
  })

  test('the gateway of the databridge is chosen only while it is idle', async () => {
    const gateway = await joinDevice(stage, {
      kind: 'server',
      name: 'Gateway-1',
      groupId,
      product: 'Databridge Gateway',
    })
    unit.close()
    unit = await joinDevice(stage, { name: 'Bridge-Van', groupId })
    await inGroup(await signIn(stage.url, 'chief', DEMO_PASSWORD))
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD, `/unit/${unit.id}?ignoreRouteDefault`)
    await page().getByRole('heading', { name: 'Bridge-Van' }).waitFor()
    const picker = page().getByLabel('Databridge gateway')
    // Each choice is announced to the page, which reads the unit a moment later.
    const readAgain = () =>
      page().waitForResponse((response) => response.url().endsWith(`/v2/units/${unit.id}`))
    const afterChoice = readAgain()
    await picker.selectOption(gateway.id)
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const params = { id: unit.id }
    const chosen = async () => (await chief.call(api.databridge.selected, { params })).gateway?.id
    await until('the gateway kept', async () => (await chosen()) === gateway.id)
    await afterChoice
    expect(await violations(page())).toEqual([])
    for (const state of ['connecting', 'bridging', 'stopping']) {
      unit.report({ applications: { databridge: { state } } })
      await until(`${state} on the page`, () => picker.isDisabled())
      const refused = chief.call(api.databridge.select, { params, body: { gateway: null } })
      await expect(refused).rejects.toMatchObject({
        status: 409,
        message: 'Databridge gateway cannot be set while active.',
      })
      await page().getByText('Databridge gateway cannot be set while active.').waitFor()
    }
    unit.report({ applications: {} })
    await until('a choice again', async () => !(await picker.isDisabled()))
    const afterNone = readAgain()
    await picker.selectOption('')
    await until('no gateway', async () => (await chosen()) === undefined)
    await afterNone

    // The unit changes before the answer arrives.
    const answers: number[] = []
    await page().route(`**/v2/units/${unit.id}`, async (route) => {
      const answer = await route.fetch()
      if (answers.push(answer.status()) === 1) {
        unit.report({ applications: { databridge: { state: 'bridging' } } })
        await until('the change on the page', () => picker.isDisabled())
      }
      await route.fulfill({ response: answer })
    })
    await chief.call(api.databridge.select, { params, body: { gateway: gateway.id } })
    await until('the unit read again after the older answer', () => answers.length === 2)
    await page().unrouteAll({ behavior: 'wait' })
    expect(await picker.isDisabled()).toBe(true)
    gateway.close()
  })
})
