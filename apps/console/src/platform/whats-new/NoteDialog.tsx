// A note on what is new: its day, its title and what it says.
import { NewNewsNote, type NewsNote } from '@backhaul/contract/nouns/whats-new'
import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
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
  const [form, setForm] = useState<NewNewsNote>(() => ({
    date: note?.date ?? today(),
    title: note?.title ?? '',
    text: note?.text ?? '',
  }))
  const saving = useSaving()
  const { faults } = saving
  const set = (changes: Partial<NewNewsNote>) => setForm((now) => ({ ...now, ...changes }))

  return (
    <RecordDialog
      title={t(note ? 'editTitle' : 'addTitle')}
      size={560}
      saving={saving}
      wish={{
        schema: NewNewsNote,
        typed: form,
        title: t('incomplete'),
        ask: (checked) => saveNote(note?.id ?? null, checked),
      }}
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
