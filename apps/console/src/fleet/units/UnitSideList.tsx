// The units of the group as a short list, next to another view of them; filter, selection and keys are those of the list.
import { type Ref, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  setFilter,
  setGridPrefs,
  setPreferences,
  useFilter,
  usePreference,
} from '../../session/preferences/preferences.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { LiveGrid } from '../../ui/grid/LiveGrid.tsx'
import type { GridHandle } from '../../ui/grid/use-row-keys.ts'
import { useValue } from '../../ui/value.ts'
import { rowClass, unitColumns } from './unit-columns.tsx'
import { cleared } from './unit-filter.ts'
import { byStatusThenName } from './unit-presentation.ts'
import { knownUnit, type UnitMatches, useSelectedUnit } from './units.ts'
import { listFault, reloadUnits, unitStore, unitsState } from './units-live.ts'
import { useUnitKeys } from './use-unit-keys.ts'

const gridId = 'unitsBeside'
/** Its columns, and their widths in px. */
const widths: Readonly<Record<string, number>> = { status: 104, name: 136, location: 160 }

interface UnitSideListProps {
  matches: UnitMatches
  handle: Ref<GridHandle>
  onOpen: (uid: string) => void
}

export function UnitSideList({ matches, handle, onOpen }: UnitSideListProps) {
  const { t } = useTranslation('units')
  const mayOperate = useMay('operateUnits')
  const filter = useFilter('device')
  const prefs = usePreference((all) => all.gridPrefs[gridId])
  const loading = useValue(unitsState)
  const [selectedUid, select] = useSelectedUnit()
  const columns = useMemo(
    () =>
      unitColumns(t, mayOperate).flatMap(({ pinned: _, ...column }) => {
        const width = widths[column.id]
        return width === undefined ? [] : [{ ...column, width }]
      }),
    [t, mayOperate],
  )
  useUnitKeys(
    () => (selectedUid === null ? undefined : knownUnit(selectedUid)),
    () => setPreferences({ unitListExpanded: true }),
  )
  return (
    <LiveGrid
      label={t('list')}
      store={unitStore}
      columns={columns}
      filter={matches}
      defaultCompare={byStatusThenName}
      prefs={prefs}
      onPrefs={(next) => setGridPrefs(gridId, next)}
      selectedId={selectedUid}
      onSelect={select}
      handle={handle}
      takesFocus
      onOpen={onOpen}
      rowClass={rowClass}
      state={loading.state}
      errorText={listFault(loading)}
      onRetry={() => void reloadUnits()}
      empty={{ title: t('empty.title'), text: t('empty.text') }}
      noMatch={{
        title: t('noMatch.title'),
        text: t('noMatch.text'),
        clear: () => setFilter('device', cleared(filter)),
      }}
      exportName="units"
    />
  )
}
