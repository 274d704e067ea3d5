// Adds a user or changes one; whom the person may not change is shown all the same.
import { type User, UserChange, UserCreation } from '@backhaul/contract/nouns/users'
import { Modal } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { resolverOf, showFault } from '../../doors/forms.ts'
import { useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useGroups } from '../groups/groups.ts'
import { UserFields } from './UserFields.tsx'
import { UserStanding } from './UserStanding.tsx'
import styles from './users.module.css'
import { changeUser, createUser, readOnlyFor, readOnlyWords, useInventoryChoices } from './users.ts'

/** `username` and the passwords are there for a new user alone. */
export type UserForm = Pick<
  User,
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'userType'
  | 'label'
  | 'active'
  | 'ODA'
  | 'services'
  | 'passwordExpirationPolicy'
  | 'inventories'
  | 'groups'
> & { username?: string; password?: string; passwordConfirmation?: string }

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
  const form = useForm<UserForm>({
    defaultValues: user ? shownOf(user) : { ...blank, inventories: inventoryId ? [inventoryId] : [] },
    resolver: resolverOf(user ? UserChange : UserCreation),
  })

  const save = form.handleSubmit(async (wanted) => {
    const fault = user
      ? await changeUser(user.id, changesOf(user, wanted))
      : await createUser(wanted as Parameters<typeof createUser>[0])
    if (!fault) {
      toast({
        title: t(user ? 'edit.done' : 'create.done'),
        text: user?.username ?? wanted.username,
        tone: 'good',
      })
      return onClose()
    }
    showFault(form, fault)
  })

  const { errors, isSubmitting } = form.formState
  const title = user ? t('edit.title', { name: user.username }) : t('create.title')
  return (
    <Modal opened onClose={onClose} title={title} size={680}>
      <DialogForm
        mayWrite={readOnly === undefined}
        fault={errors.root?.message}
        busy={isSubmitting}
        onCancel={onClose}
        onOk={() => void save()}
        onDelete={user && !isSelf ? onDelete : undefined}
      >
        {readOnly ? <p className={styles.usersNotice}>{readOnlyWords(t, readOnly)}</p> : null}
        <UserFields form={form} own={own} present={user} readOnly={readOnly !== undefined} isSelf={isSelf} />
        {user ? <UserStanding id={user.id} /> : null}
      </DialogForm>
    </Modal>
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

/** Only what differs, so that what somebody else changed meanwhile stays. */
function changesOf(user: User, wanted: UserForm): Partial<UserForm> {
  const entries = Object.entries(wanted) as [keyof User, unknown][]
  return Object.fromEntries(
    entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(user[name])),
  )
}
