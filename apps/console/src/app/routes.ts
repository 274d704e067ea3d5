// The screens that exist, as data: path, guard, menu item. Router and menu are made from this table.
import { adminGroup, adminSet, holdsAny, isUnauthorized, type Role } from '@backhaul/contract/nouns/roles'

export const guards = {
  everyone: undefined,
  adminGroup,
  adminSet,
  services: ['luc_admin'],
  contractor: ['luc_contractor'],
  support: ['luc_partner'],
  psg: ['super_user'],
  shares: ['luc_media_group_admin', 'super_user'],
} as const satisfies Record<string, readonly Role[] | undefined>

export type Guard = keyof typeof guards

export const passes = (roles: readonly Role[], guard: Guard): boolean => {
  const wanted = guards[guard]
  return wanted === undefined || holdsAny(roles, wanted)
}

/** Where every refused or unknown path leads; it has no guard, so no loop can arise (GAP-NAV-09). */
export const homePath = '/unit/list'

/** Paths that are never saved and never trigger the saved route: error, unauthorized, portal (ST-NAV-03). */
export const isUnsavedPath = (pathname: string): boolean =>
  ['/error', '/unauthorized_user', '/customer_portal', '/login', '/'].includes(pathname)

interface Arrival {
  pathname: string
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
 * 4. home: the role for this screen is missing, the unit list is shown instead.
 */
export type Verdict = 'open' | 'forbidden' | 'unauthorized' | 'home'

export function judge({ roles, guard, ignoreRouteDefault }: Arrival): Verdict {
  if (isUnauthorized(roles)) return 'unauthorized'
  if (passes(roles, guard)) return 'open'
  return ignoreRouteDefault ? 'forbidden' : 'home'
}

/** Where a cold start goes: the typed path when the query says so, else the saved route, else the unit list. */
export function coldStartPath(
  typed: { pathname: string; href: string; ignoreRouteDefault: boolean },
  saved: string | null,
): string {
  if (isUnsavedPath(typed.pathname) && typed.pathname !== '/') return typed.href
  if (typed.ignoreRouteDefault) return typed.href
  return saved ?? homePath
}
