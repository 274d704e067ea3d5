// The entities of an installation, list by list: a contractor edits those of their customers, a super user all.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goWithin, tour } from '../stage/addresses.ts'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { addVendorStaff, type Demo, openDemo } from '../stage/demo.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const forbidden = 'You are not allowed to access this application'

describe.runIf(hasChromium)('entities in the browser', () => {
  let demo: Demo
  let chromium: Chromium
  let root: Person
  const open = async () => {
    demo = await openDemo(40)
    root = await signIn(demo.url, 'admin', adminPassword)
    await addVendorStaff(root)
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
  const children = (label: string) => page().getByRole('navigation', { name: label }).getByRole('link')
  const ok = async () => {
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  }
  const edit = async (name: string) => {
    await row(name).first().click({ button: 'right' })
    await page().getByRole('menuitem', { name: 'Edit', exact: true }).click()
    await dialog().waitFor()
  }
  const listed = () => page().locator('[data-row-id], [data-grid-state] h2').first().waitFor()
  /** Opens a child of the area; the list of the one before is gone by then. */
  const toChild = async (label: string, name: string) => {
    const link = children(label).filter({ hasText: name }).first()
    const path = await link.getAttribute('href')
    await link.click()
    await page().waitForURL(({ pathname }) => pathname === path)
    const current = page().getByRole('navigation', { name: label }).locator('[aria-current=page]')
    await expect.poll(() => current.allTextContents()).toEqual([name])
    await listed()
  }
  const adds = async (button: string, name: string) => {
    await page().getByRole('button', { name: button }).first().click()
    await dialog().getByLabel('Name').fill(name)
    await dialog().getByLabel('Serial number').fill(`SN-${name}`)
    await ok()
    await row(name).waitFor()
  }
  /** Opens every child of the area, one after the other, and returns their addresses. */
  async function walk(who: Person, label: string, parent: string): Promise<string[]> {
    const paths: string[] = []
    for (const name of await children(label).allTextContents()) {
      await toChild(label, name)
      const { pathname } = new URL(page().url())
      paths.push(pathname.slice(parent.length + 1))
    }
    expect(await violations(page())).toEqual([])
    await until('the route is kept', async () => {
      const { currentRoute } = await who.call(api.client.preferences, {})
      return currentRoute === `${parent}/${paths.at(-1)}`
    })
    return paths
  }

  test('[STAFF-007] [ACCESS-005] [DBIP-003] a contractor keeps the units, servers, channels and gateways of their customers', async () => {
    const carl = await signIn(demo.url, 'carl', DEMO_PASSWORD)
    await signInOnPage(page(), demo.url, 'carl', DEMO_PASSWORD)
    const menu = page().getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Entities manager' }).click()
    await page().waitForURL('**/contractor/entities')
    await row('LU').first().waitFor()
    const area = 'Entities of your customers'
    await expect.poll(() => children(area).first().getAttribute('aria-current')).toBe('page')
    expect(await walk(carl, area, '/contractor/entities')).toEqual(
      `units mmh_servers channels vr_servers vr_channels transceiver_servers ingest_servers db_gateways`.split(
        ' ',
      ),
    )
    const show = (name: string) => toChild(area, name)
    await show('Units')
    expect(await row('Meridian Sport').count()).toBe(0)
    const name = (await row('LU').first().locator('[role=gridcell]').first().textContent()) ?? ''
    await edit(name)
    await dialog().getByLabel('Comment').fill('Wheel arch dented')
    expect(await violations(page())).toEqual([])
    await ok()
    const units = await carl.call(api.deviceAdministration.units, { query: { search: name } })
    expect(units.items).toMatchObject([{ comment: 'Wheel arch dented', inventory: 'north-atlantic' }])
    await show('Channels')
    await row('MCR-').first().waitFor()
    expect(await row('Meridian Sport').count()).toBe(0)
    await show('Transceiver servers')
    await adds('Add transceiver server', 'Relay')
    await show('Ingest servers')
    expect(await row('Relay').count()).toBe(0)
    await adds('Add ingest server', 'Newsroom-Ingest')
    await show('Databridge gateways')
    await adds('Add databridge gateway', 'Roof-Bridge')
    await edit('Roof-Bridge')
    await dialog().getByLabel('Address').fill('192.0.2.40')
    await ok()
    await row('Roof-Bridge').getByText('192.0.2.40').waitFor()

    await menu.getByRole('link', { name: 'Remote actions' }).click()
    await page().waitForURL('**/contractor/remote_actions')
    await listed()

    for (const username of ['petra', 'chief']) {
      await signInOnPage(page(), demo.url, username, DEMO_PASSWORD)
      await menu.getByRole('link', { name: 'Devices' }).waitFor()
      expect(await menu.getByRole('link', { name: 'Entities manager' }).count()).toBe(0)
      const areas = username === 'chief' ? ['contractor', 'support'] : ['contractor']
      const closed = [...areas.map((path) => `/${path}/remote_actions`), '/contractor/entities/units']
      const asked = closed.map((path) => `${path}?ignoreRouteDefault=1`)
      expect(await tour(page(), asked)).toEqual(closed.map((at) => ({ at, refusal: forbidden })))
      if (username === 'petra') {
        await goWithin(page(), '/support/remote_actions?ignoreRouteDefault=1')
        await listed()
      }
    }
  })

  test('[STAFF-012] [DBIP-003] a super user lists, searches and edits all entities, and the servers with sound for crews', async () => {
    await signInOnPage(page(), demo.url, 'admin', adminPassword)
    const menu = page().getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'System entities' }).click()
    await row('Meridian Sport').waitFor()
    const area = 'Entities of the system'
    expect(await walk(root, area, '/psg/system_entities')).toEqual(
      `inventories groups units mmh_servers vr_servers ingest_servers transceiver_servers users channels vrChannels
      dbGateways ifb_servers`.split(/\s+/),
    )
    const show = (name: string) => toChild(area, name)
    await show('Groups')
    await page().getByLabel('Search').first().fill('paris')
    await row('London-News').waitFor({ state: 'detached' })
    await row('Paris-News').waitFor()
    await show('Databridge gateways')
    await adds('Add databridge gateway', 'Tower-Bridge')
    await edit('Tower-Bridge')
    await dialog().getByRole('combobox', { name: 'Also used by' }).click()
    await page().getByRole('option').first().click()
    await page().keyboard.press('Escape')
    await ok()
    const query = { type: 'db_gateway' as const, search: 'Tower-Bridge' }
    const [gateway] = (await root.call(api.deviceAdministration.servers, { query })).items
    expect(gateway).toMatchObject({ state: 'offline', address: '' })
    expect(gateway?.inventories).toHaveLength(1)
    await show('MMH servers')
    await row('Meridian Sport').first().waitFor()
    await edit('MCR-London')
    await dialog().getByLabel('IFB mode').selectOption('IP')
    await ok()
    const withSound = { type: 'mmh_server' as const, search: 'MCR-London' }
    await until('the server has its box for sound', async () => {
      const { items } = await root.call(api.deviceAdministration.servers, { query: withSound })
      return items[0]?.audioHwStatus === 'connected'
    })

    await menu.getByRole('link', { name: 'IFB servers' }).click()
    await page().waitForURL('**/psg/system_entities/ifb_servers')
    await row('MCR-London').getByText('Connected').waitFor()
    for (const text of ['IP', 'North Atlantic News', 'Online'])
      await row('MCR-London').getByText(text, { exact: true }).waitFor()
    await expect.poll(() => menu.locator('[aria-current=page]').allTextContents()).toEqual(['IFB servers'])
    expect(await page().getByRole('button', { name: 'Add server' }).count()).toBe(0)
    expect(await violations(page())).toEqual([])
    await edit('MCR-London')
    await dialog().getByLabel('IFB mode').selectOption('off')
    await ok()
    await page().getByRole('heading', { name: 'No IFB servers' }).waitFor()
    await signInOnPage(
      page(),
      demo.url,
      'chief',
      DEMO_PASSWORD,
      '/psg/system_entities/ifb_servers?ignoreRouteDefault=1',
    )
    await page().getByText(forbidden).waitFor()
  })
})
