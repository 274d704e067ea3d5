// The least page that keeps all units of the list current: no framework. It applies each change as it comes, and once a frame
// it writes those texts in sight that have changed.
import { columns } from './list-columns.js'
import { listenToEach, readUnits } from './live-units.js'

const rowHeight = 34
const overscan = 8

const units = await readUnits()
units.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
const byUid = new Map(units.map((unit) => [unit.uid, unit]))

function addDiv(parent, className) {
  const div = document.createElement('div')
  div.className = className
  parent.append(div)
  return div
}

function addCell(row, unit, [id, show]) {
  const cell = addDiv(row, 'cell')
  cell.dataset.column = id
  const text = document.createTextNode(show(unit))
  cell.append(text)
  return { show, text, shown: text.data }
}

const scroll = addDiv(document.querySelector('#root'), 'rows')
const all = addDiv(scroll, '')
all.style.cssText = `position: relative; height: ${units.length * rowHeight}px`
const inSight = units.slice(0, Math.ceil(scroll.clientHeight / rowHeight) + overscan)
const cells = new Map(
  inSight.map((unit, index) => {
    const row = addDiv(all, 'row')
    row.style.transform = `translateY(${index * rowHeight}px)`
    return [unit, Object.entries(columns).map((column) => addCell(row, unit, column))]
  }),
)

const changed = new Set()

function write() {
  for (const unit of changed)
    for (const cell of cells.get(unit)) {
      const now = String(cell.show(unit))
      if (now === cell.shown) continue
      cell.shown = now
      cell.text.data = now
    }
  changed.clear()
}

listenToEach(units, (uid, change) => {
  const unit = Object.assign(byUid.get(uid), change)
  if (!cells.has(unit)) return
  if (changed.size === 0) requestAnimationFrame(write)
  changed.add(unit)
})
document.title = 'ready'
