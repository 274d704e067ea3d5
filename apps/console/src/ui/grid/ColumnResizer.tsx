import {
  columnResizingFeature,
  columnSizingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useLayoutEffect, useMemo } from 'react'
import { type GridColumn, largestWidth, smallestWidth } from './grid-columns.ts'
import styles from './live-grid.module.css'

const features = tableFeatures({ columnSizingFeature, columnResizingFeature })

// The table model serves the width alone; rows are in the keyed store.
const noRows: object[] = []

const applied = <V,>(updater: Updater<V>, value: V): V =>
  typeof updater === 'function' ? (updater as (old: V) => V)(value) : updater

interface ColumnResizerProps {
  column: Pick<GridColumn<unknown>, 'id' | 'minWidth'>
  /** px, before the edge is dragged */
  width: number
  /** The distance that the edge is dragged now, in px; null: not at all. */
  onDrag: (deltaPx: number | null) => void
  onWidth: (width: number) => void
}

/** The edge of a column, which mouse and touch drag. */
export function ColumnResizer({ column, width, onDrag, onWidth }: ColumnResizerProps) {
  const { id, minWidth = smallestWidth } = column
  const columns = useMemo(
    () => [{ id, accessorFn: () => null, minSize: minWidth, maxSize: largestWidth }],
    [id, minWidth],
  )
  const sizing = { [id]: width }
  const table = useTable({
    features,
    columns,
    data: noRows,
    columnResizeMode: 'onEnd',
    state: { columnSizing: sizing },
    onColumnSizingChange: (updater) => onWidth(applied(updater, sizing)[id] ?? width),
  })
  const { isResizingColumn, deltaOffset } = table.state.columnResizing
  const deltaPx = isResizingColumn === id ? (deltaOffset ?? 0) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each distance is reported once
  useLayoutEffect(() => onDrag(deltaPx), [deltaPx])
  const start = table.getHeaderGroups()[0]?.headers[0]?.getResizeHandler()
  return (
    <span
      className={styles.gridResizer}
      data-resizer
      data-resizing={deltaPx === null ? undefined : true}
      aria-hidden
      onMouseDown={start}
      onTouchStart={start}
    />
  )
}
