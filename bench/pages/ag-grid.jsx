// AG Grid Community with the same rows, columns and changes: its transactions for lists that change often.
import { AllCommunityModule, createGrid } from 'ag-grid-community'
import { columns } from './list-columns.js'
import { listen, readUnits } from './live-units.js'

const units = new Map((await readUnits()).map((unit) => [unit.uid, unit]))
const place = document.querySelector('#root')
place.className = 'rows'
const options = {
  columnDefs: Object.entries(columns).map(([colId, show]) => ({
    colId,
    headerName: colId,
    width: 96,
    valueGetter: ({ data }) => show(data),
    ...(colId === 'name' && { sort: 'asc' }),
  })),
  rowData: [...units.values()],
  rowHeight: 34,
  rowBuffer: 8,
  getRowId: ({ data }) => data.uid,
  onFirstDataRendered: () => {
    document.title = 'ready'
  },
}
const grid = createGrid(place, options, { modules: [AllCommunityModule] })
listen([...units.values()], (changes) => {
  const update = []
  for (const [uid, change] of changes) {
    const unit = { ...units.get(uid), ...change }
    units.set(uid, unit)
    update.push(unit)
  }
  grid.applyTransactionAsync({ update })
})
