import { users } from '@backhaul/contract/api/users'
import { OwnNewPassword } from '@backhaul/contract/nouns/users'
import { Button, PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { Form } from '../../ui/Form.tsx'
import styles from './login.module.css'

const names = ['oldPassword', 'password', 'passwordConfirmation'] as const

/** The old password once and the new one twice; core's refusal is shown at its field. */
export function ChangePassword({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('signIn')
  const record = useRecordForm({
    start: () => ({ oldPassword: '', password: '', passwordConfirmation: '' }),
    schema: OwnNewPassword,
    save: async (body) => void (await call(users.changePassword, { body })),
  })
  const change = async () => void ((await record.save()) && onDone())
  return (
    <Form className="form-fields" onSubmit={() => void change()}>
      {names.map((name) => (
        <PasswordInput
          key={name}
          label={t(`expiry.${name}`)}
          autoComplete={name === 'oldPassword' ? 'current-password' : 'new-password'}
          value={record.values[name]}
          error={record.faults[name]}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          onChange={(event) => record.set({ [name]: event.currentTarget.value })}
        />
      ))}
      <p className={styles.loginFault} role="alert">
        {record.unplaced}
      </p>
      <Button type="submit" loading={record.busy} fullWidth>
        {t('expiry.change')}
      </Button>
    </Form>
  )
}
