// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed freely, which a table cannot be

import { IconArrowDown, IconArrowUp, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, Suspense, useRef, useState } from 'react'
import { loadedBehind } from '../loaded.ts'
import { cellClasses } from './cell-classes.ts'
import { type GridColumn, moveColumn, ownWidth, type SortState, stepColumn } from './grid-columns.ts'
import styles from './live-grid.module.css'
import type { ColumnsInUse } from './use-columns.ts'

interface GridHeaderProps<T> {
  columns: readonly GridColumn<T>[]
  inUse: ColumnsInUse<T>
  sort: SortState | null | undefined
  onSort: (key: string) => void
  /** Present when rows have a panel: opens or closes all of them. */
  expandAll?: { open: boolean; label: string; toggle: () => void } | undefined
}

const keyboardStepPx = 16

// Edges are there to be dragged as soon as the first screen is.
const ColumnResizer = loadedBehind(async () => (await import('./ColumnResizer.tsx')).ColumnResizer)

export function GridHeader<T>({ columns, inUse, sort, onSort, expandAll }: GridHeaderProps<T>) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const [roving, setRoving] = useState(0)
  const row = useRef<HTMLDivElement>(null)
  const { layout, setLayout, shown } = inUse
  const setWidth = (column: GridColumn<T>, width: number) =>
    setLayout({ ...layout, widths: { ...layout.widths, [column.id]: ownWidth(column, width) } })

  function focusHeader(index: number) {
    const next = Math.max(0, Math.min(shown.length - 1, index))
    setRoving(next)
    row.current?.querySelectorAll<HTMLElement>('[data-header]')[next]?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>, column: GridColumn<T>, index: number) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    if (event.altKey) setLayout(stepColumn(layout, columns, column.id, step))
    else if (event.shiftKey) {
      const seenWidth = event.currentTarget.parentElement?.offsetWidth ?? column.width
      setWidth(column, seenWidth + step * keyboardStepPx)
    } else focusHeader(index + step)
  }

  return (
    <div role="rowgroup" className={styles.gridHeader}>
      <div role="row" className={styles.gridHeaderRow} aria-rowindex={1} tabIndex={-1} ref={row}>
        {shown.map((column, index) => {
          const sorted = sort?.key === column.id ? sort.dir : null
          const movable = !column.pinned
          return (
            <div
              key={column.id}
              role="columnheader"
              tabIndex={-1}
              aria-colindex={index + 1}
              aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'}
              className={`${styles.gridHead} ${cellClasses(column)}`}
              data-column={column.id}
              data-drop={
                dragged !== null && over === column.id
                  ? dropSide(layout.order, dragged, column.id)
                  : undefined
              }
              draggable={movable && inUse.dragged === null}
              onDragStart={(event) => {
                setDragged(column.id)
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', column.title)
              }}
              onDragOver={(event) => {
                if (dragged === null || !movable) return
                event.preventDefault()
                setOver(column.id)
              }}
              onDragEnd={() => {
                setDragged(null)
                setOver(null)
              }}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged !== null) setLayout(moveColumn(layout, columns, dragged, column.id))
              }}
            >
              {index === 0 && expandAll ? (
                <button
                  type="button"
                  className={styles.gridExpander}
                  aria-label={expandAll.label}
                  aria-expanded={expandAll.open}
                  data-tip={expandAll.label}
                  onClick={expandAll.toggle}
                >
                  <IconChevronRight size={14} />
                </button>
              ) : null}
              <button
                type="button"
                data-header
                className={styles.gridSort}
                tabIndex={roving === index ? 0 : -1}
                disabled={column.actionsOnly === true}
                onFocus={() => setRoving(index)}
                onClick={() => onSort(column.id)}
                onKeyDown={(event) => onKeyDown(event, column, index)}
              >
                <span className="clip" data-grid-title>
                  {column.title}
                </span>
                {sorted === 'asc' ? <IconArrowUp size={12} /> : null}
                {sorted === 'desc' ? <IconArrowDown size={12} /> : null}
              </button>
              {column.actionsOnly ? null : (
                <Suspense fallback={<span className={styles.gridResizer} aria-hidden />}>
                  <ColumnResizer
                    column={column}
                    width={layout.widths[column.id] ?? column.width}
                    onDrag={(deltaPx) =>
                      inUse.setDragged(deltaPx === null ? null : { id: column.id, deltaPx })
                    }
                    onWidth={(width) => setWidth(column, width)}
                  />
                </Suspense>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function dropSide(order: readonly string[], dragged: string, over: string): 'before' | 'after' | undefined {
  if (dragged === over) return undefined
  return order.indexOf(dragged) < order.indexOf(over) ? 'after' : 'before'
}
