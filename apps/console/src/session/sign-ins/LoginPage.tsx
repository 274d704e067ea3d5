import { pathAfterSignIn } from '@backhaul/contract/nouns/next-path'
import { openidFaults } from '@backhaul/contract/nouns/openid'
import type { SecondFactorChallenge } from '@backhaul/contract/nouns/second-factors'
import { PasswordInput, TextInput } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { loadedOnTheWay } from '../../ui/loaded.ts'
import { ProviderButton } from './ProviderButton.tsx'
import { SignInCard } from './SignInCard.tsx'
import { signIn } from './sign-ins.ts'

const SecondStep = loadedOnTheWay(async () => (await import('./SecondStep.tsx')).SecondStep)

interface Props {
  next: string | undefined
  expired: boolean
  /** Why a sign-in at the provider came to nothing. */
  fault: string | undefined
}

export function LoginPage({ next, expired, fault }: Props) {
  const { t } = useTranslation('signIn')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [asked, setAsked] = useState<SecondFactorChallenge>()

  const providerFault = openidFaults.find((known) => known === fault)

  async function submit(): Promise<Fault | undefined> {
    if (username === '' || password === '') return { title: t('bothNeeded'), fields: {} }
    const secondFactor = await signIn(username, password)
    if (secondFactor) setAsked(secondFactor)
    else goOn()
  }

  function goOn(): void {
    // A full load: every store of the page begins empty for the user who signed in.
    location.assign(pathAfterSignIn(next))
  }

  if (asked)
    return (
      <Suspense fallback={null}>
        <SecondStep asked={asked} onDone={goOn} onBack={() => setAsked(undefined)} />
      </Suspense>
    )

  return (
    <SignInCard
      title={t('title')}
      note={expired ? t('expired') : undefined}
      submitWord={t('signIn')}
      faultBefore={providerFault && t(`openid.faults.${providerFault}`)}
      below={<ProviderButton next={next} />}
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
            size="sm"
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
