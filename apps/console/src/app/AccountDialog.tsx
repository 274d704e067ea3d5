import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { OwnSignIns } from '../features/sign-in/OwnSignIns.tsx'
import { useSignedIn } from '../features/sign-in/sign-in.ts'
import { shortDate } from '../ui/locale.ts'

/** The person's own details, to read, and where else he is signed in. */
export function AccountDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const who = useSignedIn()
  if (!who) return null
  const { user, configuration } = who
  const expiry = configuration.secondsToPwdExpiration
  const days = expiry === null ? null : Math.max(0, Math.floor(expiry / 86_400))
  const expiresAt = days === null ? t('account.never') : shortDate(Date.now() + (expiry ?? 0) * 1000)
  const rows = [
    [t('account.username'), user.username],
    [t('account.name'), `${user.firstName} ${user.lastName}`.trim()],
    [t('account.email'), user.email],
    [t('account.phone'), user.phone],
    [t('account.userType'), user.userType],
    [t('account.roles'), configuration.loggedUserRoles.join(', ')],
    [t('account.passwordExpiry'), expiresAt],
  ] as const
  return (
    <Modal opened={opened} onClose={onClose} title={t('account.title')}>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
      {user.SSO ? <p className="quiet">{t('account.enterprise')}</p> : null}
      <OwnSignIns />
    </Modal>
  )
}
