import { giveableUserTypes, mayGiveOda } from '@backhaul/contract/nouns/granting'
import type { Role } from '@backhaul/contract/nouns/roles'
import {
  LABEL_MAX,
  MEMBERSHIPS_MAX,
  PasswordExpirationPolicy,
  type User,
} from '@backhaul/contract/nouns/users'
import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { reasonText } from '../../texts/generic.ts'
import { closedBy } from '../../ui/closed.ts'
import { LimitedSelect } from '../../ui/LimitedSelect.tsx'
import { useGroups } from '../groups/groups.ts'
import type { UserForm } from './UserDialog.tsx'
import styles from './users.module.css'
import { useInventoryChoices } from './users.ts'

interface UserFieldsProps {
  form: UseFormReturn<UserForm>
  /** Roles of who fills the form: no user type that may do more is offered. */
  own: readonly Role[]
  present: User | null
  readOnly: boolean
  isSelf: boolean
}

export function UserFields({ form, own, present, readOnly, isSelf }: UserFieldsProps) {
  const { t } = useTranslation('users')
  const { errors } = form.formState
  const field = (name: 'username' | 'firstName' | 'lastName' | 'email' | 'phone' | 'label') => (
    <TextInput
      label={t(`fields.${name}`)}
      error={errors[name]?.message}
      readOnly={readOnly}
      data-autofocus={name === (present ? 'firstName' : 'username') || undefined}
      {...(name === 'label' && { description: t('hints.label', { most: LABEL_MAX }) })}
      autoComplete="off"
      {...form.register(name)}
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
        error={errors.userType?.message}
        disabled={readOnly}
        {...form.register('userType')}
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
        disabled={readOnly}
        {...form.register('passwordExpirationPolicy')}
      />
      <div className={styles.usersFlags}>
        <Checkbox label={t('fields.active')} disabled={readOnly || isSelf} {...form.register('active')} />
        <Checkbox
          label={t('fields.ODA')}
          disabled={readOnly}
          {...closedBy(mayGiveOda(own) ? undefined : reasonText('role.notAllowed'))}
          {...form.register('ODA')}
        />
        <Checkbox
          label={t('fields.tally')}
          disabled={readOnly}
          checked={form.watch('services').includes('tally')}
          onChange={(event) =>
            form.setValue('services', event.currentTarget.checked ? ['tally'] : [], { shouldDirty: true })
          }
        />
      </div>
    </div>
  )
}

/** Customers and their groups; a group goes with its customer. */
function Memberships({ form, readOnly }: { form: UseFormReturn<UserForm>; readOnly: boolean }) {
  const { t } = useTranslation('users')
  const inventories = useInventoryChoices()
  const { groups } = useGroups()
  const chosen = form.watch('inventories')
  const offered = groups.filter(({ inventoryId }) => chosen.includes(inventoryId))
  const { errors } = form.formState
  const choose = (name: 'inventories' | 'groups', ids: string[]) =>
    form.setValue(name, ids, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  return (
    <>
      <LimitedSelect
        most={MEMBERSHIPS_MAX}
        label={t('fields.inventories')}
        data={inventories.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        error={errors.inventories?.message}
        readOnly={readOnly}
        onChange={(ids) => {
          choose('inventories', ids)
          const stays = (uid: string) =>
            groups.some((group) => group.uid === uid && ids.includes(group.inventoryId))
          choose('groups', form.getValues('groups').filter(stays))
        }}
      />
      <LimitedSelect
        most={MEMBERSHIPS_MAX}
        label={t('fields.groups')}
        data={offered.map(({ uid, name }) => ({ value: uid, label: name }))}
        value={form.watch('groups')}
        error={errors.groups?.message}
        readOnly={readOnly}
        onChange={(ids) => choose('groups', ids)}
      />
    </>
  )
}

function FirstPassword({ form }: { form: UseFormReturn<UserForm> }) {
  const { t } = useTranslation('users')
  const { errors } = form.formState
  return (
    <>
      <PasswordInput
        size="xs"
        label={t('fields.password')}
        description={t('hints.password')}
        autoComplete="new-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      <PasswordInput
        size="xs"
        label={t('fields.passwordConfirmation')}
        description={t('hints.again')}
        autoComplete="new-password"
        error={errors.passwordConfirmation?.message}
        {...form.register('passwordConfirmation')}
      />
    </>
  )
}
