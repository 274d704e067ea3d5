// /manage/groups: the groups of an administrator's customers, each with its units, channels and people.
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { dayColumn, figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useAskedSearch } from '../../ui/use-asked-search.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { useValue } from '../../ui/value.ts'
import { InviteDialog } from '../invitations/InviteDialog.tsx'
import { JoiningDialog } from '../invitations/JoiningDialog.tsx'
import { GroupDialog } from './GroupDialog.tsx'
import {
  groupDialogAsked,
  groupListState,
  groupStore,
  type ListedGroup,
  loadGroupList,
  removeGroup,
  shownAtMost,
} from './group-list.ts'
import './manage-groups.css'

export function GroupsPage() {
  const { t } = useTranslation('groups')
  const mayWrite = useMay('administerPeople')
  const list = useValue(groupListState)
  const { over, add, open, close } = useListDialog<ListedGroup, 'delete' | 'invite' | 'joining'>(groupStore)
  const [text, setText] = useState('')
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => textFilter(text, searched), [text])
  useEffect(() => void loadGroupList(''), [])
  const asked = useValue(groupDialogAsked)
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once for each request
  useEffect(() => {
    if (asked && list.state === 'ready') open('edit', asked.uid)
  }, [asked, list.state])
  const closeDialog = () => {
    groupDialogAsked.set(null)
    close()
  }
  useAskedSearch(text, list.isWhole, loadGroupList)
  const addButton = mayWrite ? (
    <AddButton label={t('manage.add')} waits={list.state === 'loading'} onClick={add} />
  ) : null
  return (
    <ListScreen
      gridId="manageGroups"
      search={{ label: t('manage.search'), text, onText: setText }}
      actions={
        <>
          {list.total > shownAtMost ? (
            <span className="quiet">{t('manage.more', { count: shownAtMost, total: list.total })}</span>
          ) : null}
          {addButton}
        </>
      }
      label={t('manage.title')}
      store={groupStore}
      columns={columns}
      defaultCompare={byName}
      filter={matches}
      asked={list}
      onOpen={(uid) => open('edit', uid)}
      rowMenu={(uid) => [
        { id: 'edit', label: t('manage.edit'), run: () => open('edit', uid) },
        ...(mayWrite
          ? [
              { id: 'invite', label: t('manage.invite'), run: () => open('invite', uid) },
              { id: 'joining', label: t('manage.joining'), run: () => open('joining', uid) },
              { id: 'delete', label: t('manage.delete'), run: () => open('delete', uid), danger: true },
            ]
          : []),
      ]}
      state={list.state}
      errorText={list.errorText}
      onRetry={() => void loadGroupList()}
      empty={{ ...t('manage.empty', { returnObjects: true }), action: addButton }}
      noMatch={t('manage.noMatch', { returnObjects: true })}
      exportName="groups"
    >
      {over?.kind === 'edit' ? (
        <GroupDialog
          key={over.item?.uid}
          group={over.item}
          inventories={list.inventories}
          mayWrite={mayWrite}
          firstTab={asked?.tab}
          onDelete={() => open('delete', over.item?.uid ?? '')}
          onClose={closeDialog}
        />
      ) : null}
      {over?.kind === 'invite' ? <InviteDialog group={over.item} onClose={close} /> : null}
      {over?.kind === 'joining' ? <JoiningDialog group={over.item} onClose={close} /> : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('manage.deleteTitle', { name: over.item.name })}
          text={t('manage.deleteText', {
            units: over.item.units.length,
            channels: over.item.channels.length,
            users: over.item.users.length,
          })}
          okLabel={t('manage.delete')}
          run={() => removeGroup(over.item.uid)}
          done={{ title: t('manage.deleted'), text: over.item.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byName = (a: ListedGroup, b: ListedGroup): number =>
  compareTexts(a.inventoryName, b.inventoryName) || compareTexts(a.name, b.name)

const searched = ({ name, inventoryName }: ListedGroup) => [name, inventoryName]

function columnsOf(t: TFunction<'groups'>): readonly GridColumn<ListedGroup>[] {
  type Words = 'name' | 'inventory' | 'unitAuto' | 'globalAuto'
  const words = (id: Words, width: number, text: (group: ListedGroup) => string) =>
    textColumn(id, t(`manage.columns.${id}`), width, text, { required: id === 'name' })
  const counts = ['units', 'channels', 'users'] as const
  const yesNo = (on: boolean) => t(on ? 'manage.yes' : 'manage.no')
  return [
    words('name', 260, ({ name }) => name),
    words('inventory', 240, ({ inventoryName }) => inventoryName),
    ...counts.map((id) =>
      figureColumn<ListedGroup>(id, t(`manage.columns.${id}`), 90, (group) => group[id].length),
    ),
    words('unitAuto', 130, (group) => yesNo(group.unitAutoAssociation)),
    words('globalAuto', 210, (group) => yesNo(group.globalAutoAssociation)),
    dayColumn('createdOn', t('manage.columns.createdOn'), 120, ({ createdOn }) => createdOn),
  ]
}
