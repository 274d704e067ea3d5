// A screen of the console: one value in the folder of its page. Router, menu, keys and palette are made from the list of them.
import { adminGroup, adminSet, holdsAny, type Role } from '@backhaul/contract/define/roles'
import type { PropertyFeature } from '@backhaul/contract/nouns/gates'
import type { ComponentType } from 'react'
import type { english } from '../texts/en/en.ts'
import type { Preloadable } from '../ui/loaded.ts'

/** Roles for a screen: users with one of them may open it. */
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

export const passes = (roles: readonly Role[], guard: Guard): boolean => {
  const wanted = guards[guard]
  return wanted === undefined || holdsAny(roles, wanted)
}

export interface MenuItem {
  label: keyof typeof english.app.menu
  icon: ComponentType<{ size?: number }>
  /** Among the items of its section, which the path decides: lower numbers are higher. */
  place: number
  /** G and then this letter opens the screen. */
  key?: string
}

export interface Screen {
  path: string
  guard: Guard
  component: ComponentType & Preloadable
  menu?: MenuItem
  /** A customer without it does not have the screen in their menu (GAP-INV-01). */
  feature?: PropertyFeature
  /** The item by which a screen without one of its own is reached. */
  under?: MenuItem['label']
  /** The screen has no menu and no top bar. */
  isAlone?: boolean
}
