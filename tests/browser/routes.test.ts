// Every address of the console, for every kind of user: the screen with its data, or what its guard says.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, forgetPerson, hasChromium, openChromium, signInOnPage } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'

const groupId = 'london-news'
const forbidden = 'You are not allowed to access this application'

const people = {
  super_user: ['admin', adminPassword],
  luc_admin: ['chief', DEMO_PASSWORD],
  luc_media_group_admin: ['media', DEMO_PASSWORD],
  luc_contractor: ['carl', DEMO_PASSWORD],
  luc_partner: ['petra', DEMO_PASSWORD],
  luc_regular: ['operator', DEMO_PASSWORD],
  luc_read: ['viewer', DEMO_PASSWORD],
} as const
type Role = keyof typeof people

const everyone = Object.keys(people) as Role[]
const adminGroup: Role[] = ['super_user', 'luc_admin', 'luc_media_group_admin', 'luc_contractor', 'luc_partner']

interface Guarded {
  parent: string
  /** Who passes; all others with a place in the console get the refusal. */
  open: readonly Role[]
  /** The screens by the last part of their address: their title, and what is seen of the data beside it. */
  screens: Readonly<Record<string, readonly [title: string, ...sees: string[]]>>
}

const settings = 'System settings'
const entities = 'System entities'
const contractorEntities = 'Entities manager'

/** The addresses of the specification, and those that this console has in addition; '' is the parent itself. */
const table: readonly Guarded[] = [
  {
    parent: '/unit',
    open: everyone,
    screens: {
      list: ['Unit list', 'Route-Van'],
      multiview: ['Multiview', 'Route-1'],
      map: ['Map', 'Route-Van'],
      files: ['Files'],
      stories: ['Story list'],
    },
  },
  {
    parent: '/unit',
    open: adminGroup,
    screens: { file_upload: ['File upload', 'Route-Van'] },
  },
  {
    parent: '/manage',
    open: adminGroup,
    screens: {
      channels: ['Channels', 'Route-1'],
      devices: ['Devices', 'MCR-Route'],
      video_return: ['Video Return'],
      graphics: ['My Graphics'],
      file_targets: ['File targets'],
      users: ['Users', 'operator'],
      groups: ['Groups', 'London-News'],
      usage_profiles: ['Usage profiles'],
      sw_version: ['Software versions'],
      audio_rooms: ['Audio Connect'],
      api_keys: ['API keys'],
      audit: ['Audit log'],
      outbox: ['Outbox'],
    },
  },
  {
    parent: '/manage/shares',
    open: ['super_user', 'luc_media_group_admin'],
    screens: { publishers: ['Publishers'], subscribers: ['Subscribers'] },
  },
  {
    parent: '/services',
    open: ['luc_admin'],
    screens: {
      inventory_services: ['Inventory services', 'North Atlantic News'],
      unit_license_activation: ['Licence activation', 'Route-Van'],
      reports: ['Usage reports'],
    },
  },
  {
    parent: '/contractor',
    open: ['luc_contractor'],
    screens: {
      remote_actions: ['Remote actions'],
      entities: [contractorEntities, 'Units', 'Route-Van'],
      'entities/units': [contractorEntities, 'Units', 'Route-Van'],
      'entities/mmh_servers': [contractorEntities, 'MMH servers', 'MCR-Route'],
      'entities/channels': [contractorEntities, 'Channels', 'Route-1'],
      'entities/vr_servers': [contractorEntities, 'Video return servers', 'VR-Route'],
      'entities/vr_channels': [contractorEntities, 'Video return channels', 'Return-1'],
      'entities/transceiver_servers': [contractorEntities, 'Transceiver servers'],
      'entities/ingest_servers': [contractorEntities, 'Ingest servers'],
      'entities/db_gateways': [contractorEntities, 'Databridge gateways'],
    },
  },
  {
    parent: '/support',
    open: ['luc_partner'],
    screens: { remote_actions: ['Remote actions'] },
  },
  {
    parent: '/psg',
    open: ['super_user'],
    screens: {
      system_entities: [entities, 'Inventories', 'Meridian Sport'],
      'system_entities/inventories': [entities, 'Inventories', 'Meridian Sport'],
      'system_entities/groups': [entities, 'Groups', 'London-News'],
      'system_entities/units': [entities, 'Units', 'Route-Van'],
      'system_entities/mmh_servers': [entities, 'MMH servers', 'MCR-Route'],
      'system_entities/vr_servers': [entities, 'Video return servers', 'VR-Route'],
      'system_entities/ingest_servers': [entities, 'Ingest servers'],
      'system_entities/transceiver_servers': [entities, 'Transceiver servers'],
      'system_entities/users': [entities, 'Users', 'operator'],
      'system_entities/channels': [entities, 'Channels', 'Route-1'],
      'system_entities/vrChannels': [entities, 'Video return channels', 'Return-1'],
      'system_entities/dbGateways': [entities, 'Databridge gateways'],
      'system_entities/ifb_servers': ['IFB servers'],
      system_settings: ['System settings', 'Client applications'],
      'system_settings/client_application': ['Client applications'],
      'system_settings/modem_vendor': ['Modem vendors'],
      'system_settings/ai_settings': ['AI settings'],
      'system_settings/stream_profile': [settings, 'Stream profiles'],
      'system_settings/stream_providers': [settings, 'Stream providers'],
      'system_settings/stream_media_profile': [settings, 'Stream media profiles'],
      'system_settings/organization': [settings, 'Organizations'],
      'system_settings/organization_inventory': [settings, 'Organizations and inventories'],
      'system_settings/software_version': [settings, 'Software versions'],
      'system_settings/software_version_product': [settings, 'Models of versions'],
      'system_settings/geocoding_profile': [settings, 'Geocoding profiles'],
      'system_settings/application_configuration': [settings, 'Application configurations'],
      'system_settings/device_service': [settings, 'Services of devices'],
      'system_settings/inventory_service': ['Customer services'],
      'system_settings/history_device_group': [settings, 'Devices and groups', 'Route-Van'],
      'system_settings/history_device_inventory': [settings, 'Devices and inventories', 'Route-Van'],
      'system_settings/client_notification': ['System messages'],
      remote_actions: ['Remote actions'],
      access_approvals: ['Access approvals'],
      whats_new: ["What's new"],
      batch_upgrade: ['Batch upgrade'],
    },
  },
]

