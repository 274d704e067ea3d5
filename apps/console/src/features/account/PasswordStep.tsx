import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { ModalFooter } from '../../ui/ModalFooter.tsx'
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
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)

  async function submit() {
    setBusy(true)
    setFault(undefined)
    try {
      await onPassword(password, name)
    } catch (error) {
      setFault(
        error instanceof NoPasskey ? { title: t('second.noPasskey'), fields: {} } : describeFault(error),
      )
      setBusy(false)
    }
  }

  const isTold = fault?.fields.password !== undefined || fault?.fields.name !== undefined
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div className="form-fields">
        <p className="account-notice">
          {act.kind === 'remove'
            ? t('second.acts.remove', { name: act.factor.name })
            : t(`second.acts.${act.kind}`)}
        </p>
        {newKind ? (
          <TextInput
            label={t('second.name')}
            value={name}
            maxLength={60}
            error={fault?.fields.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        ) : null}
        <PasswordInput
          label={t('second.password')}
          autoComplete="current-password"
          autoFocus
          value={password}
          error={fault?.fields.password}
          visibilityToggleButtonProps={{ 'aria-label': t('second.showPassword') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {fault && !isTold ? (
          <p className="text-critical" role="alert">
            {faultWords(fault)}
          </p>
        ) : null}
      </div>
      <ModalFooter
        mayWrite
        busy={busy}
        onCancel={onCancel}
        onOk={() => void submit()}
        okLabel={t(act.kind === 'remove' ? 'second.remove' : 'second.next')}
      />
    </form>
  )
}
