import type { GridColumn } from './grid-columns.ts'
import styles from './live-grid.module.css'

/** Alignment of the cells of the column, in the header as below it. */
export function cellClasses<T>({ align, pinned }: GridColumn<T>): string {
  const classes = [
    styles.gridCell,
    align === 'end' && styles.alignEnd,
    align === 'center' && styles.alignCenter,
    pinned && styles[pinned === 'start' ? 'pinnedStart' : 'pinnedEnd'],
  ]
  return classes.filter(Boolean).join(' ')
}
