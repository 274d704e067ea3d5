// /join#code: what whoever holds an invitation sees, without a sign-in: the group, the code, and how a unit takes it.
import { invitations as calls } from '@backhaul/contract/api/invitations'
import { Refusal } from '@backhaul/contract/define/errors'
import type { SeenInvitation } from '@backhaul/contract/nouns/invitations'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { PublicPage, PublicTrouble } from '../../ui/PublicPage.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { CodeToEnter } from './CodeToEnter.tsx'
import './invitations.css'

/** null: core is asked; 'absent': it knows no such invitation. */
type Look = { seen: SeenInvitation } | { fault: Fault } | 'absent' | null

export function JoinPage({ code }: { code: string }) {
  const { t } = useTranslation('invitations')
  const look = useLook(code)
  return (
    <PublicPage>
      {look === null ? <p role="status">{t('join.asking')}</p> : null}
      {look === 'absent' ? <PublicTrouble title={t('join.unknown')} text={t('join.askAgain')} /> : null}
      {look && look !== 'absent' && 'seen' in look ? <Seen code={code} seen={look.seen} /> : null}
      {look && look !== 'absent' && 'fault' in look ? <PublicTrouble {...look.fault} /> : null}
    </PublicPage>
  )
}

const isAbsent = (error: unknown) => error instanceof Refusal && error.status === 404

function useLook(code: string): Look {
  const [look, setLook] = useState<Look>(null)
  useEffect(() => {
    let isWanted = true
    setLook(null)
    call(calls.look, { body: { code } }).then(
      (seen) => isWanted && setLook({ seen }),
      (error: unknown) => isWanted && setLook(isAbsent(error) ? 'absent' : { fault: describeFault(error) }),
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
