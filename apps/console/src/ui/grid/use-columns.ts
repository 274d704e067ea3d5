import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import {
  type ColumnLayout,
  clampWidth,
  type GridColumn,
  type GridPrefs,
  largestWidth,
  layoutFromPrefs,
  prefsFromLayout,
  smallestWidth,
} from './grid-columns.ts'

const features = tableFeatures({
  columnSizingFeature,
  columnResizingFeature,
  columnOrderingFeature,
  columnVisibilityFeature,
})

// The table model serves the columns alone; rows live in the keyed store.
const noRows: object[] = []

function applied<V>(updater: Updater<V>, value: V): V {
  return typeof updater === 'function' ? (updater as (old: V) => V)(value) : updater
}

export interface ColumnsInUse<T> {
  layout: ColumnLayout
  setLayout: (layout: ColumnLayout) => void
  /** Shown columns in their order, each with what starts a resize by mouse or touch. */
  shown: { column: GridColumn<T>; startResize: (event: unknown) => void; resizing: boolean }[]
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
  const defs = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: () => null,
        size: column.width,
        minSize: column.minWidth ?? smallestWidth,
        maxSize: largestWidth,
        enableResizing: !column.actionsOnly,
      })),
    [columns],
  )
  const visibility = useMemo(
    () => Object.fromEntries(layout.order.map((id) => [id, !layout.hidden[id]])),
    [layout],
  )
  const table = useTable({
    features,
    columns: defs,
    data: noRows,
    columnResizeMode: 'onEnd',
    state: { columnOrder: layout.order, columnVisibility: visibility, columnSizing: layout.widths },
    onColumnSizingChange: (updater) => setLayout({ ...layout, widths: applied(updater, layout.widths) }),
  })

  const byId = new Map(columns.map((column) => [column.id, column]))
  const resizing = table.state.columnResizing
  const widthOf = (id: string) => {
    const stored = layout.widths[id] ?? smallestWidth
    const delta = resizing.isResizingColumn === id ? (resizing.deltaOffset ?? 0) : 0
    return clampWidth(stored + delta, byId.get(id)?.minWidth)
  }
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const shown = headers.flatMap((header) => {
    const column = byId.get(header.column.id)
    if (!column) return []
    return [
      { column, startResize: header.getResizeHandler(), resizing: resizing.isResizingColumn === column.id },
    ]
  })
  return { layout, setLayout, shown, ...measures(shown, widthOf) }
}

/** A stretching track before the columns pinned at the end takes up what the screen has to spare. */
function measures<T>(shown: { column: GridColumn<T> }[], widthOf: (id: string) => number) {
  const start: string[] = []
  const end: string[] = []
  let totalWidth = 0
  for (const { column } of shown) {
    const width = widthOf(column.id)
    totalWidth += width
    ;(column.pinned === 'end' ? end : start).push(`${width}px`)
  }
  return { template: [...start, 'minmax(0, 1fr)', ...end].join(' '), totalWidth }
}
