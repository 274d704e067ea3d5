import type { ReactNode } from 'react'
import { DialogForm } from '../ui/DialogForm.tsx'
import { toast } from '../ui/toasts.tsx'

/** What `useRecordForm` gives, as far as the frames of a record need it. */
export interface EditedRecord<T> {
  save: () => Promise<T | undefined>
  words: string | undefined
  unplaced: string | undefined
  busy: boolean
  isChanged: boolean
}

export interface RecordFormProps<T> {
  record: EditedRecord<T>
  /** What could not be read that the fields need. */
  fault?: string | undefined
  /** Said when it is saved; nothing where what comes next says it. */
  done: (saved: T) => { title: string; text?: string } | undefined
  /** What comes when it is saved, in place of closing. */
  onSaved?: (() => void) | undefined
  mayWrite?: boolean
  /** What users change of their own requires no regular role. */
  anyRole?: boolean
  /** Fields stand on several tabs: what is wrong is said below them too, for one that is not in sight. */
  inParts?: boolean
  /** Saves and keeps the dialog open. */
  mayApply?: boolean
  /** Another word for OK where the act has a name. */
  okLabel?: string | undefined
  /** Fills the fields with the defaults; nothing is saved. */
  onDefault?: (() => void) | undefined
  /** Nothing for what is not there yet. */
  onDelete?: (() => void) | undefined
  onRemove?: (() => void) | undefined
  onClose: () => void
  children: ReactNode
}

/** The fields of one record inside a dialog, saved by OK as far as the contract lets them through, and its end. */
export function RecordForm<T>(props: RecordFormProps<T>) {
  const { record, done, mayWrite = true, anyRole = false, inParts = false, onSaved, onClose } = props
  async function save(then: () => void): Promise<void> {
    const saved = await record.save()
    if (saved === undefined) {
      setTimeout(toFirstFault)
      return
    }
    const said = done(saved)
    if (said) toast({ ...said, tone: 'good' })
    then()
  }
  return (
    <DialogForm
      mayWrite={mayWrite}
      anyRole={anyRole}
      fault={(inParts ? record.words || undefined : record.unplaced) ?? props.fault}
      busy={record.busy}
      okLabel={props.okLabel}
      onCancel={onClose}
      onApply={props.mayApply ? () => void save(() => {}) : undefined}
      onOk={() => void save(onSaved ?? onClose)}
      onDefault={props.onDefault}
      onDelete={props.onDelete}
      onRemove={props.onRemove}
    >
      {props.children}
    </DialogForm>
  )
}

/** The cursor goes to the first field that is wrong. */
function toFirstFault(): void {
  const form = document.activeElement?.closest('form')
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
