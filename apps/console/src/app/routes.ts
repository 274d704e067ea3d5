// The screens that exist, as data: path, guard, menu item. Router and menu are made from this table.
import {
  adminGroup,
  adminSet,
  holdsAny,
  isStudioOnly,
  isUnauthorized,
  type Role,
  regularSet,
} from '@backhaul/contract/nouns/roles'

export const guards = {
  everyone: undefined,
  adminGroup,
  adminSet,
  services: ['luc_admin'],
  contractor: ['luc_contractor'],
  support: ['luc_partner'],
  psg: ['super_user'],
  shares: ['luc_media_group_admin', 'super_user'],
  studio: ['luc_studio'],
} as const satisfies Record<string, readonly Role[] | undefined>

export type Guard = keyof typeof guards

/** The one page of a studio (RT-STD-04). */
export const easyLivePath = '/easy_live'

const under = (parent: string, names: string): string[] => names.split(' ').map((name) => `${parent}/${name}`)

const pathsByGuard: Readonly<Record<Guard, readonly string[]>> = {
  everyone: under('/unit', 'multiview list map files stories'),
  adminGroup: [
    ...under('/unit', 'file_upload'),
    ...under('/manage', 'channels devices video_return graphics outbox api_keys'),
  ],
  adminSet: under('/manage', 'users groups usage_profiles sw_version audio_rooms audit'),
  shares: under('/manage/shares', 'publishers subscribers'),
  services: under('/services', 'inventory_services unit_license_activation reports'),
  contractor: [
    ...under('/contractor', 'remote_actions entities'),
    ...under('/contractor/entities', 'units mmh_servers channels vr_servers vr_channels'),
    ...under('/contractor/entities', 'transceiver_servers ingest_servers db_gateways'),
  ],
  support: under('/support', 'remote_actions'),
  studio: [easyLivePath],
  psg: [
    ...under(
      '/psg',
      'system_entities system_settings remote_actions access_approvals whats_new batch_upgrade',
    ),
    ...under('/psg/system_entities', 'inventories groups units mmh_servers vr_servers ingest_servers'),
    ...under('/psg/system_entities', 'transceiver_servers users channels vrChannels dbGateways ifb_servers'),
    ...under('/psg/system_settings', 'client_application modem_vendor ai_settings stream_profile'),
    ...under('/psg/system_settings', 'stream_providers stream_media_profile organization'),
    ...under('/psg/system_settings', 'organization_inventory software_version software_version_product'),
    ...under('/psg/system_settings', 'geocoding_profile application_configuration device_service'),
    ...under('/psg/system_settings', 'inventory_service history_device_group history_device_inventory'),
    ...under('/psg/system_settings', 'client_notification'),
  ],
}

/** The guard of every address of the console (RT rows): a link to it is judged before its screen is looked for. */
export const guardOfPath: ReadonlyMap<string, Guard> = new Map(
  Object.entries(pathsByGuard).flatMap(([guard, paths]) =>
    paths.map((path): [string, Guard] => [path, guard as Guard]),
  ),
)

export const passes = (roles: readonly Role[], guard: Guard): boolean => {
  const wanted = guards[guard]
  return wanted === undefined || holdsAny(roles, wanted)
}

/** Where every refused or unknown path leads; it has no guard, so no loop can arise (GAP-NAV-09). */
export const homePath = '/unit/list'

/** Paths that are never saved and never trigger the saved route: error, unauthorized, portal (ST-NAV-03). */
export const isUnsavedPath = (pathname: string): boolean =>
  [
    '/error',
    '/unauthorized_user',
    '/customer_portal',
    '/success_login',
    '/login',
    '/first_run',
    '/join',
    '/verify',
    '/',
  ].includes(pathname)

/** /error is for people without any role set; whoever has one is sent to the unit list (RT-STD-01). */
export const maySeeError = (roles: readonly Role[]): boolean => !holdsAny(roles, regularSet)

interface Arrival {
  /** The query carries ignoreRouteDefault. */
  ignoreRouteDefault: boolean
  roles: readonly Role[]
  guard: Guard
}

/**
 * What happens to a navigation:
 * 1. open: the screen is shown;
 * 2. forbidden: the screen's place shows the forbidden text and makes no calls (GAP-NAV-06);
 * 3. unauthorized: the person has no role for this application;
 * 4. home: the role for this screen is missing, the unit list is shown instead;
 * 5. studio: the person belongs on /easy_live and is anywhere else (RO-PERM-28, GAP-ROLE-05).
 */
export type Verdict = 'open' | 'forbidden' | 'unauthorized' | 'home' | 'studio'

export function judge({ roles, guard, ignoreRouteDefault }: Arrival): Verdict {
  if (isStudioOnly(roles)) return guard === 'studio' ? 'open' : 'studio'
  if (isUnauthorized(roles)) return 'unauthorized'
  if (passes(roles, guard)) return 'open'
  return ignoreRouteDefault ? 'forbidden' : 'home'
}

/** Where a cold start goes: a typed, bookmarked or shared address opens what it names; `/` the saved route (GAP-NAV-05). */
export const coldStartPath = (typed: { pathname: string; href: string }, saved: string | null): string =>
  typed.pathname === '/' ? (saved ?? homePath) : typed.href
