// Preferences of a user: kept here while the page lives, written to core a moment after a change.
import { client } from '@backhaul/contract/api/client'
import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import type { FilterState, GridPrefs, UserPreferences } from '@backhaul/contract/nouns/preferences'
import i18next from 'i18next'
import { call } from '../../doors/api.ts'
import { hideToast, toast } from '../../ui/toasts.tsx'
import { createValue, useValuePart } from '../../ui/value.ts'
import { createLateSaver } from './late-saver.ts'

export const preferences = createValue<UserPreferences>(defaultPreferences())

const saver = createLateSaver((changes) => call(client.savePreferences, { body: changes }), tellUnsaved)

const unsavedToast = 'preferences-unsaved'

/** A write that is tried again must not be so in silence (GAP-API-05). */
function tellUnsaved(unsaved: boolean): void {
  const [title, text] = [i18next.t('ui:unsaved.title'), i18next.t('ui:unsaved.text')]
  if (unsaved) toast({ id: unsavedToast, title, text, tone: 'warning', timeout: false })
  else hideToast(unsavedToast)
}

/** A failure goes up: the page cannot start without them and shows /error (SHELL-004). */
export async function loadPreferences(userId: string): Promise<UserPreferences> {
  const read = await call(client.preferences, {})
  const loaded = { ...read, ...takeLeft(userId) }
  preferences.set({ ...loaded, filters: withoutSearches(loaded.filters) })
  addEventListener('pagehide', () => keepLeft(userId))
  return loaded
}

interface Left {
  userId: string
  atMs: number
  changes: Partial<UserPreferences>
}

/** Kept by this tab alone. */
const leftKey = 'backhaul-preferences-left'
/** After that core has what it will get. */
const leftForMs = 10_000

/** The next page of this tab may read before core has stored what this one sends last. */
function keepLeft(userId: string): void {
  const left: Left = { userId, atMs: Date.now(), changes: saver.leave() }
  if (Object.keys(left.changes).length === 0) sessionStorage.removeItem(leftKey)
  else sessionStorage.setItem(leftKey, JSON.stringify(left))
}

function takeLeft(userId: string): Partial<UserPreferences> {
  const text = sessionStorage.getItem(leftKey)
  sessionStorage.removeItem(leftKey)
  if (text === null) return {}
  const left = JSON.parse(text) as Left
  return left.userId === userId && Date.now() - left.atMs < leftForMs ? left.changes : {}
}

/** Searches belong to the moment: the next shift must see its whole fleet. Filters are kept. */
const withoutSearches = (filters: UserPreferences['filters']): UserPreferences['filters'] =>
  Object.fromEntries(Object.entries(filters).map(([place, filter]) => [place, { ...filter, text: '' }]))

export function setPreferences(changes: Partial<UserPreferences>): void {
  preferences.set({ ...preferences.get(), ...changes })
  saver.add(changes)
}

/** Written at once, so that another start of the console finds it. */
export function savePreferencesNow(changes: Partial<UserPreferences>): void {
  setPreferences(changes)
  saver.flush()
}

/** SHELL-005. */
export function saveCurrentRoute(currentRoute: string): void {
  if (preferences.get().currentRoute !== currentRoute) savePreferencesNow({ currentRoute })
}

interface GridChoices {
  readonly visibleColumns: readonly { readonly key: string; readonly width: number }[]
  readonly sortState?: GridPrefs['sortState'] | undefined
}

/** undefined resets the grid to how it was made. */
export function setGridPrefs(grid: string, choices: GridChoices | undefined): void {
  const { [grid]: _, ...others } = preferences.get().gridPrefs
  if (choices === undefined) {
    setPreferences({ gridPrefs: others })
    return
  }
  const { visibleColumns, sortState = null } = choices
  const prefs: GridPrefs = { version: 1, visibleColumns: [...visibleColumns], sortState }
  setPreferences({ gridPrefs: { ...others, [grid]: prefs } })
}

type FilterPlace = keyof UserPreferences['filters']

export function setFilter(place: FilterPlace, filter: FilterState): void {
  setPreferences({ filters: { ...preferences.get().filters, [place]: filter } })
}

const noFilter: FilterState = { open: false, text: '', chosen: {} }

export function useFilter(place: FilterPlace): FilterState {
  return usePreference((all) => all.filters[place] ?? noFilter)
}

export function usePreference<P>(part: (preferences: UserPreferences) => P): P {
  return useValuePart(preferences, part)
}