const pathOf = ({ parent }: Guarded, name: string) => `${parent}/${name}`

/** The little of a page's own types that is needed here. */
interface Window {
  document: { title: string }
  history: { pushState(state: object, unused: string, path: string): void }
}

describe.runIf(hasChromium)('every address', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  const devices: StageDevice[] = []
  /** Calls that core refused, and errors of the page. */
  const faults: string[] = []

  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    const inGroup = { groupId }
    const slotsOf = (name: string) => [{ slot: '1', name, inputType: null }]
    const server = { ...inGroup, kind: 'server' as const }
    devices.push(
      await joinDevice(stage, { ...server, name: 'MCR-Route', slots: slotsOf('Route-1') }),
      await joinDevice(stage, {
        ...server,
        name: 'VR-Route',
        product: 'Video Return Server',
        slots: slotsOf('Return-1'),
      }),
      await joinDevice(stage, { ...inGroup, name: 'Route-Van' }),
    )
    devices[2]?.sample({ location: { lat: 51.5, lng: -0.12, address: '' } })
    const root = await signIn(stage.url, 'admin', adminPassword)
    for (const [username, userType] of [
      ['carl', 'contractor'],
      ['petra', 'partner'],
    ] as const)
      await root.call(api.users.create, {
        body: {
          username,
          userType,
          password: DEMO_PASSWORD,
          passwordConfirmation: DEMO_PASSWORD,
          firstName: 'Helping',
          lastName: 'Hands',
          inventories: ['north-atlantic'],
        },
      })
    for (const [username, password] of Object.values(people)) {
      const person = await signIn(stage.url, username, password)
      await person.call(api.client.savePreferences, { body: { groupId } })
    }
    chromium = await openChromium()
    page = chromium.page
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('response', (response) => {
      const isCall = response.url().includes('/rest/')
      if (isCall && response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
    })
  })
  afterAll(async () => {
    for (const device of devices) device.close()
    await chromium?.close()
    await stage?.stop()
  })
  beforeEach(() => {
    faults.length = 0
  })

  const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)

  /** Another address within the loaded page; the title of the page is set once the router has decided. */
  async function goTo(path: string): Promise<void> {
    await page.evaluate((to) => {
      const { document, history } = globalThis as unknown as Window
      document.title = ''
      history.pushState({}, '', to)
    }, path)
    await page.waitForFunction(() => (globalThis as unknown as Window).document.title !== '')
  }

  const titled = (title: string) => page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()

  /** Its title, its name among its siblings, and its data: what is known of it, or the rows or the words of an empty list. */
  async function showsItself([title, ...sees]: readonly [string, ...string[]]): Promise<void> {
    await titled(title)
    const content = page.locator('#content')
    const isSettled = content.locator('[data-row-id], [data-grid-state]:not([role=alert]) h2, h2, form, button')
    await isSettled.first().waitFor()
    await content.locator('[data-grid-skeleton]').waitFor({ state: 'detached' })
    for (const text of sees) await content.getByText(text).first().waitFor()
    expect(await page.getByText('Items cannot be displayed').count()).toBe(0)
    expect(await page.getByText(forbidden).count()).toBe(0)
  }

  test.for(everyone)('[SHELL-001] %s sees each screen of theirs with its data, and the refusal at all others', async (role) => {
    const [username, password] = people[role]
    await signInOnPage(page, stage.url, username, password)
    await isAt('/unit/list')
    for (const row of table) {
      const mayOpen = row.open.includes(role)
      for (const [name, shown] of Object.entries(row.screens)) {
        const path = pathOf(row, name)
        const at = `${role} at ${path}`
        await goTo(mayOpen ? path : `${path}?ignoreRouteDefault=1`)
        await isAt(path)
        if (mayOpen)
          await showsItself(shown).catch((error: Error) => expect.fail(`${at}: ${error.message}`))
        else expect([at, await page.locator('.forbidden').textContent()]).toEqual([at, expect.stringContaining(forbidden)])
        expect([at, faults.splice(0)]).toEqual([at, []])
      }
      // Without the request to stay, a refused address leads to the list.
      if (mayOpen) continue
      await goTo(pathOf(row, Object.keys(row.screens)[0] ?? ''))
      await isAt('/unit/list')
      await showsItself(['Unit list', 'Route-Van'])
    }
    // Addresses with rules of their own.
    for (const path of ['/', '/nothing/of/this/name', '/error', '/easy_live']) {
      await goTo('/unit/multiview')
      await goTo(path)
      await isAt(path === '/' ? '/unit/multiview' : '/unit/list')
    }
    await goTo('/customer_portal')
    await page.getByRole('heading', { name: 'North Atlantic News' }).waitFor()
    await goTo('/unauthorized_user')
    await titled(forbidden)
    expect(faults).toEqual([])
  })

  test('[SHELL-001] users without a place in the console get one page at every address', async () => {
    for (const [username, home, title] of [
      ['studio', '/easy_live', undefined],
      ['returns', '/unauthorized_user', 'Video return only'],
      ['curator', '/unauthorized_user', forbidden],
    ] as const) {
      await signInOnPage(page, stage.url, username, DEMO_PASSWORD)
      await isAt(home)
      const paths = table.flatMap((row) => Object.keys(row.screens).map((name) => pathOf(row, name)))
      for (const path of [...paths, '/', '/nothing', '/customer_portal']) {
        await goTo(`${path}?ignoreRouteDefault=1`)
        expect([username, path, new URL(page.url()).pathname]).toEqual([username, path, home])
      }
      if (title) await titled(title)
      else await page.getByRole('button', { name: /^Route-Van/ }).waitFor()
      expect([username, faults.splice(0)]).toEqual([username, []])
    }
  })

  test('[SHELL-001] without a sign-in every part of the console leads to the login page, and remembers the address', async () => {
    await forgetPerson(page)
    const [first] = table
    const paths = table.map((row) => pathOf(row, Object.keys(row.screens)[0] ?? ''))
    expect(first?.parent).toBe('/unit')
    for (const path of [...paths, '/easy_live', '/customer_portal', '/nothing']) {
      await page.goto(stage.url + path)
      await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('next') === path)
      await page.getByLabel('User name').waitFor()
    }
  })
})
