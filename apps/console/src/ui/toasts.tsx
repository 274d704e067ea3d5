import { notifications } from '@mantine/notifications'
import { IconAlertOctagon, IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import i18next from 'i18next'

/** Default duration of a toast, in ms. */
export const timeoutMs = 3000

export type ToastTone = 'info' | 'good' | 'warning' | 'critical'

const icons = {
  info: <IconInfoCircle size={18} />,
  good: <IconCheck size={18} />,
  warning: <IconAlertTriangle size={18} />,
  critical: <IconAlertOctagon size={18} />,
}
const colours = { info: 'gray', good: 'teal', warning: 'orange', critical: 'red' }

export interface Toast {
  /** A second toast of the same id replaces the first. */
  id?: string
  title: string
  text?: string | undefined
  tone?: ToastTone
  /** ms; false: shown until closed (ER-TOAST-02, ER-TOAST-03). */
  timeout?: number | false
}

export function toast({ id, title, text, tone = 'info', timeout = timeoutMs }: Toast): void {
  const shown = {
    ...(id === undefined ? {} : { id }),
    title,
    message: text,
    icon: icons[tone],
    color: colours[tone],
    autoClose: timeout,
    closeButtonProps: { 'aria-label': i18next.t('ui:close') },
    role: tone === 'critical' ? 'alert' : 'status',
  }
  notifications.show(shown)
  if (id !== undefined) notifications.update({ ...shown, id })
}

export const hideToast = (id: string): void => void notifications.hide(id)
