import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
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
  const [name, setName] = useState(newKind ? t(`second.kinds.${newKind}`) : '')
  const [password, setPassword] = useState('')
  const saving = useSaving()

  const goOn = () =>
    onPassword(password, name).then(
      () => undefined,
      (error: unknown): Fault => {
        if (error instanceof NoPasskey) return { title: t('second.noPasskey'), fields: {} }
        throw error
      },
    )

  return (
    <DialogForm
      mayWrite
      anyRole
      fault={saving.unplaced}
      busy={saving.busy}
      onCancel={onCancel}
      onOk={() => void saving.run(goOn)}
      okLabel={t(act.kind === 'remove' ? 'second.remove' : 'second.next')}
    >
      <div className="form-fields">
        <p className="dialog-lead">
          {act.kind === 'remove'
            ? t('second.acts.remove', { name: act.factor.name })
            : t(`second.acts.${act.kind}`)}
        </p>
        {newKind ? (
          <TextInput
            label={t('second.name')}
            value={name}
            maxLength={60}
            error={saving.faults.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        ) : null}
        <PasswordInput
          label={t('second.password')}
          autoComplete="current-password"
          autoFocus
          value={password}
          error={saving.faults.password}
          visibilityToggleButtonProps={{ 'aria-label': t('second.showPassword') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </div>
    </DialogForm>
  )
}
