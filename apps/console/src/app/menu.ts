// The menu of a person: the areas of the specification in their order, with the items that he may open.
import type { Role } from '@backhaul/contract/nouns/roles'
import { passes } from './routes.ts'
import { type MenuItem, type Screen, screens } from './screens.tsx'

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

export function menuOf(roles: readonly Role[], all: readonly Screen[] = screens): MenuArea[] {
  const shown = all.flatMap(({ path, menu, guard }) =>
    menu && passes(roles, guard) ? [{ path, ...menu }] : [],
  )
  return areas
    .map((area) => ({ area, items: shown.filter(({ path }) => areaOf(path) === area) }))
    .filter(({ items }) => items.length > 0)
}
