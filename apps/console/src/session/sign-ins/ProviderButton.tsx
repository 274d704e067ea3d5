import { OPENID_PATH } from '@backhaul/contract/nouns/openid'
import type { SignInWays } from '@backhaul/contract/nouns/sign-ins'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './login.module.css'
import { signInWays } from './sign-ins.ts'

const againMs = 10_000

/** Requested again while the provider is down; the cache of answers is not loaded before sign-in. */
function useSignInWays(): SignInWays {
  const [ways, setWays] = useState<SignInWays>({ openid: null })
  useEffect(() => {
    let isShown = true
    let timer: ReturnType<typeof setTimeout> | undefined
    async function ask(): Promise<void> {
      const answer = await signInWays()
      if (!isShown) return
      setWays(answer)
      if (answer.openid?.isReachable === false) timer = setTimeout(ask, againMs)
    }
    void ask()
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [])
  return ways
}

/** The other way to sign in, where the operator has set one up; a provider that is down may be tried again. */
export function ProviderButton({ next }: { next: string | undefined }) {
  const { t } = useTranslation('signIn')
  const { openid } = useSignInWays()
  if (!openid) return null
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`
  return (
    <>
      <Button component="a" href={OPENID_PATH + query} variant="default" size="sm" fullWidth>
        {t('openid.signIn', { name: openid.name })}
      </Button>
      {openid.isReachable ? null : (
        <p className={styles.loginNote}>{t('openid.down', { name: openid.name })}</p>
      )}
    </>
  )
}
