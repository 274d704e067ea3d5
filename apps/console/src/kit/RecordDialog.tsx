import { RecordForm, type RecordFormProps } from './RecordForm.tsx'
import { RecordFrame } from './RecordFrame.tsx'

interface RecordDialogProps<T> extends RecordFormProps<T> {
  title: string
  size?: number | undefined
}

/** The dialog of one record. */
export function RecordDialog<T>({ title, size, ...form }: RecordDialogProps<T>) {
  const { mayWrite = true, record, onClose } = form
  return (
    <RecordFrame title={title} size={size} isChanged={mayWrite && record.isChanged} onClose={onClose}>
      <RecordForm {...form} />
    </RecordFrame>
  )
}
