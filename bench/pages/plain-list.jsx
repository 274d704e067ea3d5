// The usual way to show a live table: all rows in React state, TanStack Table over it, virtual rows.
// It reads the same list and the same push as the console.
import { tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { columns } from './list-columns.js'
import { listen, readUnits } from './live-units.js'

const features = tableFeatures({})
const tableColumns = Object.entries(columns).map(([id, accessorFn]) => ({ id, header: id, accessorFn }))

function PlainList({ first }) {
  const [units, setUnits] = useState(first)
  useEffect(
    () =>
      listen(first, (changes) =>
        setUnits((before) =>
          before.map((unit) => (changes.has(unit.uid) ? { ...unit, ...changes.get(unit.uid) } : unit)),
        ),
      ),
    [first],
  )
  const data = useMemo(
    () => [...units].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    [units],
  )
  const table = useTable({ features, columns: tableColumns, data, getRowId: (unit) => unit.uid })
  const { rows } = table.getRowModel()
  const scroll = useRef(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 34,
    overscan: 8,
  })
  return (
    <div ref={scroll} className="rows">
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <div key={rows[index].id} className="row" style={{ transform: `translateY(${start}px)` }}>
            {rows[index].getAllCells().map((cell) => (
              <div key={cell.id} className="cell" data-column={cell.column.id}>
                <table.FlexRender cell={cell} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

const first = await readUnits()
createRoot(document.querySelector('#root')).render(<PlainList first={first} />)
document.title = 'ready'
