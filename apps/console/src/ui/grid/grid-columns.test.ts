import { expect, test } from 'vitest'
import {
  type GridColumn,
  layoutFromPrefs,
  moveColumn,
  nextSort,
  ownWidth,
  prefsFromLayout,
  stepColumn,
} from './grid-columns.ts'

const column = (id: string, more: Partial<GridColumn<string>> = {}): GridColumn<string> => ({
  id,
  title: id,
  width: 100,
  render: () => id,
  text: () => id,
  ...more,
})
const columns = [
  column('name', { pinned: 'start', required: true }),
  column('a'),
  column('b'),
  column('c', { hiddenAtFirst: true }),
  column('act', { pinned: 'end', actionsOnly: true }),
]

test('without memory the columns are as defined', () => {
  const layout = layoutFromPrefs(columns, undefined)
  expect(layout.order).toEqual(['name', 'a', 'b', 'c', 'act'])
  expect(layout.hidden).toEqual({ name: false, a: false, b: false, c: true, act: false })
})

test('remembered order, widths and visibility come back, and unknown columns are ignored', () => {
  const layout = layoutFromPrefs(columns, {
    visibleColumns: [
      { key: 'name', width: 150 },
      { key: 'gone', width: 10 },
      { key: 'c', width: 20 },
      { key: 'a', width: 90 },
    ],
  })
  expect(layout.order).toEqual(['name', 'c', 'a', 'b', 'act'])
  expect(layout.hidden).toEqual({ name: false, a: false, b: true, c: false, act: false })
  expect(layout.widths).toMatchObject({ name: 150, c: 48, a: 90 })
  const again = layoutFromPrefs(columns, prefsFromLayout(layout, null))
  expect(again).toEqual(layout)
})

test('columns move past each other but never past the pinned ones', () => {
  const layout = layoutFromPrefs(columns, undefined)
  expect(moveColumn(layout, columns, 'b', 'a').order).toEqual(['name', 'b', 'a', 'c', 'act'])
  expect(stepColumn(layout, columns, 'a', -1)).toBe(layout)
  expect(stepColumn(layout, columns, 'a', 1).order).toEqual(['name', 'b', 'a', 'c', 'act'])
})

test('a width that a user sets is kept, also where it is the one with which a roomy column begins', () => {
  const roomy = column('name', { width: 160, roomyWidth: 240 })
  expect([240, 176, 160, 20, 900].map((width) => ownWidth(roomy, width))).toEqual([240, 176, 159, 48, 640])
  expect(ownWidth(column('name', { width: 160 }), 160)).toBe(160)
})

test('a column sorts up, down, then not at all', () => {
  const up = nextSort(null, 'a')
  const down = nextSort(up, 'a')
  expect([up, down, nextSort(down, 'a')]).toEqual([{ key: 'a', dir: 'asc' }, { key: 'a', dir: 'desc' }, null])
})
