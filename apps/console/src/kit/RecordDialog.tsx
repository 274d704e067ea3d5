import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Checked, Saving } from '../doors/forms.ts'
import { DialogForm } from '../ui/DialogForm.tsx'
import { toast } from '../ui/toasts.tsx'

interface RecordDialogProps<T> {
  title: string
  size: number
  /** Holds the faults of the fields too, which whoever draws them asks for. */
  saving: Saving
  /** What OK checks and saves. */
  wish: Checked<T>
  /** Said when it is saved. */
  done: (saved: T) => { title: string; text: string }
  mayWrite?: boolean
  /** Fields stand on several tabs: what is wrong is said below them too, for one that is not in sight. */
  inParts?: boolean
  /** Nothing for what is not there yet. */
  onDelete?: (() => void) | undefined
  onClose: () => void
  children: ReactNode
}

/** The dialog of one record of a list: its fields, saved by OK as far as the contract lets them through, and its end. */
export function RecordDialog<T>(props: RecordDialogProps<T>) {
  const { title, size, saving, wish, done, mayWrite = true, inParts = false } = props
  const { onDelete, onClose, children } = props
  async function save(): Promise<void> {
    const saved = await saving.runChecked(wish)
    if (saved === undefined) return
    toast({ ...done(saved), tone: 'good' })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} size={size} title={title}>
      <DialogForm
        mayWrite={mayWrite}
        fault={inParts ? saving.words : saving.unplaced}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
        onDelete={onDelete}
      >
        {children}
      </DialogForm>
    </Modal>
  )
}
