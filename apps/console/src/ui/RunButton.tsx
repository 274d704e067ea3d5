import type { ReactNode } from 'react'
import styles from './run-button.module.css'

interface RunButtonProps {
  /** Action of a press, or the change under way. */
  state: 'start' | 'stop' | 'connecting' | 'disconnecting' | 'offline'
  isClosed: boolean
  /** In the row of a list it is shown where it is needed, and the keys of the list press it. */
  size?: 'inRow' | 'big'
  label?: string | undefined
  tip?: string | undefined
  onPress: () => void
  children: ReactNode
}

/** Starts and stops what runs for long; a button that cannot be pressed remains reachable and shows why. */
export function RunButton({ state, isClosed, size, label, tip, onPress, children }: RunButtonProps) {
  return (
    <button
      type="button"
      className={`plain-button ${styles.runButton}`}
      data-run={state}
      data-size={size}
      tabIndex={size === 'inRow' ? -1 : 0}
      aria-disabled={isClosed}
      aria-label={label}
      data-tip={tip}
      onClick={() => {
        if (!isClosed) onPress()
      }}
    >
      {children}
    </button>
  )
}
