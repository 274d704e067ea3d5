// /join#code: what whoever holds an invitation sees, without a sign-in: the group, the code, and how a unit takes it.
import { invitations as calls } from '@backhaul/contract/api/invitations'
import type { SeenInvitation } from '@backhaul/contract/nouns/invitations'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { QrCode } from '../../ui/QrCode.tsx'
import { Wordmark } from '../../ui/Wordmark.tsx'
import { CodeToEnter } from './CodeToEnter.tsx'
import './invitations.css'

type Look = { seen: SeenInvitation } | { fault: Fault } | null

export function JoinPage({ code }: { code: string }) {
  const { t } = useTranslation('invitations')
  const look = useLook(code)
  return (
    <main className="join-page">
      <div className="join">
        <Wordmark />
        {look === null ? <p role="status">{t('join.asking')}</p> : null}
        {look && 'seen' in look ? <Seen code={code} seen={look.seen} /> : null}
        {look && 'fault' in look ? (
          <div role="alert">
            <h1>{t('join.unknown')}</h1>
            <p className="quiet">{faultWords(look.fault)}</p>
            <p className="quiet">{t('join.askAgain')}</p>
          </div>
        ) : null}
      </div>
    </main>
  )
}

function useLook(code: string): Look {
  const [look, setLook] = useState<Look>(null)
  useEffect(() => {
    let isWanted = true
    setLook(null)
    call(calls.look, { body: { code } }).then(
      (seen) => isWanted && setLook({ seen }),
      (error: unknown) => isWanted && setLook({ fault: describeFault(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [code])
  return look
}

function Seen({ code, seen: { group, state, expiresAt } }: { code: string; seen: SeenInvitation }) {
  const { t } = useTranslation('invitations')
  const until = dateAndTime(new Date(expiresAt))
  if (state !== 'open')
    return (
      <div role="alert">
        <h1>{t(`join.${state}`)}</h1>
        <p className="quiet">{t(`join.${state}Text`, { group, until })}</p>
        <p className="quiet">{t('join.askAgain')}</p>
      </div>
    )
  return (
    <div className="pairing">
      <h1>{t('join.title', { group })}</h1>
      <p className="quiet">{t('join.text', { until })}</p>
      <QrCode text={location.href} label={t('qr')} />
      <CodeToEnter code={code}>
        <p>{t('join.enter')}</p>
      </CodeToEnter>
    </div>
  )
}
