import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { OwnDetails } from '../people/account/OwnDetails.tsx'
import { SecondFactors } from '../people/account/SecondFactors.tsx'
import { ChangePassword } from '../session/sign-ins/ChangePassword.tsx'
import { OwnSignIns } from '../session/sign-ins/OwnSignIns.tsx'
import { type SignedIn, useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Facts } from '../ui/Facts.tsx'
import { shortDate } from '../ui/locale.ts'
import { toast } from '../ui/toasts.tsx'
import styles from './account-dialog.module.css'

/** The user's own details, password and sign-ins. */
export function AccountDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const who = useSignedIn()
  if (!who) return null
  return (
    <Dialog opened={opened} onClose={onClose} title={t('account.title')} size={560}>
      <Parts who={who} onClose={onClose} />
    </Dialog>
  )
}

function Parts({ who, onClose }: { who: SignedIn; onClose: () => void }) {
  const { t } = useTranslation('account')
  const isEnterprise = who.user.SSO
  const changed = () => {
    toast({ title: t('password.done'), tone: 'good' })
    onClose()
  }
  return (
    <Tabs defaultValue="details" keepMounted={false} className={`dialog-tabs ${styles.accountTabs}`}>
      <Tabs.List aria-label={t('tabs.label')}>
        <Tabs.Tab value="details">{t('tabs.details')}</Tabs.Tab>
        <Tabs.Tab value="password">{t('tabs.password')}</Tabs.Tab>
        <Tabs.Tab value="secondFactors">{t('tabs.secondFactors')}</Tabs.Tab>
        <Tabs.Tab value="signIns">{t('tabs.signIns')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="details">
        <FixedDetails who={who} />
        <OwnDetails user={who.user} onClose={onClose} />
      </Tabs.Panel>
      <Tabs.Panel value="password">
        <p className="dialog-lead">{t(isEnterprise ? 'enterprise' : 'password.text')}</p>
        {isEnterprise ? null : <ChangePassword onDone={changed} />}
      </Tabs.Panel>
      <Tabs.Panel value="secondFactors">
        {isEnterprise ? <p className="dialog-lead">{t('enterprise')}</p> : <SecondFactors />}
      </Tabs.Panel>
      <Tabs.Panel value="signIns">
        <OwnSignIns />
      </Tabs.Panel>
    </Tabs>
  )
}

/** Details that only an administrator changes. */
function FixedDetails({ who: { user, configuration } }: { who: SignedIn }) {
  const { t } = useTranslation()
  const expiry = configuration.secondsToPwdExpiration
  const expiresAt = expiry === null ? t('account.never') : shortDate(Date.now() + expiry * 1000)
  return (
    <Facts
      facts={[
        [t('account.username'), user.username],
        [t('account.userType'), user.userType],
        [t('account.roles'), configuration.loggedUserRoles.join(', ')],
        [t('account.passwordExpiry'), expiresAt],
      ]}
    />
  )
}
