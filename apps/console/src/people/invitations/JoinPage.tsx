// /join#code: the page of an invitation, without a sign-in: the group, the code, and how to enter it.
import { invitations as calls } from '@backhaul/contract/api/invitations'
import { Refusal } from '@backhaul/contract/define/errors'
import type { SeenInvitation } from '@backhaul/contract/nouns/invitations'
import { useTranslation } from 'react-i18next'
import { describeFault } from '../../doors/api.ts'
import { useRead } from '../../doors/reads.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { PublicFault, PublicPage } from '../../ui/PublicPage.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { CodeToEnter } from './CodeToEnter.tsx'
import { Pairing } from './Pairing.tsx'

export function JoinPage({ code }: { code: string }) {
  const { t } = useTranslation('invitations')
  const { data: seen, error } = useRead(calls.look, { body: { code } })
  return (
    <PublicPage>
      {seen ? <Seen code={code} seen={seen} /> : null}
      {!seen && error ? <JoinFault error={error} /> : null}
      {seen || error ? null : <p role="status">{t('join.asking')}</p>}
    </PublicPage>
  )
}

function JoinFault({ error }: { error: Error }) {
  const { t } = useTranslation('invitations')
  if (error instanceof Refusal && error.status === 404)
    return <PublicFault title={t('join.unknown')} text={t('join.askAgain')} />
  return <PublicFault {...describeFault(error)} />
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
    <Pairing>
      <h1>{t('join.title', { group })}</h1>
      <p className="quiet">{t('join.text', { until })}</p>
      <QrCode text={location.href} label={t('qr')} />
      <CodeToEnter code={code}>
        <p>{t('join.enter')}</p>
      </CodeToEnter>
    </Pairing>
  )
}
