// The "Export list" of a grid: CSV, UTF-8, visible columns, rows as filtered and sorted now (GAP-SCR-18).
import { byteOrderMark, CSV_TYPE, csvLine } from '@backhaul/contract/define/csv'
import type { GridColumn } from './grid-columns.ts'

export function listAsCsv<T>(columns: readonly GridColumn<T>[], items: readonly T[]): string {
  const exported = columns.filter((column) => !column.actionsOnly)
  const lines = [
    csvLine(exported.map((column) => column.title)),
    ...items.map((item) => csvLine(exported.map((column) => column.text(item)))),
  ]
  return `${byteOrderMark}${lines.join('')}`
}

export function download(fileName: string, text: string, type = CSV_TYPE): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
