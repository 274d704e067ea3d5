import { expect, test } from 'vitest'
import { listAsCsv } from './export-list.ts'
import type { GridColumn } from './grid-columns.ts'

interface Row {
  name: string
  note: string
}
const columns: GridColumn<Row>[] = [
  { id: 'name', title: 'Name', width: 1, render: (row) => row.name, text: (row) => row.name },
  { id: 'note', title: 'Note', width: 1, render: (row) => row.note, text: (row) => row.note },
  { id: 'act', title: '', width: 1, actionsOnly: true, render: () => null, text: () => '' },
]

test('the export is CSV in UTF-8 with quoted commas, quotes and line breaks', () => {
  expect(listAsCsv(columns, [{ name: 'Zoë, 1', note: 'say "hi"\nnow' }])).toBe(
    '\uFEFFName,Note\r\n"Zoë, 1","say ""hi""\nnow"\r\n',
  )
})

test('text that a spreadsheet would run remains text, negative numbers remain numbers', () => {
  expect(listAsCsv(columns, [{ name: '=1+1', note: '-71' }])).toContain("'=1+1,-71")
})
