// Verdict of the console's guards for every address of the specification and every role.
import { Role } from '@backhaul/contract/define/role-schemas'
import { describe, expect, test } from 'vitest'
import type { Guard } from '../kit/screen.ts'
import { areaOf, areas, itemOfPage, menuOf } from './menu.ts'
import { easyLivePath, judge, type Verdict } from './routes.ts'
import { screens } from './screens.ts'
import { isUnsavedPath } from './special-pages.ts'

const guardOfPath = new Map(screens.map(({ path, guard }) => [path, guard]))

const adminGroup = ['super_user', 'luc_admin', 'luc_media_group_admin', 'luc_contractor', 'luc_partner']
const inside = [...adminGroup, 'luc_regular', 'luc_read', 'staff']
const systemEntities = `inventories groups units mmh_servers vr_servers ingest_servers transceiver_servers users channels
  vrChannels dbGateways`
const systemSettings = `client_application modem_vendor ai_settings stream_profile stream_providers stream_media_profile
  organization organization_inventory software_version software_version_product geocoding_profile
  application_configuration device_service inventory_service history_device_group history_device_inventory
  client_notification`
const contractorEntities =
  'units mmh_servers channels vr_servers vr_channels transceiver_servers ingest_servers db_gateways'

const below = (parent: string, names: string) => names.split(/\s+/).map((name) => `${parent}/${name}`)

interface Row {
  area: string
  paths: readonly string[]
  /** Roles that may open them, among those that have a place inside. */
  open: readonly string[]
}

const table: readonly Row[] = [
  { area: 'units', paths: below('/unit', 'multiview list map files stories'), open: inside },
  { area: 'administration of the group', paths: ['/unit/file_upload'], open: adminGroup },
  {
    area: 'manage',
    paths: below('/manage', 'channels devices video_return graphics file_targets'),
    open: adminGroup,
  },
  {
    area: 'manage, admin set',
    paths: below('/manage', 'users groups usage_profiles sw_version audio_rooms'),
    open: adminGroup,
  },
  {
    area: 'shares',
    paths: below('/manage/shares', 'publishers subscribers'),
    open: ['super_user', 'luc_media_group_admin'],
  },
  {
    area: 'contractor',
    paths: [
      ...below('/contractor', 'remote_actions entities'),
      ...below('/contractor/entities', contractorEntities),
    ],
    open: ['luc_contractor'],
  },
  { area: 'support', paths: ['/support/remote_actions'], open: ['luc_partner'] },
]

const services: Row = {
  area: 'services',
  paths: below('/services', 'inventory_services unit_license_activation reports'),
  open: ['luc_admin'],
}

const psg: Row = {
  area: 'psg',
  paths: [
    ...below(
      '/psg',
      'system_entities system_settings remote_actions access_approvals whats_new batch_upgrade',
    ),
    ...below('/psg/system_entities', systemEntities),
    ...below('/psg/system_settings', systemSettings),
  ],
  open: ['super_user'],
}

/** Roles without a place inside: a studio on its own page, the others on the unauthorized page. */
const outside = (role: Role): Verdict | undefined =>
  role === 'luc_studio' ? 'studio' : inside.includes(role) ? undefined : 'unauthorized'

function demandRow({ paths, open }: Row): void {
  for (const path of paths) {
    const guard = guardOfPath.get(path)
    expect([path, guard]).not.toEqual([path, undefined])
    if (guard === undefined) continue
    for (const role of Role.options) {
      const may = open.includes(role)
      const roles = [role]
      const by = (ignoreRouteDefault: boolean) => judge({ roles, guard, ignoreRouteDefault })
      expect([path, role, by(false)]).toEqual([path, role, outside(role) ?? (may ? 'open' : 'home')])
      expect([path, role, by(true)]).toEqual([path, role, outside(role) ?? (may ? 'open' : 'forbidden')])
    }
  }
}

