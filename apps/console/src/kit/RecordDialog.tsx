import { Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogForm } from '../ui/DialogForm.tsx'
import { ModalFooter } from '../ui/ModalFooter.tsx'
import { toast } from '../ui/toasts.tsx'

interface RecordDialogProps<T> {
  title: string
  size?: number
  record: {
    save: () => Promise<T | undefined>
    words: string | undefined
    unplaced: string | undefined
    busy: boolean
    isChanged: boolean
  }
  /** What could not be read that the fields need. */
  fault?: string | undefined
  /** Said when it is saved; nothing where what comes next says it. */
  done: (saved: T) => { title: string; text: string } | undefined
  /** What comes when it is saved, in place of closing. */
  onSaved?: () => void
  mayWrite?: boolean
  /** Fields stand on several tabs: what is wrong is said below them too, for one that is not in sight. */
  inParts?: boolean
  /** Saves and keeps the dialog open. */
  mayApply?: boolean
  /** Another word for OK where the act has a name. */
  okLabel?: string | undefined
  /** Nothing for what is not there yet. */
  onDelete?: (() => void) | undefined
  onRemove?: (() => void) | undefined
  onClose: () => void
  children: ReactNode
}

/** The dialog of one record: its fields, saved by OK as far as the contract lets them through, and its end. */
export function RecordDialog<T>(props: RecordDialogProps<T>) {
  const { title, size, record, done, mayWrite = true, inParts = false } = props
  const { onSaved, onClose, children } = props
  const [asksToLeave, setAsksToLeave] = useState(false)
  async function save(then: () => void): Promise<void> {
    const saved = await record.save()
    if (saved === undefined) return
    const said = done(saved)
    if (said) toast({ ...said, tone: 'good' })
    then()
  }
  /** By Escape, the cross or a click beside it one may leave by mistake; Cancel is meant. */
  const leave = () => (mayWrite && record.isChanged ? setAsksToLeave(true) : onClose())
  return (
    <Modal
      opened
      onClose={leave}
      closeOnEscape={!asksToLeave}
      {...(size !== undefined && { size })}
      title={title}
    >
      <DialogForm
        mayWrite={mayWrite}
        fault={(inParts ? record.words : record.unplaced) ?? props.fault}
        busy={record.busy}
        okLabel={props.okLabel}
        onCancel={onClose}
        onApply={props.mayApply ? () => void save(() => {}) : undefined}
        onOk={() => void save(onSaved ?? onClose)}
        onDelete={props.onDelete}
        onRemove={props.onRemove}
      >
        {children}
      </DialogForm>
      {asksToLeave ? <LeaveQuestion onStay={() => setAsksToLeave(false)} onLeave={onClose} /> : null}
    </Modal>
  )
}

function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <Modal opened onClose={onStay} title={t('leave.title')}>
      <p>{t('leave.text')}</p>
      <ModalFooter mayWrite anyRole dangerous okLabel={t('leave.discard')} onCancel={onStay} onOk={onLeave} />
    </Modal>
  )
}
