// The devices of a group before an administrator: servers set, restarted, added and deleted, and units likewise.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('devices in the browser', () => {
  let demo: Demo
  let chromium: Chromium
  let chief: Person
  const open = async () => {
    demo = await openDemo(40)
    chief = await demo.person('chief')
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    await demo?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })
  const ok = async () => {
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  }
  const menu = async (name: string, item: string) => {
    await row(name).click({ button: 'right' })
    await page().getByRole('menuitem', { name: item, exact: true }).click()
  }
  /** All in the scope of the user, not only those of their group. */
  const toDevices = async (kind: 'Servers' | 'Units', username: string, password: string) => {
    await signInOnPage(page(), demo.url, username, password)
    await page().getByRole('link', { name: 'Devices' }).click()
    await page().getByText('All groups').click()
    await page().getByRole('radiogroup').getByText(kind, { exact: true }).click()
  }
  const servers = async (search = '') =>
    (await chief.call(api.deviceAdministration.servers, { query: { search } })).items

  test('[SRV-001] [SRV-007] an administrator sets and restarts a server of the group, deletes its certificate, adds a gateway and deletes it', async () => {
    await toDevices('Servers', 'chief', DEMO_PASSWORD)
    const [{ name, uid } = { name: '', uid: '' }] = await servers('MCR-London')
    await row(name).first().waitFor()
    expect(await violations(page())).toEqual([])
    await page().setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page().evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page().setViewportSize({ width: 1440, height: 900 })

    await menu(name, 'Edit')
    await dialog().getByLabel('IFB mode').selectOption('SDI')
    await dialog().getByLabel('Comment').fill('Rack 4')
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('tab', { name: 'Server Info' }).click()
    await dialog().getByText('AMD EPYC 9354P 32-Core Processor').waitFor()
    expect(await violations(page())).toEqual([])
    await ok()
    const settled = await until('the server has its box for sound', async () => {
      const server = await chief.call(api.servers.one, { params: { id: uid } })
      return server.audioHwStatus === 'connected' ? server : undefined
    })
    expect(settled).toMatchObject({ IFBMode: 'SDI', comment: 'Rack 4' })

    await menu(name, 'Restart')
    await dialog().getByRole('button', { name: 'Restart' }).click()
    await row(name).getByText('Offline').waitFor()
    await row(name).getByText('Online').waitFor()
    await until('the uptime of the server starts again', async () => {
      const { upTime } = await chief.call(api.servers.status, { params: { id: uid } })
      return upTime < 600
    })

    await menu(name, 'Delete certificate')
    await dialog().getByText('joins again with its registration key').waitFor()
    await dialog().getByRole('button', { name: 'Delete certificate' }).click()
    await page().getByText('Deletion request sent').waitFor()
    await row(name).getByText('Online').waitFor()

    await page().getByRole('button', { name: 'Add server' }).click()
    await dialog().getByLabel('Type').selectOption({ label: 'Databridge gateway' })
    await dialog().getByLabel('Name').fill('Roof-Bridge')
    await dialog().getByLabel('Serial number').fill('DBG-0042')
    await dialog().getByLabel('Address').fill('not an address')
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await dialog().getByText('Invalid IP field').waitFor()
    await dialog().getByLabel('Address').fill('192.0.2.40')
    expect(await violations(page())).toEqual([])
    await ok()
    await row('Roof-Bridge').getByText('192.0.2.40').waitFor()
    await menu('Roof-Bridge', 'Delete')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await row('Roof-Bridge').waitFor({ state: 'detached' })
    expect(await servers('Roof')).toEqual([])
  })

  test('[SRV-001] an administrator adds, renames and deletes a unit', async () => {
    await toDevices('Units', 'chief', DEMO_PASSWORD)
    await page().getByRole('button', { name: 'Add unit' }).click()
    await dialog().getByLabel('Name').fill('Spare van')
    await dialog().getByLabel('Serial number').fill('600-SPARE')
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByRole('combobox', { name: 'Product' }).click()
    await page().getByRole('option', { name: '600', exact: true }).click()
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await dialog().getByText('Only letters, numbers, underscores and hyphens are allowed.').waitFor()
    await dialog().getByLabel('Name').fill('Spare-van')
    expect(await violations(page())).toEqual([])
    await ok()
    await row('600-SPARE').getByText('Offline').waitFor()
    await menu('600-SPARE', 'Edit')
    await dialog().getByLabel('Name').fill('Spare-car')
    await ok()
    await row('Spare-car').waitFor()
    await menu('Spare-car', 'Deregister')
    await dialog().getByText('can return only with a new pairing code').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByRole('button', { name: 'Deregister' }).click()
    await row('Spare-car').getByText('Deregistered').waitFor()
    await row('Spare-car').click({ button: 'right' })
    await page()
      .getByRole('menuitem', { name: 'Deregister' })
      .getByText('Unit is deregistered already.')
      .waitFor()
    await page().keyboard.press('Escape')
    await menu('Spare-car', 'Delete')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await row('Spare-car').waitFor({ state: 'detached' })
    expect(await violations(page())).toEqual([])
  })

  test('[SRV-010] [SHELL-036] pairs link extenders to a unit under SLA, and shows the reason where it is not', async () => {
    const root = await signIn(demo.url, 'admin', adminPassword)
    const { items } = await chief.call(api.deviceAdministration.units, { query: { limit: 200 } })
    const all = await Promise.all(items.map(({ uid }) => chief.call(api.units.one, { params: { id: uid } })))
    const unit = all.find(({ capabilities, offline }) => capabilities.xtend && !offline)
    if (!unit) throw new Error('No unit can have a link extender')
    const { uid: id, name } = unit
    const setSla = (sla: boolean) =>
      root.call(api.deviceAdministration.changeUnit, { params: { id }, body: { sla } })
    await setSla(true)
    for (const { serialNumber: serial } of await chief.call(api.linkExtenders.ofUnit, { params: { id } }))
      await chief.call(api.linkExtenders.remove, { params: { id, serial } })

    await toDevices('Units', 'admin', adminPassword)
    await menu(name, 'Link extenders')
    await dialog().getByText('No link extender is paired with this unit.').waitFor()
    await dialog().getByRole('button', { name: 'Pair' }).click()
    await dialog().getByText('This field is required').waitFor()
    await dialog().getByLabel('Serial number of a link extender').fill('LX-0042')
    await page().keyboard.press('Enter')
    await dialog().getByText('Connected').waitFor()
    expect(await violations(page())).toEqual([])
    await until('the unit relays by its extender', async () => {
      const { hasExtender, modems } = await chief.call(api.units.one, { params: { id } })
      return hasExtender && modems.some((modem) => modem.id === 'Extender LX-0042')
    })
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })

    // Only vendor staff sets the SLA, on its record.
    await menu(name, 'Edit')
    await dialog().getByRole('switch', { name: 'Under SLA' }).click()
    expect(await violations(page())).toEqual([])
    await ok()
    await row(name).click({ button: 'right' })
    const closed = page().getByRole('menuitem', { name: 'Link extenders' })
    await closed.getByText('Unit not under SLA.').waitFor()
    await expect.poll(() => closed.isDisabled()).toBe(true)
    await page().keyboard.press('Escape')
    expect(await chief.call(api.linkExtenders.ofUnit, { params: { id } })).toMatchObject([
      { state: 'resting' },
    ])

    await menu(name, 'Edit')
    await dialog().getByRole('switch', { name: 'Under SLA' }).click()
    await ok()
    await menu(name, 'Link extenders')
    await dialog().getByRole('button', { name: 'Remove LX-0042' }).click()
    await dialog().getByText('No link extender is paired with this unit.').waitFor()
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })
})
