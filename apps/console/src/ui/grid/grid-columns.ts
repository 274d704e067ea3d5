// Columns of a grid, and how the remembered part of them is read and written.
import type { ReactNode } from 'react'

export interface GridColumn<T> {
  readonly id: string
  readonly title: string
  /** px */
  readonly width: number
  /** px; 48 when not given */
  readonly minWidth?: number
  /** px; takes up spare room of the screen to this width, until the user sets another one */
  readonly roomyWidth?: number | undefined
  readonly align?: 'start' | 'end' | 'center'
  /** Remains in view while the others scroll sideways; pinned columns keep their place. */
  readonly pinned?: 'start' | 'end'
  /** Cannot be hidden. */
  readonly required?: boolean
  /** Hidden until the user shows it. */
  readonly hiddenAtFirst?: boolean
  /** Left out of the export and of the columns menu: a column of buttons. */
  readonly actionsOnly?: boolean
  /** Plain elements only: a component kit inside live rows costs ten times the script. */
  readonly render: (item: T) => ReactNode
  /** The value as text, for the export. */
  readonly text: (item: T) => string
  readonly compare?: (a: T, b: T) => number
}

export interface SortState {
  readonly key: string
  readonly dir: 'asc' | 'desc'
}

/** EN-PREF-06, EN-PREF-07. Columns are in their shown order; columns that are not listed are hidden. */
export interface GridPrefs {
  readonly visibleColumns: readonly { readonly key: string; readonly width: number }[]
  readonly sortState?: SortState | null | undefined
}

export interface ColumnLayout {
  readonly order: string[]
  readonly hidden: Record<string, boolean>
  readonly widths: Record<string, number>
}

export const smallestWidth = 48
export const largestWidth = 640

export function clampWidth(width: number, minWidth = smallestWidth): number {
  return Math.round(Math.min(largestWidth, Math.max(minWidth, width)))
}

/** A width that the user sets. The first width of a roomy column means as wide as there is room: it becomes a px less. */
export function ownWidth(
  { width: first, minWidth, roomyWidth }: Pick<GridColumn<unknown>, 'width' | 'minWidth' | 'roomyWidth'>,
  width: number,
): number {
  const clamped = clampWidth(width, minWidth)
  return roomyWidth !== undefined && clamped === first ? first - 1 : clamped
}

/** Unknown remembered columns are ignored; pinned ones always frame the rest. */
export function layoutFromPrefs<T>(
  columns: readonly GridColumn<T>[],
  prefs: GridPrefs | undefined,
): ColumnLayout {
  const byId = new Map(columns.map((column) => [column.id, column]))
  const remembered = (prefs?.visibleColumns ?? []).filter((entry) => byId.has(entry.key))
  const widths: Record<string, number> = {}
  const hidden: Record<string, boolean> = {}
  for (const column of columns) {
    widths[column.id] = column.width
    const listed = remembered.some((entry) => entry.key === column.id)
    const optional = !column.required && !column.actionsOnly && !column.pinned
    hidden[column.id] = optional && (remembered.length > 0 ? !listed : column.hiddenAtFirst === true)
  }
  for (const entry of remembered) widths[entry.key] = clampWidth(entry.width, byId.get(entry.key)?.minWidth)
  const middle = columns.filter((column) => !column.pinned).map((column) => column.id)
  const listedMiddle = remembered.map((entry) => entry.key).filter((key) => middle.includes(key))
  const rest = middle.filter((key) => !listedMiddle.includes(key))
  const start = columns.filter((column) => column.pinned === 'start').map((column) => column.id)
  const end = columns.filter((column) => column.pinned === 'end').map((column) => column.id)
  return { order: [...start, ...listedMiddle, ...rest, ...end], hidden, widths }
}

export function prefsFromLayout(layout: ColumnLayout, sortState: SortState | null | undefined): GridPrefs {
  return {
    visibleColumns: layout.order
      .filter((key) => !layout.hidden[key])
      .map((key) => ({ key, width: layout.widths[key] ?? smallestWidth })),
    sortState,
  }
}

/** Moves a column to the place of another; pinned columns neither move nor make room. */
export function moveColumn<T>(
  layout: ColumnLayout,
  columns: readonly GridColumn<T>[],
  key: string,
  onto: string,
): ColumnLayout {
  const pinned = new Set(columns.filter((column) => column.pinned).map((column) => column.id))
  if (key === onto || pinned.has(key) || pinned.has(onto)) return layout
  const from = layout.order.indexOf(key)
  const to = layout.order.indexOf(onto)
  if (from < 0 || to < 0) return layout
  const order = layout.order.filter((id) => id !== key)
  order.splice(to, 0, key)
  return { ...layout, order }
}

/** One step left or right past the neighbouring shown column. */
export function stepColumn<T>(
  layout: ColumnLayout,
  columns: readonly GridColumn<T>[],
  key: string,
  step: 1 | -1,
): ColumnLayout {
  const shown = layout.order.filter((id) => !layout.hidden[id])
  const neighbour = shown[shown.indexOf(key) + step]
  return neighbour === undefined ? layout : moveColumn(layout, columns, key, neighbour)
}

/** Sorting by a column: ascending, descending, then back to the grid's own order. */
export function nextSort(current: SortState | null | undefined, key: string): SortState | null {
  if (current?.key !== key) return { key, dir: 'asc' }
  return current.dir === 'asc' ? { key, dir: 'desc' } : null
}
