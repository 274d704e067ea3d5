import { safeNextPath } from '@backhaul/contract/nouns/next-path'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Wordmark } from '../../ui/Wordmark.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import styles from './login.module.css'
import { daysToWarn } from './password-warning.ts'
import { postponePassword, useSignedIn } from './sign-ins.ts'

/** The sign-in succeeded, but the password ends soon: change it now or, while there are days left, another day. */
export function SuccessLoginPage({ next }: { next: string | undefined }) {
  const { t } = useTranslation('signIn')
  const who = useSignedIn()
  const [changing, setChanging] = useState(false)
  const days = daysToWarn(who?.configuration.secondsToPwdExpiration ?? null) ?? 0
  // A full load: the console starts with what was requested.
  const goOn = () => location.assign(safeNextPath(next) ?? '/')
  return (
    <main className={styles.login}>
      <div className={styles.loginCard}>
        <Wordmark />
        <h1>{days === 0 ? t('expiry.endsToday') : t('expiry.ends', { count: days })}</h1>
        {changing ? (
          <ChangePassword onDone={goOn} />
        ) : (
          <>
            <p className={styles.loginNote}>{t(days === 0 ? 'expiry.mustText' : 'expiry.text')}</p>
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
