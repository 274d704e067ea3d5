import { NewPassword, type User } from '@backhaul/contract/nouns/users'
import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { givePassword } from './users.ts'

export function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('users')
  const record = useRecordForm({
    start: () => ({ password: '', passwordConfirmation: '' }),
    schema: NewPassword,
    save: (given) => givePassword(user.id, given),
  })
  const { values, set, faults } = record
  return (
    <RecordDialog
      title={t('password.title', { name: user.username })}
      record={record}
      done={() => ({ title: t('password.done') })}
      onClose={onClose}
    >
      <div className="form-fields">
        <p>{t('password.text')}</p>
        <PasswordInput
          label={t('fields.password')}
          description={t('hints.password')}
          autoComplete="new-password"
          data-autofocus
          value={values.password}
          error={faults.password}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
        <PasswordInput
          label={t('fields.passwordConfirmation')}
          autoComplete="new-password"
          value={values.passwordConfirmation}
          error={faults.passwordConfirmation}
          onChange={(event) => set({ passwordConfirmation: event.currentTarget.value })}
        />
      </div>
    </RecordDialog>
  )
}
