import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { safeNextPath } from './next-path.ts'
import { SignInCard } from './SignInCard.tsx'
import { signIn } from './sign-in.ts'

export function LoginPage({ next, expired }: { next: string | undefined; expired: boolean }) {
  const { t } = useTranslation('signIn')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')

  async function submit(): Promise<Fault | undefined> {
    if (username === '' || password === '') return { title: t('bothNeeded'), fields: {} }
    await signIn(username, password)
    const asked = safeNextPath(next)
    // A full load: every store of the page begins empty for the person who signed in.
    location.assign(asked === undefined ? '/' : withKeptRoute(asked))
  }

  return (
    <SignInCard
      title={t('title')}
      note={expired ? t('expired') : undefined}
      submitWord={t('signIn')}
      onSubmit={submit}
    >
      {(faults) => (
        <>
          <TextInput
            size="sm"
            label={t('username')}
            name="username"
            autoComplete="username"
            autoFocus
            value={username}
            error={faults.username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('password')}
            name="password"
            autoComplete="current-password"
            value={password}
            error={faults.password}
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </>
      )}
    </SignInCard>
  )
}

/** The kept path is a wish as explicit as a typed link, so the last route must not override it (GAP-NAV-05). */
function withKeptRoute(path: string): string {
  const url = new URL(path, location.origin)
  if (url.pathname === '/') return path
  url.searchParams.set('ignoreRouteDefault', '1')
  return url.pathname + url.search + url.hash
}
