// The columns of a grid as they are shown: which, in which order, and how wide.
import { useMemo, useState } from 'react'
import {
  type ColumnLayout,
  clampWidth,
  type GridColumn,
  type GridPrefs,
  layoutFromPrefs,
  prefsFromLayout,
  smallestWidth,
} from './grid-columns.ts'

/** A column whose edge is being dragged, and how far, in px. */
export interface Dragged {
  id: string
  deltaPx: number
}

export interface ColumnsInUse<T> {
  layout: ColumnLayout
  setLayout: (layout: ColumnLayout) => void
  /** Shown columns in their order. */
  shown: readonly GridColumn<T>[]
  dragged: Dragged | null
  setDragged: (dragged: Dragged | null) => void
  /** The widths of the columns for the CSS variables of the grid root. */
  template: string
  totalWidth: number
}

export function useColumns<T>(
  columns: readonly GridColumn<T>[],
  prefs: GridPrefs | undefined,
  onPrefs: (prefs: GridPrefs) => void,
): ColumnsInUse<T> {
  const layout = useMemo(() => layoutFromPrefs(columns, prefs), [columns, prefs])
  const setLayout = (next: ColumnLayout) => onPrefs(prefsFromLayout(next, prefs?.sortState))
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const shown = useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]))
    return layout.order.flatMap((id) => (layout.hidden[id] ? [] : (byId.get(id) ?? [])))
  }, [columns, layout])
  const widthOf = ({ id, minWidth }: GridColumn<T>) =>
    clampWidth((layout.widths[id] ?? smallestWidth) + (dragged?.id === id ? dragged.deltaPx : 0), minWidth)
  return { layout, setLayout, shown, dragged, setDragged, ...measures(shown, widthOf) }
}

/** A stretching track before the columns pinned at the end takes up what the screen has to spare. */
function measures<T>(shown: readonly GridColumn<T>[], widthOf: (column: GridColumn<T>) => number) {
  const start: string[] = []
  const end: string[] = []
  let totalWidth = 0
  for (const column of shown) {
    const width = widthOf(column)
    totalWidth += width
    ;(column.pinned === 'end' ? end : start).push(`${width}px`)
  }
  return { template: [...start, 'minmax(0, 1fr)', ...end].join(' '), totalWidth }
}
