import type { ReactNode } from 'react'
import styles from './dialog-footer.module.css'

interface DialogFooterProps {
  /** Buttons on the other side, which do not end the dialog: for example "Delete" or "Copy". */
  side?: ReactNode
  children: ReactNode
}

/** The buttons of a dialog. They remain in sight where it is longer than the screen. */
export const DialogFooter = ({ side, children }: DialogFooterProps) => (
  <footer className={styles.footer}>
    <div className={styles.side}>{side}</div>
    {children}
  </footer>
)
