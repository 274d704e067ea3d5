import { GATEWAY_PATH } from '@backhaul/contract/gateway/shared'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './invitations.module.css'

/** A code in large letters, and how the user's own machine joins with it; between them further details. */
export function CodeToEnter({ code, children }: { code: string; children: ReactNode }) {
  const { t } = useTranslation('invitations')
  return (
    <>
      <p className={`${styles.pairingCode} mono`} data-pairing-code>
        {code}
      </p>
      {children}
      <p>{t('command')}</p>
      <code className={`${styles.pairingCommand} mono`}>{commandWith(code)}</code>
    </>
  )
}

const commandWith = (code: string): string =>
  `BACKHAUL_CORE_URL=${location.origin.replace(/^http/, 'ws')}${GATEWAY_PATH} ` +
  `BACKHAUL_REGISTRATION_KEY=${code} npm run agent`
