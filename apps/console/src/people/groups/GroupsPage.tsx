// /manage/groups: the groups of an administrator's customers, each with its units, channels and users.
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useSearchedList } from '../../kit/lists.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { dayColumn, figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { useValue } from '../../ui/value.ts'
import { InviteDialog } from '../invitations/InviteDialog.tsx'
import { JoiningDialog } from '../invitations/JoiningDialog.tsx'
import { GroupDialog } from './GroupDialog.tsx'
import { groupDialogAsked, groupList, type ListedGroup, removeGroup, shownAtMost } from './group-list.ts'

export function GroupsPage() {
  const { t } = useTranslation('groups')
  const mayWrite = useMay('administerPeople')
  const [text, setText] = useState('')
  const list = useSearchedList(groupList, text, shownAtMost)
  const { total = 0, inventories = [] } = list.answer ?? {}
  const { over, add, open, close } = useListDialog<ListedGroup, 'delete' | 'invite' | 'joining'>(list.store)
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => textFilter(text, searched), [text])
  const asked = useValue(groupDialogAsked)
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once for each request
  useEffect(() => {
    if (asked && list.state === 'ready') open('edit', asked.uid)
  }, [asked, list.state])
  const closeDialog = () => {
    groupDialogAsked.set(null)
    close()
  }
  const addButton = mayWrite ? (
    <AddButton label={t('manage.add')} waits={list.state === 'loading'} onClick={add} />
  ) : null
  return (
    <ListScreen
      {...list}
      gridId="manageGroups"
      search={{ label: t('manage.search'), text, onText: setText }}
      actions={
        <>
          {total > shownAtMost ? (
            <span className="quiet">{t('manage.more', { count: shownAtMost, total })}</span>
          ) : null}
          {addButton}
        </>
      }
      label={t('manage.title')}
      columns={columns}
      defaultCompare={byName}
      filter={matches}
      asked={list.answer}
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
      empty={{ ...t('manage.empty', { returnObjects: true }), action: addButton }}
      noMatch={t('manage.noMatch', { returnObjects: true })}
      exportName="groups"
    >
      {over?.kind === 'edit' ? (
        <GroupDialog
          key={over.item?.uid}
          group={over.item}
          inventories={inventories}
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
