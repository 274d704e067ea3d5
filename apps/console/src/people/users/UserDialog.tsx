// Adds a user or changes one; one that may not be changed is shown read-only.
import { type User, UserChange, UserCreation } from '@backhaul/contract/nouns/users'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import { useGroups } from '../groups/groups.ts'
import { UserFields, type UserForm } from './UserFields.tsx'
import { UserStanding } from './UserStanding.tsx'
import styles from './users.module.css'
import { changeUser, createUser, readOnlyFor, readOnlyWords, useInventoryChoices } from './users.ts'

interface UserDialogProps {
  /** null: a new one. */
  user: User | null
  onDelete: () => void
  onClose: () => void
}

export function UserDialog({ user, onDelete, onClose }: UserDialogProps) {
  const { t } = useTranslation('users')
  const who = useSignedIn()
  const inventories = useInventoryChoices()
  const { current } = useGroups()
  const own = who?.configuration.loggedUserRoles ?? []
  const readOnly = user ? readOnlyFor(own, user) : undefined
  const isSelf = user !== null && user.id === who?.user.id
  const inventoryId = current?.inventoryId ?? inventories[0]?.id
  const record = useRecordForm({
    start: (): UserForm =>
      user ? shownOf(user) : { ...blank, inventories: inventoryId ? [inventoryId] : [] },
    schema: user ? UserChange : UserCreation,
    save: (checked, wanted) =>
      user
        ? changeUser(user.id, changedFields(user, wanted))
        : createUser(checked as Parameters<typeof createUser>[0]),
  })

  return (
    <RecordDialog
      title={user ? t('edit.title', { name: user.username }) : t('create.title')}
      size={680}
      record={record}
      mayWrite={readOnly === undefined}
      done={() => ({
        title: t(user ? 'edit.done' : 'create.done'),
        text: user?.username ?? record.values.username ?? '',
      })}
      onDelete={user && !isSelf ? onDelete : undefined}
      onClose={onClose}
    >
      {readOnly ? <p className={styles.usersNotice}>{readOnlyWords(readOnly)}</p> : null}
      <UserFields form={record} own={own} present={user} readOnly={readOnly !== undefined} isSelf={isSelf} />
      {user ? <UserStanding user={user} /> : null}
    </RecordDialog>
  )
}

const blank: UserForm = {
  username: '',
  password: '',
  passwordConfirmation: '',
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  label: '',
  userType: 'regular',
  active: true,
  ODA: false,
  services: [],
  passwordExpirationPolicy: 'never',
  inventories: [],
  groups: [],
}

function shownOf(user: User): UserForm {
  const { firstName, lastName, email, phone, userType, label, active, ODA } = user
  const { services, passwordExpirationPolicy, inventories, groups } = user
  const named = { firstName, lastName, email, phone, userType, label, active, ODA }
  return { ...named, services, passwordExpirationPolicy, inventories, groups }
}
