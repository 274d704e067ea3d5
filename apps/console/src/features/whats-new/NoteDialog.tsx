// A note on what is new: its day, its title and what it says.
import { NewNewsNote, type NewsNote } from '@backhaul/contract/nouns/whats-new'
import { Modal, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
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

  async function save(): Promise<void> {
    const saved = await saving.runChecked({
      schema: NewNewsNote,
      typed: form,
      title: t('incomplete'),
      ask: (checked) => saveNote(note?.id ?? null, checked),
    })
    if (!saved) return
    toast({ title: t('saved'), text: saved.title, tone: 'good' })
    onClose()
  }

  return (
    <Modal opened onClose={onClose} size={560} title={t(note ? 'editTitle' : 'addTitle')}>
      <DialogForm
        mayWrite
        fault={saving.unplaced}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
        onDelete={note ? onDelete : undefined}
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
      </DialogForm>
    </Modal>
  )
}
