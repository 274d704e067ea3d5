import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordForm } from '../../kit/RecordForm.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { type Act, NoPasskey } from './second-factor.ts'

interface Props {
  act: Act
  onPassword: (password: string, name: string) => Promise<void>
  onCancel: () => void
}

/** The own password, and the name of what is added. */
export function PasswordStep({ act, onPassword, onCancel }: Props) {
  const { t } = useTranslation('account')
  const newKind = act.kind === 'totp' || act.kind === 'passkey' ? act.kind : undefined
  const record = useRecordForm({
    start: () => ({ name: newKind ? t(`second.kinds.${newKind}`) : '', password: '' }),
    async save({ name, password }) {
      try {
        await onPassword(password, name)
        return undefined
      } catch (error) {
        if (error instanceof NoPasskey) return { title: t('second.noPasskey'), fields: {} }
        throw error
      }
    },
  })
  const { values, set, faults } = record

  return (
    <RecordForm
      record={record}
      anyRole
      okLabel={t(act.kind === 'remove' ? 'second.remove' : 'second.next')}
      done={() => undefined}
      onSaved={() => {}}
      onClose={onCancel}
    >
      <div className="form-fields">
        <p className="dialog-lead">
          {act.kind === 'remove'
            ? t('second.acts.remove', { name: act.factor.name })
            : t(`second.acts.${act.kind}`)}
        </p>
        {newKind ? <TextField record={record} name="name" label={t('second.name')} maxLength={60} /> : null}
        <PasswordInput
          label={t('second.password')}
          autoComplete="current-password"
          autoFocus
          value={values.password}
          error={faults.password}
          visibilityToggleButtonProps={{ 'aria-label': t('second.showPassword') }}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
      </div>
    </RecordForm>
  )
}
