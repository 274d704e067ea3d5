import {
  columnResizingFeature,
  columnSizingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useLayoutEffect, useMemo, useState } from 'react'
import { type GridColumn, largestWidth, smallestWidth } from './grid-columns.ts'
import styles from './live-grid.module.css'

const features = tableFeatures({ columnSizingFeature, columnResizingFeature })

// The table model serves the width alone; rows are in the keyed store.
const noRows: object[] = []

const applied = <V,>(updater: Updater<V>, value: V): V =>
  typeof updater === 'function' ? (updater as (old: V) => V)(value) : updater

interface ColumnResizerProps {
  column: Pick<GridColumn<unknown>, 'id' | 'minWidth'>
  /** px, as set; a roomy column is seen wider */
  width: number
  /** The distance of the edge from that width, in px; null: it is not dragged. */
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
  const [seenWidth, setSeenWidth] = useState(width)
  const sizing = { [id]: seenWidth }
  const table = useTable({
    features,
    columns,
    data: noRows,
    columnResizeMode: 'onEnd',
    state: { columnSizing: sizing },
    onColumnSizingChange: (updater) => onWidth(applied(updater, sizing)[id] ?? seenWidth),
  })
  const { isResizingColumn, deltaOffset } = table.state.columnResizing
  const deltaPx = isResizingColumn === id ? (deltaOffset ?? 0) + seenWidth - width : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each distance is reported once
  useLayoutEffect(() => onDrag(deltaPx), [deltaPx])
  const start = table.getHeaderGroups()[0]?.headers[0]?.getResizeHandler()
  return (
    <span
      className={styles.gridResizer}
      data-resizer
      data-resizing={deltaPx === null ? undefined : true}
      aria-hidden
      onPointerDown={({ currentTarget }) => setSeenWidth(currentTarget.parentElement?.offsetWidth ?? width)}
      onMouseDown={start}
      onTouchStart={start}
    />
  )
}
