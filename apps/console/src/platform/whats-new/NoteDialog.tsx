// A note on what is new: its day, its title and what it says.
import { NewNewsNote, type NewsNote } from '@backhaul/contract/nouns/whats-new'
import { Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { saveNote } from './whats-new.ts'

interface NoteDialogProps {
  /** null: a new one. */
  note: NewsNote | null
  onDelete: () => void
  onClose: () => void
}

const today = (): string => new Date().toISOString().slice(0, 10)

export function NoteDialog({ note, onDelete, onClose }: NoteDialogProps) {
  const { t } = useTranslation('whatsNew')
  const record = useRecordForm({
    start: () => ({ date: note?.date ?? today(), title: note?.title ?? '', text: note?.text ?? '' }),
    schema: NewNewsNote,
    title: t('incomplete'),
    save: (request) => saveNote(note?.id ?? null, request),
  })
  const { values: form, set, faults } = record

  return (
    <RecordDialog
      title={t(note ? 'editTitle' : 'addTitle')}
      size={560}
      record={record}
      done={(saved) => ({ title: t('saved'), text: saved.title })}
      onDelete={note ? onDelete : undefined}
      onClose={onClose}
    >
      <div className="form-fields">
        <TextInput
          type="date"
          label={t('column.date')}
          description={t('dateHint')}
          value={form.date}
          error={faults.date}
          required
          onChange={(event) => set({ date: event.currentTarget.value })}
        />
        <TextInput
          label={t('column.title')}
          value={form.title}
          error={faults.title}
          required
          data-autofocus
          onChange={(event) => set({ title: event.currentTarget.value })}
        />
        <Textarea
          label={t('column.text')}
          value={form.text}
          error={faults.text}
          required
          rows={6}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
      </div>
    </RecordDialog>
  )
}
