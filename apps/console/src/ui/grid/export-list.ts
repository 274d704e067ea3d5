// The "Export list" of a grid: CSV, UTF-8, visible columns, rows as filtered and sorted now (GAP-SCR-18).
import type { GridColumn } from './grid-columns.ts'

const byteOrderMark = '\uFEFF'

/** A spreadsheet runs a cell that begins like a formula; the names people type must stay text. */
function cell(text: string): string {
  const harmless = /^[=+@\t\r]/.test(text) || (/^-/.test(text) && !/^-[\d.,]+/.test(text)) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function listAsCsv<T>(columns: readonly GridColumn<T>[], items: readonly T[]): string {
  const exported = columns.filter((column) => !column.actionsOnly)
  const lines = [
    exported.map((column) => cell(column.title)).join(','),
    ...items.map((item) => exported.map((column) => cell(column.text(item))).join(',')),
  ]
  return `${byteOrderMark}${lines.join('\r\n')}\r\n`
}

export function download(fileName: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
