// /manage/users: the users who may sign in, with their roles, customers and groups.
import { mayAdminister } from '@backhaul/contract/nouns/granting'
import type { User } from '@backhaul/contract/nouns/users'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useSearchedList } from '../../kit/lists.ts'
import { useMay, useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import type { GridMenuItem } from '../../ui/grid/GridMenu.tsx'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { useGroups } from '../groups/groups.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { UserDialog } from './UserDialog.tsx'
import { userColumns } from './user-columns.tsx'
import {
  byUsername,
  changeUser,
  fullName,
  readOnlyFor,
  readOnlyWords,
  removeUser,
  resetFactors,
  searched,
  shownAtMost,
  useInventoryChoices,
  userList,
} from './users.ts'

/** Actions that require a confirmation. */
const acts = {
  reset: resetFactors,
  delete: removeUser,
  shut: (id: string) => changeUser(id, { active: false }),
  reopen: (id: string) => changeUser(id, { active: true }),
}
type Question = keyof typeof acts

const isQuestion = <T extends { kind: string }>(over: T): over is T & { kind: Question; item: User } =>
  over.kind in acts

export function UsersPage() {
  const { t } = useTranslation('users')
  const who = useSignedIn()
  const mayWrite = useMay('administerPeople')
  const [text, setText] = useState('')
  const list = useSearchedList(userList, text, shownAtMost)
  const total = list.answer?.total ?? 0
  const { over, add, open, close } = useListDialog<User, 'password' | Question>(list.store)
  const { groups } = useGroups()
  const inventories = useInventoryChoices()
  const matches = useMemo(() => textFilter(text, searched), [text])
  const columns = useMemo(() => {
    const inventoryNames = new Map(inventories.map(({ id, name }) => [id, name]))
    const groupNames = new Map(groups.map(({ uid, name }) => [uid, name]))
    return userColumns(t, { inventories: inventoryNames, groups: groupNames })
  }, [t, inventories, groups])

  const refusalOf = (id: string): string | undefined => {
    const user = list.store.get(id)
    const reason = user && who ? readOnlyFor(who.configuration.loggedUserRoles, user) : undefined
    return readOnlyWords(reason)
  }

  function rowMenu(id: string): GridMenuItem[] {
    const refusal = refusalOf(id)
    const isSelf = id === who?.user.id
    return [
      { id: 'edit', label: t(refusal ? 'menu.show' : 'menu.edit'), run: () => open('edit', id) },
      {
        id: 'password',
        label: t('menu.password'),
        refusal: refusal ?? (isSelf ? t('readOnly.ownPassword') : undefined),
        run: () => open('password', id),
      },
      {
        id: 'reset',
        label: t('menu.reset'),
        refusal: refusal ?? (isSelf ? t('readOnly.ownFactors') : undefined),
        run: () => open('reset', id),
      },
      ...accessItem(id),
      {
        id: 'delete',
        label: t('menu.delete'),
        danger: true,
        refusal: refusal ?? (isSelf ? reasonText('user.deleteSelf') : undefined),
        run: () => open('delete', id),
      },
    ]
  }

  /** All else of an enterprise user is set by their IT administrator; whether they may sign in is decided here too. */
  function accessItem(id: string): GridMenuItem[] {
    const user = list.store.get(id)
    if (!user?.SSO || id === who?.user.id) return []
    const kind = user.active ? 'shut' : 'reopen'
    const isAllowed = mayAdminister(who?.configuration.loggedUserRoles ?? [], user.roles)
    const refusal = isAllowed ? undefined : readOnlyWords('rights')
    return [{ id: kind, label: t(`menu.${kind}`), refusal, run: () => open(kind, id) }]
  }

  function rowKey(key: string, id: string): boolean {
    if (key === 'F2') open('edit', id)
    else if (key === 'Delete' && !refusalOf(id) && id !== who?.user.id) open('delete', id)
    else return false
    return true
  }

  const addButton = mayWrite ? (
    <AddButton label={t('add')} waits={list.state === 'loading'} onClick={add} />
  ) : null
  return (
    <ListScreen
      {...list}
      gridId="users"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        <>
          {total > shownAtMost ? (
            <span className="quiet">{t('more', { count: shownAtMost, total })}</span>
          ) : null}
          {addButton}
        </>
      }
      label={t('list')}
      columns={columns}
      defaultCompare={byUsername}
      filter={matches}
      asked={list.answer}
      onOpen={(id) => open('edit', id)}
      onRowKey={rowKey}
      rowMenu={rowMenu}
      empty={{ title: t('empty.title'), text: t('empty.text'), action: addButton }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="users"
    >
      {over?.kind === 'edit' ? (
        <UserDialog
          key={over.item?.id}
          user={over.item}
          onDelete={() => open('delete', over.item?.id ?? '')}
          onClose={close}
        />
      ) : null}
      {over?.kind === 'password' ? <PasswordDialog user={over.item} onClose={close} /> : null}
      {over !== null && isQuestion(over) ? (
        <ConfirmDialog
          title={t(`${over.kind}.title`, { name: over.item.username })}
          text={t(`${over.kind}.text`, { name: fullName(over.item) })}
          okLabel={t(`${over.kind}.ok`)}
          run={() => acts[over.kind](over.item.id)}
          done={{ title: t(`${over.kind}.done`), text: over.item.username }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}
