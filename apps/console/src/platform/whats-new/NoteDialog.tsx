// A note on what is new: its day, its title and its text.
import { NewNewsNote, type NewsNote } from '@backhaul/contract/nouns/whats-new'
import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { TextField } from '../../kit/TextField.tsx'
import { saveNote } from './whats-new.ts'

interface NoteDialogProps extends ItemEnds {
  /** null: a new one. */
  note: NewsNote | null
}

const today = (): string => new Date().toISOString().slice(0, 10)

export function NoteDialog({ note, ...ends }: NoteDialogProps) {
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
      {...ends}
    >
      <div className="form-fields">
        <TextField
          record={record}
          name="date"
          type="date"
          label={t('column.date')}
          description={t('dateHint')}
          required
        />
        <TextField record={record} name="title" label={t('column.title')} required data-autofocus />
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
