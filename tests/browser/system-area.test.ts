// The area of vendor staff, child by child: each list is opened from the names above it, searched, and one item is edited.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { ServerType } from '@backhaul/contract/nouns/servers'
import { patientMs } from '@backhaul/runtime/testing/until'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tour } from '../stage/addresses.ts'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

const inventory = 'north-atlantic'
const forbidden = 'You are not allowed to access this application'

describe.runIf(hasChromium)('the area of vendor staff in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let root: Person
  let units: StageDevice[]
  const open = async () => {
    stage = await openStage({ demo: 1 })
    root = await signIn(stage.url, 'admin', adminPassword)
    units = []
    for (const name of ['Area-Unit', 'Other-Unit'])
      units.push(await joinDevice(stage, { name, groupId: 'london-news' }))
    chromium = await openChromium()
  }
  const close = async () => {
    await chromium?.close()
    for (const unit of units ?? []) unit.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const dialog = () => page().getByRole('dialog')
  const row = (name: string) => page().locator('[data-row-id]', { hasText: name })
  const navigation = (label: string) => page().getByRole('navigation', { name: label })

  /** Opens the child from the names above the lists, and answers the last part of its address. */
  async function toChild(area: string, name: string): Promise<string> {
    const link = navigation(area).getByRole('link', { name, exact: true })
    const path = (await link.getAttribute('href')) ?? ''
    await link.click()
    await page().waitForURL(({ pathname }) => pathname === path)
    await expect.poll(() => navigation(area).locator('[aria-current=page]').allTextContents()).toEqual([name])
    return path.split('/').at(-1) ?? ''
  }
  /** Both are listed; the search leaves one. */
  async function find(name: string, other: string): Promise<void> {
    await row(name).first().waitFor()
    await row(other).first().waitFor()
    await page().keyboard.press('/')
    await page().locator('input[type="search"]:focus').fill(name)
    await row(other).first().waitFor({ state: 'detached' })
    await row(name).first().waitFor()
  }
  async function edit(name: string, item = 'Edit'): Promise<void> {
    await row(name).first().click({ button: 'right' })
    await page().getByRole('menuitem', { name: item, exact: true }).click()
    await dialog().waitFor()
  }
  async function ok(): Promise<void> {
    await dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  }
  async function choose(label: string, option: string): Promise<void> {
    await dialog().getByRole('combobox', { name: label }).click()
    await page().getByRole('option', { name: option, exact: true }).click()
  }
  /** The change is stored: the page shows it after it was loaded again. */
  async function isKept(name: string, field: () => Locator, value: string): Promise<void> {
    await edit(name)
    await expect.poll(() => field().inputValue()).toBe(value)
    await page().keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  }

  /** To the user who is signed in. */
  async function isClosed(children: readonly string[]): Promise<void> {
    await page().locator('main').waitFor()
    const paths = children.map((path) => `/psg/${path}`)
    const asked = paths.map((path) => `${path}?ignoreRouteDefault=1`)
    expect(await tour(page(), asked)).toEqual(paths.map((at) => ({ at, refusal: forbidden })))
  }

  test('[STAFF-001] a super user lists, searches and edits each kind of entity', {
    timeout: patientMs(240_000),
  }, async () => {
    const both = ['Area', 'Other'] as const
    for (const word of both) {
      await root.call(api.inventories.create, { body: { name: `${word}-Inventory` } })
      await root.call(api.groupAdministration.create, { body: { inventory, name: `${word}-Group` } })
      for (const type of ServerType.options) {
        const name = `${word}-${type.replace('_', '-')}`
        const body = { type, name, serialNumber: `SN-${name}`, inventory }
        const { uid } = await root.call(api.deviceAdministration.createServer, { body })
        const channel = { body: { name: `${word}-Channel`, serverId: uid } }
        if (type === 'mmh_server') await root.call(api.channelAdministration.create, channel)
        const returned = { body: { name: `${word}-Return`, serverId: uid } }
        if (type === 'vr_server') await root.call(api.videoReturnAdministration.create, returned)
      }
      await root.call(api.users.create, {
        body: {
          username: `${word}-user`,
          firstName: 'Vera',
          lastName: 'Staff',
          userType: 'regular',
          password: 'Long-enough-7',
          passwordConfirmation: 'Long-enough-7',
          inventories: [inventory],
        },
      })
    }
    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: 'System entities' }).click()
    const area = 'Entities of the system'
    const comment = ['Comment', 'In the lorry'] as const
    const named = (name: string) => ['Name', name] as const
    const children = [
      ['Inventories', 'inventories', 'Inventory', ['Region', 'Northern isles']],
      ['Groups', 'groups', 'Group', named('Area-Group-2')],
      ['Units', 'units', 'Unit', comment],
      ['MMH servers', 'mmh_servers', 'mmh-server', comment],
      ['Video return servers', 'vr_servers', 'vr-server', comment],
      ['Ingest servers', 'ingest_servers', 'ingest-server', comment],
      ['Transceiver servers', 'transceiver_servers', 'transceiver-server', comment],
      ['Users', 'users', 'user', ['Label', 'Night desk']],
      ['Channels', 'channels', 'Channel', named('Area-Channel-2')],
      ['Video return channels', 'vrChannels', 'Return', named('Area-Return-2')],
      ['Databridge gateways', 'dbGateways', 'db-gateway', comment],
    ] as const
    const field = (label: string) =>
      dialog()
        .getByLabel(new RegExp(`^${label}`))
        .first()
    for (const [title, path, thing, [label, value]] of children) {
      expect(await toChild(area, title)).toBe(path)
      await find(`Area-${thing}`, `Other-${thing}`)
      await edit(`Area-${thing}`)
      await field(label).fill(value)
      expect([title, await violations(page())]).toEqual([title, []])
      await ok()
    }
    await page().reload()
    for (const [title, , thing, [label, value]] of children) {
      await toChild(area, title)
      await isKept(`Area-${thing}`, () => field(label), value)
    }
    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    await isClosed(children.map(([, path]) => `system_entities/${path}`))
  })

  /** Two of each child that core keeps as a list: what each is called, and the field that is edited then. */
  async function makeSettings() {
    const made = <T>(...of: T[]) => of
    const [tube = '', other = ''] = await Promise.all(
      ['Area tube', 'Other tube'].map(async (name) => {
        const body = { name, domain: 'live.tube.example', application: 'live', secure: true, icon: '' }
        return (await root.call(api.streamProviders.create, { body })).id
      }),
    )
    const [first = '', second = ''] = await Promise.all(
      ['Area firm', 'Other firm'].map(async (name) => {
        const body = { name, externalUid: name, defaultRole: null, maxUsers: null }
        return (await root.call(api.organizations.create, { body })).id
      }),
    )
    for (const organization of made(first, second))
      await root.call(api.organizationInventories.create, { body: { organization, inventory } })
    for (const [word, provider] of made(['Area', tube] as const, ['Other', other] as const)) {
      const version = { name: `${word} app`, version: '3.4', url: '', minimumVersion: '3.0' }
      await root.call(api.clientApplications.create, { body: version })
      const vendor = { vendor: `${word} Radio`, models: '', type: 'cellular' as const, scanSupported: true }
      await root.call(api.modemVendors.create, { body: vendor })
      const profile = {
        name: `${word} profile`,
        provider,
        main: true,
        bitRate: 4500,
        resolution: 720 as const,
      }
      await root.call(api.streamProfiles.create, { body: profile })
      const media = { name: `${word} media`, provider, domain: 'eu.tube.example', videoBitrate: 6000 }
      await root.call(api.streamMediaProfiles.create, { body: media })
      const number = word === 'Area' ? '10.7.1' : '10.8.2'
      await root.call(api.softwareVersionSettings.create, {
        body: {
          number,
          description: '',
          releaseNotesUrl: '',
          path: '',
          deprecated: false,
          products: ['LU-600'],
          supportedDevices: [],
          inventories: [],
        },
      })
      await root.call(api.geocodingProfiles.create, {
        body: {
          name: `${word} streets`,
          inventories: [],
          geocoders: ['places'],
          accuracies: [1000],
          refreshIntervals: [60],
          distanceThreshold: 250,
          percentageThreshold: 50,
        },
      })
      await root.call(api.applicationConfigurations.create, {
        body: { application: 'crew-app', inventory: null, key: `${word}Colour`, value: 'red' },
      })
      const device = units[word === 'Area' ? 0 : 1]?.id ?? ''
      await root.call(api.deviceServices.create, { body: { device, service: 'ai', expiration: null } })
      await root.call(api.aiSettings.create, { body: { name: `${word} marks`, provider: 'local' } })
      const expiration = new Date(Date.now() + 3_600_000).toISOString()
      await root.call(api.notifications.create, { body: { body: `${word} message`, expiration } })
      const service = { name: `${word}_Archive` }
      await root.call(api.services.add, { params: { id: inventory }, body: service })
    }
  }

  test('[STAFF-002] a super user lists, searches and edits each of the system settings, and reads both histories', {
    timeout: patientMs(300_000),
  }, async () => {
    await makeSettings()
    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().getByRole('link', { name: 'System settings' }).click()
    const area = 'System settings'
    const fill = (label: string, value: string) => {
      const field = () => dialog().getByLabel(new RegExp(`^${label}`))
      return { field, value, change: () => field().fill(value) }
    }
    const pick = (label: string, value: string) => {
      const field = () => dialog().getByRole('combobox', { name: label })
      return { field, value, change: () => choose(label, value) }
    }
    const children = [
      ['Client applications', 'client_application', 'Area app', 'Other app', fill('Version', '3.5')],
      ['Modem vendors and models', 'modem_vendor', 'Area Radio', 'Other Radio', fill('Models', 'NR-7')],
      ['Stream providers', 'stream_providers', 'Area tube', 'Other tube', fill('Path', 'live9')],
      ['Stream profiles', 'stream_profile', 'Area profile', 'Other profile', fill('Bit rate', '5000')],
      [
        'Stream media profiles',
        'stream_media_profile',
        'Area media',
        'Other media',
        fill('Video bit rate', '7000'),
      ],
      ['Organizations', 'organization', 'Area firm', 'Other firm', fill('External name', 'area.example')],
      [
        'Organizations and inventories',
        'organization_inventory',
        'Area firm',
        'Other firm',
        pick('Inventory', 'Meridian Sport'),
      ],
      ['Software versions', 'software_version', '10.7.1', '10.8.2', fill('Description', 'For the isles')],
      ['Models of versions', 'software_version_product', '10.7.1', '10.8.2', pick('Model', '810')],
      [
        'Geocoding profiles',
        'geocoding_profile',
        'Area streets',
        'Other streets',
        fill('Distance threshold', '375'),
      ],
      [
        'Application configurations',
        'application_configuration',
        'AreaColour',
        'OtherColour',
        fill('Value', 'ultramarine'),
      ],
      ['Device services', 'device_service', 'Area-Unit', 'Other-Unit', pick('Service', 'Databridge')],
      ['AI settings', 'ai_settings', 'Area marks', 'Other marks', fill('Name', 'Area marks 3')],
      ['System messages', 'client_notification', 'Area message', 'Other message', fill('Shown again', '12')],
    ] as const
    expect(children).toHaveLength(14)
    for (const [title, path, name, other, { change }] of children) {
      expect(await toChild(area, title)).toBe(path)
      await find(name, other)
      await edit(name)
      await change()
      expect([title, await violations(page())]).toEqual([title, []])
      await ok()
    }
    await page().reload()
    for (const [title, , name, , { field, value }] of children) {
      await toChild(area, title)
      await isKept(name, field, value)
    }

    expect(await toChild(area, 'Customer services')).toBe('inventory_service')
    await page().getByLabel('Inventory').selectOption('North Atlantic News')
    await find('Area_Archive', 'Other_Archive')
    await edit('Area_Archive', 'Change')
    await dialog().getByLabel('Limit').fill('7')
    await ok()
    const given = await root.call(api.services.ofInventoryForVendor, { params: { id: inventory } })
    expect(given.find(({ name }) => name === 'Area_Archive')?.instanceLimit).toBe(7)

    for (const [title, path] of [
      ['Devices and groups', 'history_device_group'],
      ['Devices and inventories', 'history_device_inventory'],
    ] as const) {
      expect(await toChild(area, title)).toBe(path)
      await find('Area-Unit', 'Other-Unit')
      expect([title, await violations(page())]).toEqual([title, []])
    }
    expect(await navigation(area).getByRole('link').count()).toBe(17)

    await signInOnPage(page(), stage.url, 'chief', DEMO_PASSWORD)
    const settings = ['application_configuration', 'device_service', 'ai_settings', 'inventory_service']
    await isClosed(settings.map((path) => `system_settings/${path}`))
  })

  test('[STAFF-002] [STAFF-014] an application configuration is added once for a customer, and the console follows it', async () => {
    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().goto(`${stage.url}/psg/system_settings/application_configuration`)
    await page().getByRole('button', { name: 'New application configuration' }).first().click()
    const address = 'https://support.north.example/'
    await dialog().getByLabel('Key').fill('colour')
    await dialog().getByLabel('Value').fill(address)
    const press = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await press()
    await dialog().getByText('The console has only these: videoReturnPortal').waitFor()
    await dialog().getByLabel('Key').fill('support')
    await dialog().getByLabel('Value').fill('by telephone')
    await press()
    await dialog().getByText('Must be an address that starts with https:// or http://').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByLabel('Value').fill(address)
    await choose('Inventory', 'North Atlantic News')
    await ok()
    await row('support').getByText('North Atlantic News').waitFor()

    await page().getByRole('button', { name: 'New application configuration' }).first().click()
    await dialog().getByLabel('Key').fill('support')
    await dialog().getByLabel('Value').fill('https://other.example/')
    await choose('Inventory', 'North Atlantic News')
    await press()
    await dialog().getByText('Inventory configuration already exists').first().waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')

    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD)
    await page().goto(`${stage.url}/customer_portal`)
    await page().locator(`a[href="${address}"]`).first().waitFor()
  })

  test('[STAFF-002] a service is given to a device until a time, and refused to one that cannot have it', async () => {
    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().goto(`${stage.url}/psg/system_settings/device_service`)
    await page().getByRole('button', { name: 'New device service' }).first().click()
    await choose('Device', 'Other-Unit')
    await choose('Service', 'In a cloud')
    await dialog().getByLabel('Expires').fill('2031-05-01T10:30')
    const press = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
    await press()
    await dialog().getByText('This kind of device has no such service').first().waitFor()
    await choose('Service', 'PRO-4K')
    await dialog().getByLabel('Expires').fill('2021-05-01T10:30')
    await press()
    await dialog().getByText('Must be in the future').first().waitFor()
    expect(await violations(page())).toEqual([])
    await dialog().getByLabel('Expires').fill('2031-05-01T10:30')
    await ok()
    await row('PRO-4K').getByText('1 May 2031').waitFor()
    const { items } = await root.call(api.deviceServices.list, { query: { search: 'Other-Unit pro4k' } })
    expect(items).toMatchObject([{ device: units[1]?.id, service: 'pro4k' }])
    expect(Date.parse(items[0]?.expiration ?? '')).toBe(new Date('2031-05-01T10:30').getTime())
  })

  test('[STAFF-013] a registration server of a customer is refused with its rule, at its field', async () => {
    await signInOnPage(page(), stage.url, 'admin', adminPassword)
    await page().goto(`${stage.url}/psg/system_entities/inventories`)
    await edit('Meridian Sport')
    const press = () => dialog().getByRole('button', { name: 'OK', exact: true }).click()
    const server = dialog().getByLabel('SIP server')
    await server.fill('sip meridian')
    await press()
    await dialog().getByText('Invalid registration server').waitFor()
    await server.fill('sip.meridian.example:65536')
    await press()
    await dialog().getByText('The port of the registration server must be 1 to 65535').waitFor()
    expect(await violations(page())).toEqual([])
    await server.fill('SIP.Meridian.example:5061')
    await ok()
    const { items } = await root.call(api.inventories.all, { query: { search: 'Meridian' } })
    expect(items.map(({ sipServer }) => sipServer)).toEqual(['sip.meridian.example:5061'])
  })
})
