// A story: what it is about, and the units that are sent out for it.
import { NewStory, type Story, storyFields } from '@backhaul/contract/nouns/stories'
import { Modal, MultiSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMay } from '../sign-in/sign-in.ts'
import { type Offer, offerUnits, saveStory, stories } from './stories.ts'
import { useOffers } from './use-offers.ts'

interface StoryDialogProps {
  /** null: a new one. */
  story: Story | null
  onDelete: () => void
  onClose: () => void
}

const isLong = (field: keyof NewStory): boolean => field === 'usageTerms' || field === 'comments'

export function StoryDialog({ story, onDelete, onClose }: StoryDialogProps) {
  const { t } = useTranslation('stories')
  const mayWrite = useMay('writeStories')
  const [form, setForm] = useState<NewStory>(
    () => Object.fromEntries(storyFields.map((field) => [field, story?.[field] ?? ''])) as NewStory,
  )
  const [units, setUnits] = useState<readonly string[]>(story?.assignedUnits ?? [])
  const saving = useSaving()

  async function save(): Promise<void> {
    const saved = await saving.runChecked({
      schema: NewStory,
      typed: form,
      title: t('incomplete'),
      ask: (checked) => saveStory(story, checked, units),
    })
    if (!saved) return
    toast({ title: t('saved'), text: saved.slugline, tone: 'good' })
    onClose()
  }

  return (
    <Modal opened onClose={onClose} size={620} title={story ? t('editTitle') : t('addTitle')}>
      <DialogForm
        mayWrite={mayWrite}
        fault={saving.unplaced}
        busy={saving.busy}
        onCancel={onClose}
        onOk={() => void save()}
        onDelete={story ? onDelete : undefined}
      >
        <div className="form-fields">
          {storyFields.map((field) => {
            const Field = isLong(field) ? Textarea : TextInput
            return (
              <Field
                key={field}
                label={t(`field.${field}`)}
                value={form[field]}
                error={saving.faults[field]}
                required={field === 'slugline'}
                readOnly={!mayWrite}
                {...(field === 'slugline' && { 'data-autofocus': true })}
                {...(isLong(field) && { autosize: true, minRows: 2, maxRows: 6 })}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  setForm((now) => ({ ...now, [field]: value }))
                }}
              />
            )
          })}
          <UnitsField story={story} chosen={units} readOnly={!mayWrite} onChosen={setUnits} />
        </div>
      </DialogForm>
    </Modal>
  )
}

interface UnitsFieldProps {
  story: Story | null
  chosen: readonly string[]
  readOnly: boolean
  onChosen: (units: string[]) => void
}

function UnitsField({ story, chosen, readOnly, onChosen }: UnitsFieldProps) {
  const { t } = useTranslation('stories')
  const [text, setText] = useState('')
  const [known, setKnown] = useState<readonly Offer[]>(() => assignedOf(story))
  const offers = useOffers(offerUnits, story?.inventoryId ?? stories.inventory(), text)
  const missing = known.filter(({ value }) => !offers.some((offer) => offer.value === value))
  return (
    <MultiSelect
      label={t('field.units')}
      description={t('unitsHint')}
      data={[...offers, ...missing]}
      value={[...chosen]}
      readOnly={readOnly}
      searchable
      searchValue={text}
      nothingFoundMessage={t('noUnit')}
      onSearchChange={setText}
      onChange={(next) => {
        setKnown([...offers, ...missing].filter(({ value }) => next.includes(value)))
        onChosen(next)
      }}
    />
  )
}

const assignedOf = (story: Story | null): Offer[] =>
  (story?.assignedUnits ?? []).map((value, at) => ({ value, label: story?.assignedUnitNames[at] ?? value }))
