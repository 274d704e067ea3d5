// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed freely, which a table cannot be

import { IconChevronRight } from '@tabler/icons-react'
import { memo, type ReactElement, type ReactNode } from 'react'
import { type ReadStore, useItem } from '../keyed-store.ts'
import { cellClasses } from './cell-classes.ts'
import type { GridColumn } from './grid-columns.ts'
import styles from './live-grid.module.css'

interface GridRowProps<T> {
  store: ReadStore<T>
  id: string
  /** Position among the shown rows, from 0. */
  index: number
  /** px from the top of the rows */
  top: number
  columns: readonly GridColumn<T>[]
  selected: boolean
  /** The one row that takes part in the tab order. */
  roving: boolean
  expanded: boolean
  renderPanel: ((item: T) => ReactNode) | undefined
  expandLabel: string
  rowClass: ((item: T) => string) | undefined
}

function Row<T>(props: GridRowProps<T>) {
  const { store, id, index, top, columns, selected, roving, expanded, renderPanel } = props
  const item = useItem(store, id)
  if (item === undefined) return null
  const extra = props.rowClass?.(item) ?? ''
  return (
    <>
      <div
        role="row"
        className={`${styles.gridRow} ${extra}`}
        aria-rowindex={index + 2}
        aria-selected={selected}
        aria-expanded={renderPanel ? expanded : undefined}
        data-row-id={id}
        data-index={index}
        tabIndex={roving ? 0 : -1}
        style={{ transform: `translateY(${top}px)` }}
      >
        {columns.map((column, position) => (
          <div
            key={column.id}
            role="gridcell"
            tabIndex={-1}
            aria-colindex={position + 1}
            className={cellClasses(column)}
            data-column={column.id}
          >
            {position === 0 && renderPanel ? (
              <button
                type="button"
                tabIndex={-1}
                className={styles.gridExpander}
                data-expander
                aria-label={props.expandLabel}
                aria-expanded={expanded}
              >
                <IconChevronRight size={14} />
              </button>
            ) : null}
            {cut(column.render(item))}
          </div>
        ))}
      </div>
      {expanded && renderPanel ? (
        <div
          role="row"
          tabIndex={-1}
          className={styles.gridPanel}
          style={{ transform: `translateY(calc(${top}px + var(--row-height)))` }}
        >
          <div role="gridcell" tabIndex={-1} aria-colspan={columns.length} className={styles.gridPanelInner}>
            {renderPanel(item)}
          </div>
        </div>
      ) : null}
    </>
  )
}

/** Plain words that do not fit end in dots, and the tooltip of the page shows the rest. */
const cut = (shown: ReactNode): ReactNode =>
  typeof shown === 'string' || typeof shown === 'number' ? <span className="clip">{shown}</span> : shown

export const GridRow = memo(Row) as <T>(props: GridRowProps<T>) => ReactElement
