import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { Wordmark } from '../../ui/Wordmark.tsx'
import { makeFirstUser } from './sign-in.ts'
import './login.css'

const empty = { setupCode: '', username: '', firstName: '', lastName: '', password: '' }
type Field = keyof typeof empty
const autoComplete = { username: 'username', firstName: 'given-name', lastName: 'family-name' }

/** Makes the first super user of a new installation; the start screen links here with the setup code. */
export function FirstRunPage() {
  const { t } = useTranslation('signIn')
  // After the # it never leaves the browser on its own.
  const [given, setGiven] = useState({ ...empty, setupCode: location.hash.slice(1) })
  const [repeat, setRepeat] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit() {
    if (given.password !== repeat)
      return setFault({ title: t('first.differs'), fields: { repeat: t('first.differs') } })
    setBusy(true)
    setFault(null)
    try {
      await makeFirstUser(given)
      location.assign('/')
    } catch (error) {
      setFault(describeFault(error))
      setBusy(false)
    }
  }

  const input = (name: Field) => ({
    size: 'sm',
    name,
    label: t(`first.${name}`),
    value: given[name],
    error: fault?.fields[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setGiven({ ...given, [name]: event.currentTarget.value }),
  })
  const toggle = { 'aria-label': t('showPassword') }
  const isTold = fault !== null && Object.keys(fault.fields).length > 0
  return (
    <main className="login">
      <form
        className="login-card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Wordmark />
        <h1>{t('first.title')}</h1>
        <p className="login-note">{t('first.text')}</p>
        <TextInput {...input('setupCode')} description={t('first.setupCodeHint')} autoComplete="off" />
        {(['username', 'firstName', 'lastName'] as const).map((name) => (
          <TextInput
            key={name}
            {...input(name)}
            autoComplete={autoComplete[name]}
            autoFocus={name === 'username'}
          />
        ))}
        <PasswordInput
          {...input('password')}
          description={t('first.passwordHint')}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
        />
        <PasswordInput
          size="sm"
          label={t('first.repeat')}
          name="repeat"
          autoComplete="new-password"
          value={repeat}
          error={fault?.fields.repeat}
          visibilityToggleButtonProps={toggle}
          onChange={(event) => setRepeat(event.currentTarget.value)}
        />
        <p className="login-fault" role="alert">
          {fault && !isTold ? faultWords(fault) : null}
        </p>
        <Button type="submit" size="sm" loading={busy} fullWidth>
          {t('first.make')}
        </Button>
      </form>
    </main>
  )
}
