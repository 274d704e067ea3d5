// /unit/map: the units of the group where they are, and the same units as a list next to it.
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useClosed } from '../../people/groups/groups.ts'
import { setFilter, setPreferences, useFilter, usePreference } from '../../session/preferences/preferences.ts'
import type { GridHandle } from '../../ui/grid/use-row-keys.ts'
import { SplitView } from '../../ui/SplitView.tsx'
import { useHotKey } from '../../ui/use-hot-key.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { InspectorToggle } from '../units/InspectorToggle.tsx'
import { UnitInspector } from '../units/UnitInspector.tsx'
import { UnitSideList } from '../units/UnitSideList.tsx'
import { UnitsToolbar } from '../units/UnitsToolbar.tsx'
import { useSelectedUnit, useUnitMatches } from '../units/units.ts'
import { MapField } from './MapField.tsx'
import styles from './map.module.css'

export function MapPage() {
  const { t } = useTranslation('map')
  const closed = useClosed('map')
  if (closed === undefined) return <OpenMap />
  return (
    <div className="forbidden">
      <p>{t('closed')}</p>
    </div>
  )
}

function OpenMap() {
  const { t } = useTranslation('units')
  const navigate = useNavigate()
  const filter = useFilter('device')
  const matches = useUnitMatches()
  const [selectedUid, select] = useSelectedUnit()
  const inspecting = usePreference((all) => all.unitListExpanded)
  const inspectorShown = inspecting && selectedUid !== null
  const isNarrow = useNarrow()
  const search = useRef<{ focus: () => void }>(null)
  const list = useRef<GridHandle>(null)
  const inspect = (unitListExpanded: boolean) => setPreferences({ unitListExpanded })
  useHotKey('/', () => search.current?.focus())
  useHotKey('i', () => selectedUid !== null && inspect(!inspecting))
  const open = (uid: string) =>
    void navigate({ to: '/unit/$uid', params: { uid }, search: { ignoreRouteDefault: '1' } })

  const field = <MapField matches={matches} selectedUid={selectedUid} onSelect={select} onOpen={open} />
  const sideList = (
    <div className={styles.mapList}>
      <UnitSideList matches={matches} handle={list} onOpen={open} />
    </div>
  )
  const main = (
    <div className={styles.mapMain}>
      <UnitsToolbar
        filter={filter}
        onFilter={(next) => setFilter('device', next)}
        matches={matches}
        search={search}
        onLeaveSearch={() => list.current?.enter()}
      >
        <InspectorToggle open={inspectorShown} onOpen={selectedUid === null ? undefined : inspect} />
      </UnitsToolbar>
      {/* What is seen first is reached first by the keyboard. */}
      <div className={styles.mapBody} data-narrow={isNarrow || undefined}>
        {isNarrow ? field : sideList}
        {isNarrow ? sideList : field}
      </div>
    </div>
  )
  return (
    <SplitView
      id="units-inspector"
      main={main}
      side={inspectorShown ? <UnitInspector uid={selectedUid} /> : null}
      sideLabel={t('inspector.resize')}
    />
  )
}
