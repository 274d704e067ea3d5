import type { ReactNode } from 'react'
import styles from './invitations.module.css'

/** What lets a machine in, with the words around it. */
export function Pairing({ role, children }: { role?: 'alert'; children: ReactNode }) {
  return (
    <div className={styles.pairing} role={role}>
      {children}
    </div>
  )
}

/** What else can be done about it. */
export function PairingActs({ children }: { children: ReactNode }) {
  return <div className={styles.pairingMore}>{children}</div>
}
