import { users } from '@backhaul/contract/api/users'
import { safeNextPath } from '@backhaul/contract/nouns/next-path'
import { Button, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { Wordmark } from '../../ui/Wordmark.tsx'
import { daysToWarn } from './password-warning.ts'
import { postponePassword, useSignedIn } from './sign-in.ts'
import './login.css'

/** The sign-in succeeded, but the password ends soon: change it now or, while there are days left, another day. */
export function SuccessLoginPage({ next }: { next: string | undefined }) {
  const { t } = useTranslation('signIn')
  const who = useSignedIn()
  const [changing, setChanging] = useState(false)
  const days = daysToWarn(who?.configuration.secondsToPwdExpiration ?? null) ?? 0
  // A full load: the console starts with what was asked for.
  const goOn = () => location.assign(safeNextPath(next) ?? '/')
  return (
    <main className="login">
      <div className="login-card">
        <Wordmark />
        <h1>{days === 0 ? t('expiry.endsToday') : t('expiry.ends', { count: days })}</h1>
        {changing ? (
          <ChangePassword onDone={goOn} />
        ) : (
          <>
            <p className="login-note">{t(days === 0 ? 'expiry.mustText' : 'expiry.text')}</p>
            <Button fullWidth onClick={() => setChanging(true)}>
              {t('expiry.change')}
            </Button>
            {days === 0 ? null : (
              <Button
                fullWidth
                variant="default"
                onClick={() => {
                  postponePassword()
                  goOn()
                }}
              >
                {t('expiry.postpone')}
              </Button>
            )}
          </>
        )}
      </div>
    </main>
  )
}

const fields = { oldPassword: '', password: '', passwordConfirmation: '' }
const names = ['oldPassword', 'password', 'passwordConfirmation'] as const

function ChangePassword({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('signIn')
  const [given, setGiven] = useState(fields)
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit() {
    setBusy(true)
    setFault(null)
    try {
      await call(users.changePassword, { body: given })
      onDone()
    } catch (error) {
      setFault(describeFault(error))
      setBusy(false)
    }
  }

  return (
    <form
      className="form-fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {names.map((name) => (
        <PasswordInput
          key={name}
          label={t(`expiry.${name}`)}
          autoComplete={name === 'oldPassword' ? 'current-password' : 'new-password'}
          value={given[name]}
          error={fault?.fields[name]}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          onChange={(event) => setGiven({ ...given, [name]: event.currentTarget.value })}
        />
      ))}
      <p className="login-fault" role="alert">
        {fault && Object.keys(fault.fields).length === 0 ? faultWords(fault) : null}
      </p>
      <Button type="submit" loading={busy} fullWidth>
        {t('expiry.change')}
      </Button>
    </form>
  )
}
