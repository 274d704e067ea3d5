// /unit/map: the units of the group where they are, and the same units as a list next to it.
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useClosed } from '../../people/groups/groups.ts'
import type { GridHandle } from '../../ui/grid/use-row-keys.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { UnitSideList } from '../units/UnitSideList.tsx'
import { UnitsFrame } from '../units/UnitsFrame.tsx'
import { liveUnits, useSelectedUnit, useUnitMatches } from '../units/units.ts'
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
  const navigate = useNavigate()
  const matches = useUnitMatches()
  const [selectedUid, select] = useSelectedUnit()
  const isNarrow = useNarrow()
  const list = useRef<GridHandle>(null)
  const open = (uid: string) =>
    void navigate({ to: '/unit/$uid', params: { uid }, search: { ignoreRouteDefault: '1' } })

  const field = <MapField matches={matches} selectedUid={selectedUid} onSelect={select} onOpen={open} />
  const sideList = (
    <div className={styles.mapList}>
      <UnitSideList matches={matches} handle={list} onOpen={open} />
    </div>
  )
  return (
    <UnitsFrame rows={liveUnits} matches={matches} list={list} className={styles.mapMain}>
      {/* The keyboard reaches first the part that is seen first. */}
      <div className={styles.mapBody} data-narrow={isNarrow || undefined}>
        {isNarrow ? field : sideList}
        {isNarrow ? sideList : field}
      </div>
    </UnitsFrame>
  )
}
