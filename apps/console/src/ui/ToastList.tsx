import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import { timeoutMs } from './toasts.tsx'

const shownAtOnce = 5

/** At most five at once, the rest wait (ER-TOAST-01). */
export function ToastList() {
  return (
    <Notifications
      limit={shownAtOnce}
      autoClose={timeoutMs}
      position="bottom-left"
      // Next to the menu, and no wider than what a dialog leaves free: its footer remains in reach.
      containerWidth={264}
      className="toasts"
      zIndex={500}
    />
  )
}
