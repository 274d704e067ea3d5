import type { ReactNode } from 'react'
import styles from './invitations.module.css'

/** The code that admits a machine, with the words around it. */
export function Pairing({ role, children }: { role?: 'alert'; children: ReactNode }) {
  return (
    <div className={styles.pairing} role={role}>
      {children}
    </div>
  )
}

/** Further actions on it. */
export function PairingActs({ children }: { children: ReactNode }) {
  return <div className={styles.pairingMore}>{children}</div>
}
