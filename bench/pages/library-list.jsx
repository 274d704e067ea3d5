// The least page that shows the unit list with the libraries that the console shows it with: React, router, query cache, table
// and virtual rows. The same rows, which the document requests before this script is there; no push, no words, no rights, no
// styles but those of a row.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { columns } from './list-columns.js'

const features = tableFeatures({})
const tableColumns = Object.entries(columns).map(([id, accessorFn]) => ({ id, header: id, accessorFn }))
const none = []

function List() {
  const { data = none } = useQuery({ queryKey: ['units'], queryFn: () => globalThis.firstUnits })
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
          <div
            key={rows[index].id}
            data-row-id={rows[index].id}
            className="row"
            style={{ transform: `translateY(${start}px)` }}
          >
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

const root = createRootRoute()
const list = createRoute({ getParentRoute: () => root, path: '/', component: List })
const router = createRouter({ routeTree: root.addChildren([list]) })
createRoot(document.querySelector('#root')).render(
  <QueryClientProvider client={new QueryClient()}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
