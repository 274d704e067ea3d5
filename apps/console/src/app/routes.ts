// Decides each navigation.
import {
  holdsAny,
  isStudioOnly,
  isUnauthorized,
  type Role,
  regularSet,
} from '@backhaul/contract/define/roles'
import { type Guard, passes } from '../kit/screen.ts'
import { specialPages } from './special-pages.ts'

/** The one page of a studio (RT-STD-04). */
export const easyLivePath = '/easy_live'

/** Every refused or unknown path leads here; it has no guard, so no loop can arise (GAP-NAV-09). */
export const homePath = '/unit/list'

/** /error is for users without any role set; all others are sent to the unit list (RT-STD-01). */
export const maySeeError = (roles: readonly Role[]): boolean => !holdsAny(roles, regularSet)

interface Arrival {
  /** The query carries ignoreRouteDefault. */
  ignoreRouteDefault: boolean
  roles: readonly Role[]
  guard: Guard
}

/**
 * Outcome of a navigation:
 * 1. open: the screen is shown;
 * 2. forbidden: the screen's place shows the forbidden text and makes no calls (GAP-NAV-06);
 * 3. unauthorized: the user has no role for this application;
 * 4. home: the role for this screen is missing, the unit list is shown instead;
 * 5. studio: the user belongs on /easy_live and is anywhere else (RO-PERM-28, GAP-ROLE-05).
 */
export type Verdict = 'open' | 'forbidden' | 'unauthorized' | 'home' | 'studio'

export function judge({ roles, guard, ignoreRouteDefault }: Arrival): Verdict {
  if (isStudioOnly(roles)) return guard === 'studio' ? 'open' : 'studio'
  if (isUnauthorized(roles)) return 'unauthorized'
  if (passes(roles, guard)) return 'open'
  return ignoreRouteDefault ? 'forbidden' : 'home'
}

/** Path of a cold start: a typed, bookmarked or shared address opens what it names; `/` the saved route (GAP-NAV-05). */
export const coldStartPath = (typed: { pathname: string; href: string }, saved: string | null): string =>
  typed.pathname === specialPages.start ? (saved ?? homePath) : typed.href
