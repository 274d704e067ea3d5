import { OPENID_PATH, type SignInWays } from '@backhaul/contract/nouns/sign-ins'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '../../doors/reads.ts'
import styles from './login.module.css'
import { signInWays } from './sign-ins.ts'

const none: SignInWays = { openid: null }
const retryMs = 10_000

/** The other way to sign in, where the operator has set one up; a provider that is down may be tried again. */
export function ProviderButton({ next }: { next: string | undefined }) {
  const { t } = useTranslation('signIn')
  const { data: { openid } = none } = useAnswer(['sign-in ways'], signInWays, {
    everyMs: (ways) => (ways?.openid?.isReachable === false ? retryMs : undefined),
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
