// Adds a user or changes one; whom the person may not change is shown all the same.
import { type User, UserChange, UserCreation } from '@backhaul/contract/nouns/users'
import { zodResolver } from '@hookform/resolvers/zod'
import { Modal } from '@mantine/core'
import { type Resolver, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { faultWords } from '../../doors/api.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
import { toast } from '../../ui/toasts.tsx'
import { createValue, useValue } from '../../ui/value.ts'
import { useGroups } from '../groups/groups.ts'
import { useSignedIn } from '../sign-in/sign-in.ts'
import { askToDelete } from './DeleteUserDialog.tsx'
import { UserFields } from './UserFields.tsx'
import { changeUser, createUser, inventoryChoices, readOnlyFor, userStore } from './users.ts'

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
  | 'passwordExpirationPolicy'
  | 'inventories'
  | 'groups'
> & { username?: string; password?: string; passwordConfirmation?: string }

const asked = createValue<{ user: User | null } | null>(null)

/** null: a new one. */
export const askForUser = (id: string | null): void => asked.set({ user: (id && userStore.get(id)) || null })

export function UserDialog() {
  const { t } = useTranslation('users')
  const wish = useValue(asked)
  const close = () => asked.set(null)
  const title = wish?.user ? t('edit.title', { name: wish.user.username }) : t('create.title')
  return (
    <Modal opened={wish !== null} onClose={close} title={title} size={640}>
      {wish ? <Form key={wish.user?.id ?? ''} user={wish.user} onClose={close} /> : null}
    </Modal>
  )
}

function Form({ user, onClose }: { user: User | null; onClose: () => void }) {
  const { t } = useTranslation('users')
  const who = useSignedIn()
  const inventories = useValue(inventoryChoices)
  const { current } = useGroups()
  const own = who?.configuration.loggedUserRoles ?? []
  const readOnly = user ? readOnlyFor(own, user) : undefined
  const isSelf = user !== null && user.id === who?.user.id
  const inventoryId = current?.inventoryId ?? inventories[0]?.id
  const form = useForm<UserForm>({
    defaultValues: user ? shownOf(user) : { ...blank, inventories: inventoryId ? [inventoryId] : [] },
    resolver: zodResolver(user ? UserChange : UserCreation) as unknown as Resolver<UserForm>,
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
    const faults = Object.entries(fault.fields).filter(([name]) => name in wanted)
    for (const [name, message] of faults)
      form.setError(name as keyof UserForm, { message }, { shouldFocus: true })
    if (faults.length === 0) form.setError('root', { message: faultWords(fault) })
  })

  const { errors, isSubmitting } = form.formState
  return (
    <form onSubmit={save} noValidate>
      {readOnly ? <p className="users-notice">{t(`readOnly.${readOnly}`)}</p> : null}
      <UserFields form={form} own={own} present={user} readOnly={readOnly !== undefined} isSelf={isSelf} />
      {errors.root ? (
        <p className="text-critical" role="alert">
          {errors.root.message}
        </p>
      ) : null}
      <ModalFooter
        mayWrite={readOnly === undefined}
        busy={isSubmitting}
        onCancel={onClose}
        onOk={save}
        onDelete={
          user && !isSelf
            ? () => {
                onClose()
                askToDelete(user.id)
              }
            : undefined
        }
      />
    </form>
  )
}

const blank: UserForm = {
  ...{ username: '', password: '', passwordConfirmation: '' },
  ...{ firstName: '', lastName: '', email: '', phone: '', label: '' },
  userType: 'regular',
  active: true,
  ODA: false,
  passwordExpirationPolicy: 'never',
  inventories: [],
  groups: [],
}

function shownOf(user: User): UserForm {
  const { firstName, lastName, email, phone, userType, label, active, ODA } = user
  const { passwordExpirationPolicy, inventories, groups } = user
  const named = { firstName, lastName, email, phone, userType, label, active, ODA }
  return { ...named, passwordExpirationPolicy, inventories, groups }
}

/** Only what differs, so that what somebody else changed meanwhile stays. */
function changesOf(user: User, wanted: UserForm): Partial<UserForm> {
  const entries = Object.entries(wanted) as [keyof User, unknown][]
  return Object.fromEntries(
    entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(user[name])),
  )
}
