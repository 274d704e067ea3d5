import type { ReactNode } from 'react'
import { DialogForm } from '../ui/DialogForm.tsx'
import { toast } from '../ui/toasts.tsx'

/** The result of `useRecordForm`, as far as the frames of a record need it. */
export interface EditedRecord<T> {
  save: () => Promise<T | undefined>
  words: string | undefined
  unplaced: string | undefined
  busy: boolean
  isChanged: boolean
}

export interface RecordFormProps<T> {
  record: EditedRecord<T>
  /** Why data that the fields need could not be read. */
  fault?: string | undefined
  /** Toast when it is saved; undefined where the next step shows it. */
  done: (saved: T) => { title: string; text?: string } | undefined
  /** Called when it is saved, in place of closing. */
  onSaved?: (() => void) | undefined
  mayWrite?: boolean
  /** A user's own data require no regular role. */
  anyRole?: boolean
  /** The fields are on several tabs: faults are shown below them too, for a field that is not in sight. */
  inParts?: boolean
  /** Saves and keeps the dialog open. */
  mayApply?: boolean
  /** Another word for OK where the act has a name. */
  okLabel?: string | undefined
  /** Fills the fields with the defaults; nothing is saved. */
  onDefault?: (() => void) | undefined
  /** Undefined for a record that does not exist yet. */
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
