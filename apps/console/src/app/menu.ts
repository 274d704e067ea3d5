// The menu of a user: the sections of the specification in their order, with the items that they may open.
import type { Role } from '@backhaul/contract/define/roles'
import type { PropertyFeature } from '@backhaul/contract/nouns/gates'
import { type MenuItem, passes, type Screen } from '../kit/screen.ts'
import { groupsState, isClosedTo } from '../people/groups/groups.ts'
import { screens } from './screens.ts'

export const areas = ['units', 'files', 'stories', 'manage', 'services', 'contractor', 'support'] as const
export type Area = (typeof areas)[number]

/** By the head of the path; all of /psg is Support (SC-MENU rows). */
export function areaOf(path: string): Area {
  if (path === '/unit/files') return 'files'
  if (path === '/unit/stories') return 'stories'
  const head = path.split('/')[1] ?? ''
  if (head === 'manage' || head === 'services' || head === 'contractor') return head
  return head === 'support' || head === 'psg' ? 'support' : 'units'
}

export interface MenuArea {
  area: Area
  items: ({ path: string } & MenuItem)[]
}

/** The screens with an item that the user may open, in the order of the menu. */
export const menuItemsOf = (roles: readonly Role[]): MenuArea['items'] =>
  menuOf(roles, { isClosed: (feature) => isClosedTo(groupsState.get(), feature) }).flatMap(
    ({ items }) => items,
  )

interface MenuOptions {
  all?: readonly Screen[]
  /** True if the customer of the current group does not have a feature. */
  isClosed?: (feature: PropertyFeature) => boolean
}

export function menuOf(
  roles: readonly Role[],
  { all = screens, isClosed = () => false }: MenuOptions = {},
): MenuArea[] {
  const shown = all.flatMap(({ path, menu, guard, feature }) =>
    menu && passes(roles, guard) && !(feature && isClosed(feature)) ? [{ path, ...menu }] : [],
  )
  return areas
    .map((area) => ({
      area,
      items: shown.filter(({ path }) => areaOf(path) === area).toSorted((a, b) => a.place - b.place),
    }))
    .filter(({ items }) => items.length > 0)
}

interface Page {
  pathname: string
  /** The path of the screen that the router has found for it, with the names of its parts that vary. */
  route: string | undefined
}

/** The item that a page belongs to: its own, the nearest above it, or the one by which it is reached. */
export function itemOfPage<Item extends { path: string; label: MenuItem['label'] }>(
  { pathname, route }: Page,
  items: readonly Item[],
): Item | undefined {
  const [nearest] = items
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)
  if (nearest) return nearest
  const under = screens.find(({ path }) => path === route)?.under
  return items.find(({ label }) => label === under)
}
