import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFault, faultWords } from '../../doors/api.ts'
import { Wordmark } from '../../ui/Wordmark.tsx'
import { safeNextPath } from './next-path.ts'
import { signIn } from './sign-in.ts'
import './login.css'

export function LoginPage({ next, expired }: { next: string | undefined; expired: boolean }) {
  const { t } = useTranslation('signIn')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit() {
    if (username === '' || password === '') return setFault(t('bothNeeded'))
    setBusy(true)
    setFault(null)
    try {
      await signIn(username, password)
      const asked = safeNextPath(next)
      // A full load: every store of the page begins empty for the person who signed in.
      location.assign(asked === undefined ? '/' : withKeptRoute(asked))
    } catch (error) {
      setFault(faultWords(describeFault(error)))
      setBusy(false)
    }
  }

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
        <h1>{t('title')}</h1>
        {expired ? <p className="login-note">{t('expired')}</p> : null}
        <TextInput
          size="sm"
          label={t('username')}
          name="username"
          autoComplete="username"
          autoFocus
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          value={password}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <p className="login-fault" role="alert">
          {fault}
        </p>
        <Button type="submit" size="sm" loading={busy} fullWidth>
          {t('signIn')}
        </Button>
      </form>
    </main>
  )
}

/** The kept path is a wish as explicit as a typed link, so the last route must not override it (GAP-NAV-05). */
function withKeptRoute(path: string): string {
  const url = new URL(path, location.origin)
  if (url.pathname === '/') return path
  url.searchParams.set('ignoreRouteDefault', '1')
  return url.pathname + url.search + url.hash
}
