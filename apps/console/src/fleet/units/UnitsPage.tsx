// /unit/list: the fleet of the group, live.
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { push } from '../../doors/push.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { setFilter, setGridPrefs, useFilter, usePreference } from '../../session/preferences/preferences.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { ColumnsMenu } from '../../ui/grid/ColumnsMenu.tsx'
import type { GridMenuItem } from '../../ui/grid/GridMenu.tsx'
import { LiveGrid, type LiveGridProps } from '../../ui/grid/LiveGrid.tsx'
import type { GridHandle } from '../../ui/grid/use-row-keys.ts'
import { printed } from '../../ui/key-words.ts'
import { useValue } from '../../ui/value.ts'
import { askForAccess } from '../access-approvals/access-approvals.ts'
import { askForAi } from '../ai-sessions/ai-sessions.ts'
import { askForLogs } from '../device-logs/device-logs.ts'
import { askForStories } from '../stories/stories.ts'
import { askForConfiguration } from '../unit-settings/unit-settings.ts'
import { AddUnitButton, AddUnitDialog } from './AddUnitDialog.tsx'
import { askForSharing, askToEdit, askToTest } from './asked.ts'
import { pressStart } from './StartButton.tsx'
import { UnitCountersBar } from './UnitCountersBar.tsx'
import { UnitDetails, unitDetailsHeight } from './UnitDetails.tsx'
import { inspect, UnitsFrame, useInspectorShown } from './UnitsFrame.tsx'
import { rowClass, unitColumns } from './unit-columns.tsx'
import { cleared } from './unit-filter.ts'
import { byStatusThenName, logsRefusal, startRefusal } from './unit-words.ts'
import { unitKeys, useSelectedUnit, useUnitMatches } from './units.ts'
import { type LiveUnit, listFault, reloadUnits, unitStore, unitsState } from './units-live.ts'
import styles from './units-page.module.css'
import { useUnitActions } from './use-unit-actions.ts'
import { useUnitKeys } from './use-unit-keys.ts'

const gridId = 'units'

