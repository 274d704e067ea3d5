import { users } from '@backhaul/contract/api/users'
import { OwnNewPassword } from '@backhaul/contract/nouns/users'
import { Button, PasswordInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { call, describeFault } from '../../doors/api.ts'
import { resolverOf, showFault } from '../../doors/forms.ts'
import styles from './login.module.css'

const names = ['oldPassword', 'password', 'passwordConfirmation'] as const
type Form = Record<(typeof names)[number], string>

/** The old password once and the new one twice; what core refuses stands at its field. */
export function ChangePassword({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('signIn')
  const form = useForm<Form>({
    defaultValues: { oldPassword: '', password: '', passwordConfirmation: '' },
    resolver: resolverOf(OwnNewPassword),
  })
  const { errors, isSubmitting } = form.formState
  const change = form.handleSubmit(async (body) => {
    try {
      await call(users.changePassword, { body })
      onDone()
    } catch (error) {
      showFault(form, describeFault(error))
    }
  })
  return (
    <form className="form-fields" noValidate onSubmit={change}>
      {names.map((name) => (
        <PasswordInput
          key={name}
          label={t(`expiry.${name}`)}
          autoComplete={name === 'oldPassword' ? 'current-password' : 'new-password'}
          error={errors[name]?.message}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.register(name)}
        />
      ))}
      <p className={styles.loginFault} role="alert">
        {errors.root?.message}
      </p>
      <Button type="submit" loading={isSubmitting} fullWidth>
        {t('expiry.change')}
      </Button>
    </form>
  )
}
