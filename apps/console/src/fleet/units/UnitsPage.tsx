// /unit/list: the fleet of the group, live.
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { push } from '../../doors/push.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { setFilter, setGridPrefs, useFilter, usePreference } from '../../session/preferences/preferences.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { ColumnsPlace } from '../../ui/grid/ColumnsLabel.tsx'
import { LiveGrid, type LiveGridProps } from '../../ui/grid/LiveGrid.tsx'
import type { GridHandle } from '../../ui/grid/use-row-keys.ts'
import { joinedStore, useHasItem, useIsEmpty } from '../../ui/keyed-store.ts'
import { loaded, loadedBehind } from '../../ui/loaded.ts'
import { useValue } from '../../ui/value.ts'
import { liveServers, useGroupServers } from '../servers/servers.ts'
import { AddUnitButton } from './AddUnitButton.tsx'
import { listColumns } from './list-columns.tsx'
import { byKindThenStatus, isServer, type ListRow } from './list-row.ts'
import { UnitCountersBar } from './UnitCountersBar.tsx'
import { inspect, UnitsFrame, useInspectorShown } from './UnitsFrame.tsx'
import { rowClass } from './unit-columns.tsx'
import { cleared } from './unit-filter.ts'
import { useListMatches, useSelectedUnit } from './units.ts'
import { type LiveUnit, listFault, reloadUnits, unitStore, unitsState } from './units-live.ts'
import styles from './units-page.module.css'
import { useUnitKeys } from './use-unit-keys.ts'

// Panels of the list, and its menus, do not hold up its first rows.
const ColumnsMenu = loadedBehind(
  async () => (await import('../../ui/grid/ColumnsMenu.tsx')).ColumnsMenu<ListRow>,
)
const AddUnitDialog = loadedBehind(async () => (await import('./AddUnitDialog.tsx')).AddUnitDialog)
const RowMenu = loaded(async () => (await import('./RowMenu.tsx')).RowMenu)
const ServerPanel = loaded(async () => (await import('../servers/ServerPanel.tsx')).ServerPanel)
const UnitDetails = loaded(async () => (await import('./UnitDetails.tsx')).UnitDetails)

/** px: up to eight links, and some air */
const detailsHeight = 214
const gridId = 'units'
const listRows = joinedStore(unitStore, liveServers)

export function UnitsPage() {
  const { t } = useTranslation('units')
  const { t: serverWords } = useTranslation('servers')
  const navigate = useNavigate()
  const mayOperate = useMay('operateUnits')
  const prefs = usePreference((all) => all.gridPrefs[gridId])
  const [selectedUid, selectUnit] = useSelectedUnit()
  const [chosenServer, selectServer] = useState<string | null>(null)
  const serverId = useHasItem(liveServers, chosenServer) ? chosenServer : null
  const inspectorShown = useInspectorShown()
  const columns = useMemo(() => listColumns(t, serverWords, mayOperate), [t, serverWords, mayOperate])
  const matches = useListMatches()
  const list = useRef<GridHandle>(null)
  useGroupServers()
  useUnitKeys(actedOn, () => inspect(true))

  const open = (uid: string) => {
    const to = liveServers.get(uid) ? '/unit/server/$uid' : '/unit/$uid'
    void navigate({ to, params: { uid }, search: { ignoreRouteDefault: '1' } })
  }
  const select = (uid: string) => {
    const server = liveServers.get(uid)
    selectServer(server ? uid : null)
    if (!server) selectUnit(uid)
  }
  const savePrefs = (next: Parameters<typeof setGridPrefs>[1]) => setGridPrefs(gridId, next)

  /** The selected unit, as long as it is in sight and the keyboard is not in the row of another; a server has no such keys. */
  function actedOn(): LiveUnit | undefined {
    const unit = selectedUid === null || serverId !== null ? undefined : unitStore.get(selectedUid)
    const row = document.activeElement?.closest<HTMLElement>('[data-row-id]')
    if (unit === undefined || (row && row.dataset.rowId !== unit.uid)) return undefined
    return inspectorShown || matches?.(unit) !== false ? unit : undefined
  }

  return (
    <UnitsFrame
      rows={listRows}
      matches={matches}
      servers={{ selectedId: serverId }}
      list={list}
      className={styles.unitsMain}
      tools={
        <>
          <AddUnitButton inBar />
          <Suspense fallback={<ColumnsPlace />}>
            <ColumnsMenu columns={columns} prefs={prefs} onPrefs={savePrefs} />
          </Suspense>
        </>
      }
    >
      <div className={styles.unitsGrid}>
        <UnitGrid
          columns={columns}
          filter={matches}
          prefs={prefs}
          onPrefs={savePrefs}
          selectedId={serverId ?? selectedUid}
          onSelect={select}
          handle={list}
          onOpen={open}
          renderRowMenu={(id, place) => <RowMenu id={id} onOpen={open} {...place} />}
        />
      </div>
      <UnitCountersBar />
      <Suspense fallback={null}>
        <AddUnitDialog />
      </Suspense>
    </UnitsFrame>
  )
}

type UnitGridProps = Pick<
  LiveGridProps<ListRow>,
  | 'columns'
  | 'filter'
  | 'prefs'
  | 'onPrefs'
  | 'selectedId'
  | 'onSelect'
  | 'handle'
  | 'onOpen'
  | 'renderRowMenu'
>

function UnitGrid(props: UnitGridProps) {
  const { t } = useTranslation('units')
  const filter = useFilter('device')
  const [allOpen, setAllOpen] = useState(false)
  const hasNoUnits = useIsEmpty(unitStore)
  const loading = useValue(unitsState)
  const groups = useGroups()
  const noGroup = groups.state === 'ready' && groups.current === null
  const failed = loading.state === 'error' || groups.state === 'error'
  return (
    <LiveGrid
      {...props}
      label={t('list')}
      store={listRows}
      isEmpty={hasNoUnits}
      defaultCompare={byKindThenStatus}
      takesFocus
      rowClass={rowClass}
      renderPanel={panelOf}
      panelHeight={detailsHeight}
      allExpanded={allOpen}
      onAllExpanded={setAllOpen}
      state={failed ? 'error' : noGroup ? 'ready' : loading.state}
      errorText={listFault(loading)}
      onRetry={retry}
      empty={
        noGroup
          ? { title: t('noGroup.title'), text: t('noGroup.text') }
          : { title: t('empty.title'), text: t('empty.text'), action: <AddUnitButton /> }
      }
      noMatch={{
        title: t('noMatch.title'),
        text: t('noMatch.text'),
        clear: () => setFilter('device', cleared(filter)),
      }}
      exportName={`units-${groups.current?.name ?? ''}`}
    />
  )
}

/** The same function each time: rows render again for another one. */
const panelOf = (row: ListRow) => (
  <Suspense fallback={null}>
    {isServer(row) ? <ServerPanel id={row.deviceId} /> : <UnitDetails unit={row} />}
  </Suspense>
)

function retry(): void {
  if (push.link().kind === 'gaveUp') push.retryNow()
  void reloadUnits()
}