export function UnitsPage() {
  const { t } = useTranslation('units')
  const navigate = useNavigate()
  const mayOperate = useMay('operateUnits')
  const mayGrant = useMay('grantSupportAccess')
  const mayUseAi = useMay('useAi')
  const mayShare = useMay('administerShares')
  const actions = useUnitActions()
  const prefs = usePreference((all) => all.gridPrefs[gridId])
  const [selectedUid, select] = useSelectedUnit()
  const inspectorShown = useInspectorShown()
  const columns = useMemo(() => unitColumns(t, mayOperate), [t, mayOperate])
  const matches = useUnitMatches()
  const list = useRef<GridHandle>(null)
  useUnitKeys(actedOn, () => inspect(true))

  const open = (uid: string) =>
    void navigate({ to: '/unit/$uid', params: { uid }, search: { ignoreRouteDefault: '1' } })
  const savePrefs = (next: Parameters<typeof setGridPrefs>[1]) => setGridPrefs(gridId, next)

  /** The selected unit, as long as it is in sight and the keyboard is not in the row of another. */
  function actedOn(): LiveUnit | undefined {
    const unit = selectedUid === null ? undefined : unitStore.get(selectedUid)
    const row = document.activeElement?.closest<HTMLElement>('[data-row-id]')
    if (unit === undefined || (row && row.dataset.rowId !== unit.uid)) return undefined
    return inspectorShown || matches?.(unit) !== false ? unit : undefined
  }

  function unitMenu(uid: string): GridMenuItem[] {
    const unit = unitStore.get(uid)
    return unit ? menuOf(unit) : []
  }

  function menuOf(unit: LiveUnit): GridMenuItem[] {
    const refusal = startRefusal(unit, mayOperate)
    const reason = refusal === undefined ? undefined : 'text' in refusal ? refusal.text : t(refusal.key)
    const stops = unit.transmission !== null
    return [
      { id: 'open', label: t('menu.open'), keys: 'Enter', run: () => open(unit.uid) },
      {
        id: 'start',
        label: t(stops ? 'menu.stop' : 'menu.start'),
        keys: printed(unitKeys.startStop),
        refusal: reason,
        run: () => pressStart(unit, mayOperate, actions.start),
      },
      { id: 'configure', label: t('menu.configure'), run: () => askForConfiguration(unit) },
      ...(mayOperate
        ? [
            {
              id: 'logs',
              label: t('menu.logs'),
              refusal: logsRefusal(unit),
              run: () => askForLogs(unit),
            },
            {
              id: 'rename',
              label: t('menu.rename'),
              keys: printed(unitKeys.rename),
              run: () => askToEdit(unit.uid, 'name'),
            },
            {
              id: 'comment',
              label: t('menu.comment'),
              keys: printed(unitKeys.comment),
              run: () => askToEdit(unit.uid, 'comment'),
            },
            { id: 'speedTest', label: t('menu.speedTest'), run: () => askToTest(unit.uid) },
          ]
        : []),
      { id: 'stories', label: t('menu.stories'), run: () => askForStories(unit) },
      ...onlyIf(mayUseAi, { id: 'ai', label: t('menu.ai'), run: () => askForAi(unit) }),
      ...onlyIf(mayShare, { id: 'sharing', label: t('menu.sharing'), run: () => askForSharing(unit.uid) }),
      ...onlyIf(mayGrant, { id: 'access', label: t('menu.access'), run: () => askForAccess(unit) }),
    ]
  }

  return (
    <UnitsFrame
      matches={matches}
      list={list}
      className={styles.unitsMain}
      tools={
        <>
          <AddUnitButton inBar />
          <ColumnsMenu columns={columns} prefs={prefs} onPrefs={savePrefs} />
        </>
      }
    >
      <div className={styles.unitsGrid}>
        <UnitGrid
          columns={columns}
          filter={matches}
          prefs={prefs}
          onPrefs={savePrefs}
          selectedId={selectedUid}
          onSelect={select}
          handle={list}
          onOpen={open}
          rowMenu={(uid) => unitMenu(uid)}
        />
      </div>
      <UnitCountersBar />
      <AddUnitDialog />
    </UnitsFrame>
  )
}

type UnitGridProps = Pick<
  LiveGridProps<LiveUnit>,
  'columns' | 'filter' | 'prefs' | 'onPrefs' | 'selectedId' | 'onSelect' | 'handle' | 'onOpen' | 'rowMenu'
>

function UnitGrid(props: UnitGridProps) {
  const { t } = useTranslation('units')
  const { t: tGroups } = useTranslation('groups')
  const filter = useFilter('device')
  const [allOpen, setAllOpen] = useState(false)
  const loading = useValue(unitsState)
  const groups = useGroups()
  const noGroup = groups.state === 'ready' && groups.current === null
  const failed = loading.state === 'error' || groups.state === 'error'
  return (
    <LiveGrid
      {...props}
      label={t('list')}
      store={unitStore}
      defaultCompare={byStatusThenName}
      takesFocus
      rowClass={rowClass}
      renderPanel={(unit) => <UnitDetails unit={unit} />}
      panelHeight={unitDetailsHeight}
      allExpanded={allOpen}
      onAllExpanded={setAllOpen}
      state={failed ? 'error' : noGroup ? 'ready' : loading.state}
      errorText={listFault(loading)}
      onRetry={retry}
      empty={
        noGroup
          ? { title: tGroups('noGroupTitle'), text: tGroups('noGroupText') }
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

const onlyIf = (may: boolean, item: GridMenuItem): GridMenuItem[] => (may ? [item] : [])

function retry(): void {
  if (push.link().kind === 'gaveUp') push.retryNow()
  void reloadUnits()
}
