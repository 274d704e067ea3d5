import { OPENID_PATH, type SignInWays } from '@backhaul/contract/nouns/sign-ins'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import styles from './login.module.css'
import { signInWays } from './sign-ins.ts'

const none: SignInWays = { openid: null }

/** The other way to sign in, where the operator has set one up; a provider that is down may be tried again. */
export function ProviderButton({ next }: { next: string | undefined }) {
  const { t } = useTranslation('signIn')
  const { data: { openid } = none } = useQuery({
    queryKey: ['sign-in ways'],
    queryFn: signInWays,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.openid?.isReachable === false ? 10_000 : false),
  })
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
