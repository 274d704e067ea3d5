// /manage/groups: the groups of an administrator's customers, each with its units, channels and people.
import { IconPlus } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { useAskedSearch } from '../../ui/use-asked-search.ts'
import { useValue } from '../../ui/value.ts'
import { InviteDialog } from '../invitations/InviteDialog.tsx'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { useMay } from '../sign-in/sign-in.ts'
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx'
import { GroupDialog } from './GroupDialog.tsx'
import { groupListState, groupStore, type ListedGroup, loadGroupList, shownAtMost } from './group-list.ts'
import './manage-groups.css'
import { compareTexts } from '../../ui/locale.ts'

/** What stands over the list: nothing, a group to edit or a new one, an invitation, or whether to delete one. */
type Dialog =
  | { kind: 'edit'; group: ListedGroup | null }
  | { kind: 'delete' | 'invite'; group: ListedGroup }
  | null

export function GroupsPage() {
  const { t } = useTranslation('groups')
  const mayWrite = useMay('administerPeople')
  const list = useValue(groupListState)
  const [text, setText] = useState('')
  const [dialog, setDialog] = useState<Dialog>(null)
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => matcher(text), [text])
  useEffect(() => void loadGroupList(''), [])
  useAskedSearch(text, list.isWhole, loadGroupList)

  const withGroup = (kind: 'edit' | 'delete' | 'invite') => (uid: string) => {
    const group = groupStore.get(uid)
    if (group) setDialog({ kind, group })
  }
  const [edit, remove, invite] = [withGroup('edit'), withGroup('delete'), withGroup('invite')]
  const close = () => setDialog(null)
  return (
    <ListScreen
      gridId="manageGroups"
      search={{ label: t('manage.search'), text, onText: setText }}
      actions={
        <>
          {list.total > shownAtMost ? (
            <span className="quiet">{t('manage.more', { count: shownAtMost, total: list.total })}</span>
          ) : null}
          {mayWrite ? (
            <button
              type="button"
              className="plain-button tool-button"
              onClick={() => setDialog({ kind: 'edit', group: null })}
            >
              <IconPlus size={16} aria-hidden />
              <span>{t('manage.add')}</span>
            </button>
          ) : null}
        </>
      }
      label={t('manage.title')}
      store={groupStore}
      columns={columns}
      defaultCompare={byName}
      filter={matches}
      asked={list}
      onOpen={edit}
      rowMenu={(uid) => [
        { id: 'edit', label: t('manage.edit'), run: () => edit(uid) },
        ...(mayWrite
          ? [
              { id: 'invite', label: t('manage.invite'), run: () => invite(uid) },
              { id: 'delete', label: t('manage.delete'), run: () => remove(uid) },
            ]
          : []),
      ]}
      state={list.state}
      errorText={list.errorText}
      onRetry={() => void loadGroupList()}
      empty={t('manage.empty', { returnObjects: true })}
      noMatch={t('manage.noMatch', { returnObjects: true })}
      exportName="groups"
    >
      {dialog?.kind === 'edit' ? (
        <GroupDialog
          key={dialog.group?.uid ?? 'new'}
          group={dialog.group}
          inventories={list.inventories}
          mayWrite={mayWrite}
          onDelete={(group) => setDialog({ kind: 'delete', group })}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === 'invite' ? <InviteDialog group={dialog.group} onClose={close} /> : null}
      {dialog?.kind === 'delete' ? <DeleteGroupDialog group={dialog.group} onClose={close} /> : null}
    </ListScreen>
  )
}

const byName = (a: ListedGroup, b: ListedGroup): number =>
  compareTexts(a.inventoryName, b.inventoryName) || compareTexts(a.name, b.name)

const matcher = (text: string) => {
  const wanted = text.trim().toLowerCase()
  return ({ name, inventoryName }: ListedGroup) => `${name}\n${inventoryName}`.toLowerCase().includes(wanted)
}

function columnsOf(t: TFunction<'groups'>): readonly GridColumn<ListedGroup>[] {
  type Counted = 'units' | 'channels' | 'users'
  const count = (id: Counted): GridColumn<ListedGroup> => ({
    id,
    title: t(`manage.columns.${id}`),
    width: 90,
    align: 'end',
    render: (group) => group[id].length,
    text: (group) => String(group[id].length),
    compare: (a, b) => a[id].length - b[id].length,
  })
  const words = (
    id: 'name' | 'inventory' | 'unitAuto' | 'globalAuto' | 'createdOn',
    width: number,
    text: (group: ListedGroup) => string,
  ): GridColumn<ListedGroup> => ({
    id,
    title: t(`manage.columns.${id}`),
    width,
    render: text,
    text,
    compare: (a, b) => compareTexts(text(a), text(b)),
  })
  const yesNo = (on: boolean) => t(on ? 'manage.yes' : 'manage.no')
  return [
    { ...words('name', 260, ({ name }) => name), required: true },
    words('inventory', 240, ({ inventoryName }) => inventoryName),
    ...(['units', 'channels', 'users'] as const).map(count),
    words('unitAuto', 130, (group) => yesNo(group.unitAutoAssociation)),
    words('globalAuto', 210, (group) => yesNo(group.globalAutoAssociation)),
    words('createdOn', 120, ({ createdOn }) => createdOn.slice(0, 10)),
  ]
}
