// A screen that is one list: search, what may be done, and the grid, arranged as the user left it.
import { type ReactNode, useRef, useState } from 'react'
import { setGridPrefs, usePreference } from '../session/preferences/preferences.ts'
import { ColumnsMenu } from '../ui/grid/ColumnsMenu.tsx'
import { LiveGrid, type LiveGridProps } from '../ui/grid/LiveGrid.tsx'
import type { GridHandle } from '../ui/grid/use-row-keys.ts'
import { QuickSearch } from '../ui/QuickSearch.tsx'
import { useHotKey } from '../ui/use-hot-key.ts'

type Kept = 'handle' | 'prefs' | 'onPrefs' | 'selectedId' | 'onSelect' | 'noMatch'

interface ListScreenProps<T> extends Omit<LiveGridProps<T>, Kept> {
  /** Under this name the arrangement of the columns is kept. */
  gridId: string
  search: { label: string; text: string; onText: (text: string) => void }
  /** Next to the menu of the columns. */
  actions?: ReactNode
  /** Between the toolbar and the list. */
  notice?: ReactNode
  noMatch: { title: string; text: string }
  /** Dialogs over the list. */
  children?: ReactNode
}

export function ListScreen<T>(props: ListScreenProps<T>) {
  const { gridId, search, actions, notice, noMatch, children, ...grid } = props
  const prefs = usePreference((all) => all.gridPrefs[gridId])
  const [selected, select] = useState<string | null>(null)
  const field = useRef<{ focus: () => void }>(null)
  const list = useRef<GridHandle>(null)
  useHotKey('/', () => field.current?.focus())
  const savePrefs = (next: Parameters<typeof setGridPrefs>[1]) => setGridPrefs(gridId, next)
  return (
    <div className="list-screen">
      <div className="toolbar-row">
        <QuickSearch
          ref={field}
          value={search.text}
          label={search.label}
          onChange={search.onText}
          onLeave={() => list.current?.enter()}
        />
        <span className="toolbar-end">
          {actions}
          <ColumnsMenu columns={grid.columns} prefs={prefs} onPrefs={savePrefs} />
        </span>
      </div>
      {notice}
      <div className="list-screen-grid">
        <LiveGrid
          {...grid}
          handle={list}
          prefs={prefs}
          onPrefs={savePrefs}
          selectedId={selected}
          onSelect={select}
          noMatch={{ ...noMatch, clear: () => search.onText('') }}
        />
      </div>
      {children}
    </div>
  )
}
