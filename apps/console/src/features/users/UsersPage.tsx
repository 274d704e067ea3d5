// /manage/users: who may sign in, as what and where.
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultWords } from '../../doors/api.ts'
import type { GridMenuItem } from '../../ui/grid/GridMenu.tsx'
import { useAskedSearch } from '../../ui/use-asked-search.ts'
import { useValue } from '../../ui/value.ts'
import { useGroups } from '../groups/groups.ts'
import { ListScreen } from '../preferences/ListScreen.tsx'
import { useMay, useSignedIn } from '../sign-in/sign-in.ts'
import { askToDelete, DeleteUserDialog } from './DeleteUserDialog.tsx'
import { askForPassword, PasswordDialog } from './PasswordDialog.tsx'
import { askToReset, ResetFactorsDialog } from './ResetFactorsDialog.tsx'
import { askForUser, UserDialog } from './UserDialog.tsx'
import { userColumns } from './user-columns.tsx'
import {
  byUsername,
  inventoryChoices,
  loadUsers,
  readOnlyFor,
  shownAtMost,
  userFilter,
  userStore,
  usersState,
} from './users.ts'
import './users.css'

export function UsersPage() {
  const { t } = useTranslation('users')
  const who = useSignedIn()
  const mayWrite = useMay('administerPeople')
  const loading = useValue(usersState)
  const { groups } = useGroups()
  const inventories = useValue(inventoryChoices)
  const [text, setText] = useState('')
  const matches = useMemo(() => userFilter(text), [text])
  const columns = useMemo(() => {
    const inventoryNames = new Map(inventories.map(({ id, name }) => [id, name]))
    const groupNames = new Map(groups.map(({ uid, name }) => [uid, name]))
    return userColumns(t, { inventories: inventoryNames, groups: groupNames })
  }, [t, inventories, groups])
  useEffect(() => void loadUsers(), [])
  useAskedSearch(text, loading.isWhole, loadUsers)

  const refusalOf = (id: string): string | undefined => {
    const user = userStore.get(id)
    const reason = user && who ? readOnlyFor(who.configuration.loggedUserRoles, user) : undefined
    return reason && t(`readOnly.${reason}`)
  }

  function rowMenu(id: string): GridMenuItem[] {
    const refusal = refusalOf(id)
    const isSelf = id === who?.user.id
    return [
      { id: 'edit', label: t(refusal ? 'menu.show' : 'menu.edit'), run: () => askForUser(id) },
      {
        id: 'password',
        label: t('menu.password'),
        refusal: refusal ?? (isSelf ? t('readOnly.ownPassword') : undefined),
        run: () => askForPassword(id),
      },
      {
        id: 'reset',
        label: t('menu.reset'),
        refusal: refusal ?? (isSelf ? t('readOnly.ownFactors') : undefined),
        run: () => askToReset(id),
      },
      {
        id: 'delete',
        label: t('menu.delete'),
        danger: true,
        refusal: refusal ?? (isSelf ? t('readOnly.self') : undefined),
        run: () => askToDelete(id),
      },
    ]
  }

  function rowKey(key: string, id: string): boolean {
    if (key === 'F2') askForUser(id)
    else if (key === 'Delete' && !refusalOf(id) && id !== who?.user.id) askToDelete(id)
    else return false
    return true
  }

  const add = mayWrite ? (
    <button type="button" className="plain-button tool-button" onClick={() => askForUser(null)}>
      <IconPlus size={16} aria-hidden />
      {t('add')}
    </button>
  ) : null

  return (
    <ListScreen
      gridId="users"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        <>
          {loading.total > shownAtMost ? (
            <span className="quiet">{t('more', { count: shownAtMost, total: loading.total })}</span>
          ) : null}
          {add}
        </>
      }
      label={t('list')}
      store={userStore}
      columns={columns}
      defaultCompare={byUsername}
      filter={matches}
      asked={loading}
      onOpen={askForUser}
      onRowKey={rowKey}
      rowMenu={rowMenu}
      state={loading.state}
      errorText={loading.state === 'error' ? faultWords(loading.fault) : undefined}
      onRetry={() => void loadUsers(text.trim())}
      empty={{ title: t('empty.title'), text: t('empty.text'), action: add }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="users"
    >
      <UserDialog />
      <PasswordDialog />
      <ResetFactorsDialog />
      <DeleteUserDialog />
    </ListScreen>
  )
}
