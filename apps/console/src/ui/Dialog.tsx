// The one frame of a dialog: its title, its size, and the way back for the focus.
import { Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'

interface DialogProps
  extends Pick<ModalProps, 'onClose' | 'closeOnEscape' | 'closeOnClickOutside' | 'withCloseButton'> {
  title: string
  /** A dialog that is mounted only while it is open leaves this out. */
  opened?: boolean
  /** The width in pixels; narrower screens make it narrower. */
  size?: number | undefined
  children: ReactNode
}

export function Dialog({ opened = true, size = 440, ...others }: DialogProps) {
  return (
    <>
      {opened ? <FocusReturn /> : null}
      <Modal opened={opened} size={size} returnFocus={false} {...others} />
    </>
  )
}

/** Time in which the focus may go elsewhere by itself, for example to the dialog that follows; in milliseconds. */
const settledMs = 10

/**
 * Gives the focus back, at its end, to the control that had it at its beginning, unless it is elsewhere by then. The kit's own
 * return needs a dialog that is mounted before it opens, and so fails for most of them.
 */
export function FocusReturn(): null {
  // While rendering: a menu is removed together with its item that has the focus.
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      const atEnd = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        if (now === null || now === document.body || now === atEnd) opener?.focus({ preventScroll: true })
      }, settledMs)
    },
    [opener],
  )
  return null
}

/** An item of a menu is gone when the dialog closes; the button of the menu is still there. */
function openerOf(active: Element | null): HTMLElement | null {
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = button ? document.getElementById(button) : active
  return opener instanceof HTMLElement ? opener : null
}
