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
  return { layout, setLayout, shown, dragged, setDragged, ...measures(shown, layout, dragged) }
}

/** Spare room of the screen goes to the roomy columns, then to a track before the columns pinned at the end. */
function measures<T>(shown: readonly GridColumn<T>[], layout: ColumnLayout, dragged: Dragged | null) {
  const start: string[] = []
  const end: string[] = []
  let totalWidth = 0
  for (const { id, minWidth, pinned, roomyWidth, width: first } of shown) {
    const isDragged = dragged?.id === id
    const width = clampWidth(
      (layout.widths[id] ?? smallestWidth) + (isDragged ? dragged.deltaPx : 0),
      minWidth,
    )
    totalWidth += width
    const isRoomy = roomyWidth !== undefined && width === first && !isDragged
    ;(pinned === 'end' ? end : start).push(isRoomy ? `minmax(${width}px, ${roomyWidth}px)` : `${width}px`)
  }
  return { template: [...start, 'minmax(0, 1fr)', ...end].join(' '), totalWidth }
}
