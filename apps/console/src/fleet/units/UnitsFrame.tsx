import { type ReactNode, type RefObject, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { setFilter, setPreferences, useFilter, usePreference } from '../../session/preferences/preferences.ts'
import type { GridHandle } from '../../ui/grid/use-row-keys.ts'
import { type ReadStore, useListVersion } from '../../ui/keyed-store.ts'
import { loaded } from '../../ui/loaded.ts'
import { SplitView } from '../../ui/SplitView.tsx'
import { useHotKey } from '../../ui/use-hot-key.ts'
import { InspectorToggle } from './InspectorToggle.tsx'
import type { ListRow } from './list-row.ts'
import { UnitsToolbar } from './UnitsToolbar.tsx'
import { useFleetIsKnown, useSelectedUnit } from './units.ts'

const ServerInspector = loaded(async () => (await import('../servers/ServerInspector.tsx')).ServerInspector)
const UnitInspector = loaded(async () => (await import('./UnitInspector.tsx')).UnitInspector)

export const inspect = (unitListExpanded: boolean) => setPreferences({ unitListExpanded })

/** It opens with the first selection: the room is the list's until then. */
export function useInspectorShown(): boolean {
  const isWanted = usePreference((all) => all.unitListExpanded)
  const [selectedUid] = useSelectedUnit()
  return isWanted && selectedUid !== null
}

interface UnitsFrameProps<T extends ListRow> {
  /** Rows before the filter. */
  rows: ReadStore<T>
  matches: ((row: T) => boolean) | undefined
  /** Also servers can be chosen among the kinds, and one may be selected in place of a unit. */
  servers?: { selectedId: string | null }
  list: RefObject<GridHandle | null>
  className: string | undefined
  /** In the bar, before the switch of the inspector. */
  tools?: ReactNode
  children: ReactNode
}

/** The units of the group with their search and filter, and the inspector of the selected one next to them. */
export function UnitsFrame<T extends ListRow>(props: UnitsFrameProps<T>) {
  const { rows, matches, servers, list, className, tools, children } = props
  const { t } = useTranslation('units')
  const filter = useFilter('device')
  const isWanted = usePreference((all) => all.unitListExpanded)
  const [selectedUid] = useSelectedUnit()
  const serverId = servers?.selectedId ?? null
  const isSelected = selectedUid !== null || serverId !== null
  const isShown = isWanted && isSelected
  const search = useRef<{ focus: () => void }>(null)
  useHotKey('/', () => search.current?.focus())
  useHotKey('i', () => isSelected && inspect(!isWanted))
  const main = (
    <div className={className}>
      <UnitsToolbar
        filter={filter}
        onFilter={(next) => setFilter('device', next)}
        hidden={<Hidden rows={rows} matches={matches} />}
        hasServers={servers !== undefined}
        search={search}
        onLeaveSearch={() => list.current?.enter()}
      >
        {tools}
        <InspectorToggle open={isShown} onOpen={isSelected ? inspect : undefined} />
      </UnitsToolbar>
      {children}
    </div>
  )
  const side = (
    <Suspense fallback={null}>
      {serverId === null ? (
        <UnitInspector uid={selectedUid} />
      ) : (
        <ServerInspector key={serverId} id={serverId} />
      )}
    </Suspense>
  )
  return (
    <SplitView
      id="units-inspector"
      main={main}
      side={isShown ? side : null}
      sideLabel={t('inspector.resize')}
    />
  )
}

/** A filtered list must not be taken for the whole fleet. */
function Hidden<T extends ListRow>({ rows, matches }: Pick<UnitsFrameProps<T>, 'rows' | 'matches'>) {
  const { t } = useTranslation('units')
  const isKnown = useFleetIsKnown()
  useListVersion(rows)
  if (!matches || !isKnown) return null
  const total = rows.size()
  let hidden = 0
  for (const id of rows.ids()) if (!matches(rows.get(id) as T)) hidden += 1
  return hidden === 0 ? null : <span role="status">{t('filter.hidden', { hidden, total })}</span>
}
