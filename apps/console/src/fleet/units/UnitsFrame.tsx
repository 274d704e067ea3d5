import { type ReactNode, type RefObject, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { setFilter, setPreferences, useFilter, usePreference } from '../../session/preferences/preferences.ts'
import type { GridHandle } from '../../ui/grid/use-row-keys.ts'
import { SplitView } from '../../ui/SplitView.tsx'
import { useHotKey } from '../../ui/use-hot-key.ts'
import { InspectorToggle } from './InspectorToggle.tsx'
import { UnitInspector } from './UnitInspector.tsx'
import { UnitsToolbar } from './UnitsToolbar.tsx'
import { useSelectedUnit, type useUnitMatches } from './units.ts'

export const inspect = (unitListExpanded: boolean) => setPreferences({ unitListExpanded })

/** It opens with the first selection: the room is the list's until then. */
export function useInspectorShown(): boolean {
  const isWanted = usePreference((all) => all.unitListExpanded)
  const [selectedUid] = useSelectedUnit()
  return isWanted && selectedUid !== null
}

interface UnitsFrameProps {
  matches: ReturnType<typeof useUnitMatches>
  list: RefObject<GridHandle | null>
  className: string | undefined
  /** In the bar, before the switch of the inspector. */
  tools?: ReactNode
  children: ReactNode
}

/** The units of the group with their search and filter, and the inspector of the selected one next to them. */
export function UnitsFrame({ matches, list, className, tools, children }: UnitsFrameProps) {
  const { t } = useTranslation('units')
  const filter = useFilter('device')
  const isWanted = usePreference((all) => all.unitListExpanded)
  const isShown = useInspectorShown()
  const [selectedUid] = useSelectedUnit()
  const search = useRef<{ focus: () => void }>(null)
  useHotKey('/', () => search.current?.focus())
  useHotKey('i', () => selectedUid !== null && inspect(!isWanted))
  const main = (
    <div className={className}>
      <UnitsToolbar
        filter={filter}
        onFilter={(next) => setFilter('device', next)}
        matches={matches}
        search={search}
        onLeaveSearch={() => list.current?.enter()}
      >
        {tools}
        <InspectorToggle open={isShown} onOpen={selectedUid === null ? undefined : inspect} />
      </UnitsToolbar>
      {children}
    </div>
  )
  return (
    <SplitView
      id="units-inspector"
      main={main}
      side={isShown ? <UnitInspector uid={selectedUid} /> : null}
      sideLabel={t('inspector.resize')}
    />
  )
}
