import type { ReactNode } from 'react'
import styles from './static-table.module.css'

interface StaticTableProps {
  /** The table's name, read by a screen reader. */
  label: string
  /** The head of each column; none where the cells explain themselves. */
  columns?: readonly string[]
  /** Number of leading columns of text; the others hold figures, at the end of their cells. By default all are text. */
  textColumns?: number
  /** Rows are as high as their text, for small print. */
  isDense?: boolean
  /** Columns share the width, and what is too long for one is cut. */
  isFixed?: boolean
  /** Styles of its owner: widths of columns. */
  className?: string | undefined
  colgroup?: ReactNode
  foot?: ReactNode
  /** The rows. */
  children: ReactNode
}

/** A short read-only table. A list that is long, live, sorted or chosen from is a LiveGrid. */
export function StaticTable(props: StaticTableProps) {
  const { label, columns, textColumns, isDense, isFixed, className = '', colgroup, foot, children } = props
  return (
    <table
      className={`${styles.table} ${className}`}
      aria-label={label}
      data-dense={isDense || undefined}
      data-fixed={isFixed || undefined}
    >
      {colgroup}
      {columns ? (
        <thead>
          <tr>
            {columns.map((title, at) => (
              <th
                key={title}
                scope="col"
                data-figure={(textColumns !== undefined && at >= textColumns) || undefined}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
      ) : null}
      <tbody>{children}</tbody>
      {foot ? <tfoot>{foot}</tfoot> : null}
    </table>
  )
}
