import type { Role } from '@backhaul/contract/define/roles'
import { giveableUserTypes, mayGiveOda } from '@backhaul/contract/nouns/granting'
import {
  LABEL_MAX,
  MEMBERSHIPS_MAX,
  PasswordExpirationPolicy,
  type User,
} from '@backhaul/contract/nouns/users'
import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { LimitedSelect } from '../../ui/LimitedSelect.tsx'
import { useGroups } from '../groups/groups.ts'
import styles from './users.module.css'
import { useInventoryChoices } from './users.ts'

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

interface EditedUser {
  values: UserForm
  set: (changes: Partial<UserForm>) => void
  faults: Readonly<Record<string, string>>
}

interface UserFieldsProps {
  form: EditedUser
  /** Roles of who fills the form: no user type that may do more is offered. */
  own: readonly Role[]
  present: User | null
  readOnly: boolean
  isSelf: boolean
}

export function UserFields({ form, own, present, readOnly, isSelf }: UserFieldsProps) {
  const { t } = useTranslation('users')
  const { values, set, faults } = form
  const field = (name: 'username' | 'firstName' | 'lastName' | 'email' | 'phone' | 'label') => (
    <TextInput
      label={t(`fields.${name}`)}
      required={name === 'username' || name === 'firstName' || name === 'lastName'}
      value={values[name] ?? ''}
      error={faults[name]}
      readOnly={readOnly}
      data-autofocus={name === (present ? 'firstName' : 'username') || undefined}
      {...(name === 'label' && { description: t('hints.label', { most: LABEL_MAX }) })}
      autoComplete="off"
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  const types = giveableUserTypes(own)
  const offered = present && !types.includes(present.userType) ? [present.userType, ...types] : types
  return (
    <div className={styles.usersFields}>
      {present ? null : field('username')}
      {field('firstName')}
      {field('lastName')}
      {field('email')}
      {field('phone')}
      <NativeSelect
        label={t('fields.userType')}
        data={offered.map((value) => ({ value, label: t(`userType.${value}`) }))}
        value={values.userType}
        error={faults.userType}
        disabled={readOnly}
        onChange={(event) => set({ userType: event.currentTarget.value as UserForm['userType'] })}
      />
      {field('label')}
      <Memberships form={form} readOnly={readOnly} />
      {present ? null : <FirstPassword form={form} />}
      <NativeSelect
        label={t('fields.passwordExpirationPolicy')}
        data={PasswordExpirationPolicy.options.map((value) => ({
          value,
          label: value === 'never' ? t('policy.never') : t('policy.days', { days: value }),
        }))}
        value={values.passwordExpirationPolicy}
        error={faults.passwordExpirationPolicy}
        disabled={readOnly}
        onChange={(event) =>
          set({ passwordExpirationPolicy: PasswordExpirationPolicy.parse(event.currentTarget.value) })
        }
      />
      <div className={styles.usersFlags}>
        <Checkbox
          label={t('fields.active')}
          disabled={readOnly || isSelf}
          checked={values.active}
          onChange={(event) => set({ active: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('fields.ODA')}
          disabled={readOnly}
          {...disabledBecause(mayGiveOda(own) ? undefined : reasonText('role.notAllowed'))}
          checked={values.ODA}
          onChange={(event) => set({ ODA: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('fields.tally')}
          disabled={readOnly}
          checked={values.services.includes('tally')}
          onChange={(event) => set({ services: event.currentTarget.checked ? ['tally'] : [] })}
        />
      </div>
    </div>
  )
}

/** Customers and their groups; a group goes with its customer. */
function Memberships({ form, readOnly }: { form: EditedUser; readOnly: boolean }) {
  const { values, set, faults } = form
  const { t } = useTranslation('users')
  const inventories = useInventoryChoices()
  const { groups } = useGroups()
  const chosen = values.inventories
  const offered = groups.filter(({ inventoryId }) => chosen.includes(inventoryId))
  return (
    <>
      <LimitedSelect
        most={MEMBERSHIPS_MAX}
        label={t('fields.inventories')}
        data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        error={faults.inventories}
        readOnly={readOnly}
        onChange={(ids) => {
          const stays = (uid: string) =>
            groups.some((group) => group.uid === uid && ids.includes(group.inventoryId))
          set({ inventories: ids, groups: values.groups.filter(stays) })
        }}
      />
      <LimitedSelect
        most={MEMBERSHIPS_MAX}
        label={t('fields.groups')}
        data={offered.map(({ uid, name }) => ({ value: uid, label: name }))}
        value={values.groups}
        error={faults.groups}
        readOnly={readOnly}
        onChange={(ids) => set({ groups: ids })}
      />
    </>
  )
}

function FirstPassword({ form: { values, set, faults } }: { form: EditedUser }) {
  const { t } = useTranslation('users')
  return (
    <>
      <PasswordInput
        size="xs"
        label={t('fields.password')}
        description={t('hints.password')}
        autoComplete="new-password"
        value={values.password ?? ''}
        error={faults.password}
        onChange={(event) => set({ password: event.currentTarget.value })}
      />
      <PasswordInput
        size="xs"
        label={t('fields.passwordConfirmation')}
        description={t('hints.again')}
        autoComplete="new-password"
        value={values.passwordConfirmation ?? ''}
        error={faults.passwordConfirmation}
        onChange={(event) => set({ passwordConfirmation: event.currentTarget.value })}
      />
    </>
  )
}
