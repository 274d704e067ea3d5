// /verify#token: where the owner of an address confirms, without a sign-in, that it receives the alerts of a group.
import { recipients as calls } from '@backhaul/contract/api/recipients'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../doors/api.ts'
import { useAct } from '../../kit/act.ts'
import { PublicFault, PublicPage } from '../../ui/PublicPage.tsx'

/** Requires a press of the button: e-mail scanners open links too. */
export function VerifyPage({ token }: { token: string }) {
  const { t } = useTranslation('groups')
  const [done, setDone] = useState<{ email: string; group: string }>()
  const verification = useAct()
  const verify = async () => void setDone(await call(calls.verify, { params: { token } }))
  return (
    <PublicPage>
      {done ? (
        <div role="status">
          <h1>{t('verify.done')}</h1>
          <p className="quiet">{t('verify.doneText', done)}</p>
        </div>
      ) : (
        <>
          {verification.words ? (
            <PublicFault title={verification.words} text={t('verify.askAgain')} />
          ) : (
            <div>
              <h1>{t('verify.title')}</h1>
              <p className="quiet">{t('verify.text')}</p>
            </div>
          )}
          <Button
            loading={verification.busy}
            onClick={() => void verification.run(async () => await verify())}
          >
            {t('verify.do')}
          </Button>
        </>
      )}
    </PublicPage>
  )
}