describe('every address, for every role', () => {
  test.each(table)('[ACCESS-002] $area opens to exactly the roles of its row', demandRow)

  test('[ACCESS-004] every page of the psg area opens to super users alone', () => {
    expect(psg.paths).toHaveLength(34)
    demandRow(psg)
  })

  test('[ACCESS-007] every page of the services opens to luc_admin alone, and its place is remembered', () => {
    demandRow(services)
    expect(services.paths.filter((path) => !screens.some((screen) => screen.path === path))).toEqual([])
    expect(services.paths.filter(isUnsavedPath)).toEqual([])
    const offered = (role: Role) =>
      menuOf([role]).flatMap(({ area, items }) => (area === 'services' ? items.map(({ path }) => path) : []))
    expect(offered('luc_admin').toSorted()).toEqual(services.paths.toSorted())
    for (const role of Role.options.filter((one) => one !== 'luc_admin'))
      expect([role, offered(role)]).toEqual([role, []])
    // A user with the admin set but without luc_admin is not admitted by it (GAP-ROLE-01).
    expect(
      judge({ roles: ['super_user', 'luc_partner'], guard: 'services', ignoreRouteDefault: false }),
    ).toBe('home')
  })

  test('the page of a studio is standalone, and no other is', () => {
    const alone = screens.filter(({ isAlone }) => isAlone)
    expect(alone.map(({ path, guard }) => ({ path, guard }))).toEqual([
      { path: easyLivePath, guard: 'studio' },
    ])
  })

  test('a user with luc_multipoint and another role uses the admin set', () => {
    const at = (roles: Role[]) => judge({ roles, guard: 'adminSet', ignoreRouteDefault: false })
    expect([at(['luc_multipoint']), at(['luc_multipoint', 'luc_read'])]).toEqual(['unauthorized', 'open'])
  })
})

describe('the menu', () => {
  test('shows each role the items that its guards let through, by area, and no empty area', () => {
    for (const role of Role.options.filter((one) => inside.includes(one))) {
      const menu = menuOf([role])
      for (const { items } of menu) expect(items).not.toEqual([])
      const shown = menu.flatMap(({ items }) => items.map(({ path }) => path))
      const opens = (guard: Guard) => judge({ roles: [role], guard, ignoreRouteDefault: false }) === 'open'
      const open = screens.flatMap(({ path, menu, guard }) => (menu && opens(guard) ? [path] : []))
      expect([role, shown.toSorted()]).toEqual([role, open.toSorted()])
    }
    expect(menuOf(['luc_read']).map(({ area }) => area)).toEqual(['units', 'files', 'stories'])
    expect(menuOf(['luc_admin']).map(({ area }) => area)).toContain('manage')
  })

  test('names what support does in the order of the specification, and what was added after it', () => {
    const support = menuOf(['super_user']).find(({ area }) => area === 'support')
    expect(support?.items.map(({ label }) => label)).toEqual([
      'clientApplications',
      'modemVendors',
      'ifbServers',
      'systemEntities',
      'systemSettings',
      'remoteActions',
      'accessApprovals',
      'whatsNew',
      'batchUpgrade',
      'systemMessages',
      'aiSettings',
      'customerServices',
    ])
  })

  test('keeps the items of a section in their written order, whichever area they come from', () => {
    const manage = menuOf(['super_user']).find(({ area }) => area === 'manage')
    expect(manage?.items.map(({ label }) => label).slice(0, 4)).toEqual([
      'devices',
      'users',
      'groups',
      'publishers',
    ])
    const places = screens.flatMap(({ path, menu }) => (menu ? [`${areaOf(path)} ${menu.place}`] : []))
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  })

  test('marks the item of a page, of the page above it, or that by which the page is reached', () => {
    const items = menuOf(['super_user']).flatMap((one) => one.items)
    const marked = (pathname: string, route = pathname) => itemOfPage({ pathname, route }, items)?.path
    expect([
      marked('/unit/map'),
      marked('/unit/un-7', '/unit/$uid'),
      marked('/unit/server/se-7', '/unit/server/$uid'),
    ]).toEqual(['/unit/map', '/unit/list', '/unit/list'])
    const below = ['/psg/system_entities/groups', '/psg/system_settings/geocoding_profile']
    expect(below.map((path) => marked(path))).toEqual(['/psg/system_entities', '/psg/system_settings'])
    expect(marked('/customer_portal')).toBeUndefined()
  })

  test('keeps the areas of the specification in their order', () => {
    expect(
      ['/unit/list', '/unit/files', '/unit/stories', '/manage/users', '/services/reports'].map(areaOf),
    ).toEqual(areas.slice(0, 5))
    expect(['/contractor/entities', '/psg/whats_new', '/support/remote_actions'].map(areaOf)).toEqual([
      'contractor',
      'support',
      'support',
    ])
  })
})
